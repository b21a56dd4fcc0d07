public import CenotaphWire

/// A short sum of a set of row ids, kept up to each write (Spec 12).
///
/// Memory: 16 bytes a cell and 128 counters.
public struct Sketch: Hashable, Sendable {
    /// The cells, the first ones of the endless row of cells that the set has.
    public private(set) var cells: [SketchCell]
    /// The counters of the estimate, 128 bytes.
    public private(set) var counters: [UInt8]

    /// The sketch of no ids, of 1 to `Limits.maxCells` cells.
    public init(size: Int) {
        precondition((1...Limits.maxCells).contains(size), "a sketch has 1 to 65,536 cells")
        cells = [SketchCell](repeating: .zero, count: size)
        counters = [UInt8](repeating: 0, count: Limits.sketchCounters)
    }

    /// The first cells, and the counters.
    ///
    /// O(size), and O(1) for all of them.
    public func prefix(_ size: Int) -> Sketch {
        precondition((1...cells.count).contains(size), "a sketch has no more cells than it has")
        guard size < cells.count else { return self }
        return Sketch(cells: Array(cells[..<size]), counters: counters)
    }

    private init(cells: [SketchCell], counters: [UInt8]) {
        self.cells = cells
        self.counters = counters
    }

    /// Adds an id.
    ///
    /// O(log cells): at most about 28 cells change.
    public mutating func add(_ row: RowID) { change(row, 1) }

    /// Takes out an id that was added before.
    public mutating func remove(_ row: RowID) { change(row, 255) }

    private mutating func change(_ row: RowID, _ number: UInt8) {
        let traits = row.traits
        counters[traits.counter] &+= traits.isUp ? number : 0 &- number
        var cells = cells.mutableSpan
        row.forEachCell(below: cells.count, traits) { index in
            cells[index].change(row, traits.check, number)
        }
    }

    /// The estimated number of ids in which two sets differ (Spec SKETCH-014).
    public static func estimate(_ a: [UInt8], _ b: [UInt8]) -> UInt64 {
        zip(a, b).reduce(0) { sum, pair in
            let difference = Int(Int8(bitPattern: pair.0 &- pair.1))
            return sum + UInt64(difference * difference)
        }
    }
}

extension SketchCell {
    /// Adds an id (`number` 1) or takes it out (255).
    @inline(__always)
    mutating func change(_ row: RowID, _ check: UInt32, _ number: UInt8) {
        ids ^= row.number
        checks ^= check
        self.number &+= number
    }

    /// Subtracts another sum (Spec SKETCH-010).
    static func - (a: SketchCell, b: SketchCell) -> SketchCell {
        SketchCell(ids: a.ids ^ b.ids, checks: a.checks ^ b.checks, number: a.number &- b.number)
    }

    /// Whether the cell is that of one id (Spec SKETCH-011).
    var isPure: Bool {
        (number == 1 || number == 255) && RowID(ids).traits.check == checks
    }
}
