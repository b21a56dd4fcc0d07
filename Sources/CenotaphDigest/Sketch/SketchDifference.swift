public import CenotaphWire

/// The ids in which two sets differ, taken from their sketches (Spec SKETCH-010 to SKETCH-013).
public struct SketchDifference: Hashable, Sendable {
    /// The ids of the first set alone, ascending.
    public private(set) var onlyA: [RowID] = []
    /// The ids of the second set alone, ascending.
    public private(set) var onlyB: [RowID] = []

    /// Whether the sets have the same ids.
    public var isEmpty: Bool { onlyA.isEmpty && onlyB.isEmpty }

    /// Takes the difference of equally many first cells apart; `nil` if it cannot be decoded.
    ///
    /// `excess` is the size of the first set less that of the second, modulo 2^64. O(cells log cells) whatever
    /// the cells hold.
    public init?(_ a: ArraySlice<SketchCell>, _ b: ArraySlice<SketchCell>, excess: UInt64) {
        precondition(a.count == b.count, "sketches of one size")
        var cells = zip(a, b).map { $0 - $1 }
        var seen: Set<RowID> = []
        var pure = cells.indices.filter { cells[$0].isPure }
        while let index = pure.popLast() {
            let cell = cells[index]
            guard cell.isPure else { continue }
            let row = RowID(cell.ids)
            guard seen.count < cells.count, seen.insert(row).inserted else { return nil }
            if cell.number == 1 { onlyA.append(row) } else { onlyB.append(row) }
            let traits = row.traits
            row.forEachCell(below: cells.count, traits) { other in
                cells[other].change(row, traits.check, 0 &- cell.number)
                if cells[other].isPure { pure.append(other) }
            }
        }
        guard cells.allSatisfy({ $0 == .zero }) else { return nil }
        guard UInt64(onlyA.count) &- UInt64(onlyB.count) == excess else { return nil }
        onlyA.sort()
        onlyB.sort()
    }
}
