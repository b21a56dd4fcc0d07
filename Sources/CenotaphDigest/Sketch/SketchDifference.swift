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
        guard var found = SketchDifference.peel(&cells), cells.allSatisfy({ $0 == .zero }) else {
            return nil
        }
        // An id and where it is, as one number: what was noted twice, on whichever side, comes to lie side by side.
        found.sort()
        onlyA.reserveCapacity(found.count)
        onlyB.reserveCapacity(found.count)
        var last: RowID?
        for number in found {
            let row = RowID(number >> 1)
            guard row != last else { return nil }
            last = row
            if number & 1 == 0 { onlyA.append(row) } else { onlyB.append(row) }
        }
        guard UInt64(onlyA.count) &- UInt64(onlyB.count) == excess else { return nil }
    }

    /// Takes the ids of pure cells out of all their cells, and returns each twice its number, and one more if only the
    /// second set has it; `nil` where there are more than cells.
    ///
    /// An id that is noted twice is not looked for here: the number of cells bounds the work all the same.
    private static func peel(_ cells: inout [SketchCell]) -> [UInt64]? {
        var found: [UInt64] = []
        found.reserveCapacity(cells.count)
        var pure = cells.indices.filter { cells[$0].isPure }
        var cells = cells.mutableSpan
        while let index = pure.popLast() {
            let cell = cells[index]
            guard cell.isPure else { continue }
            guard found.count < cells.count else { return nil }
            let row = RowID(cell.ids)
            found.append(row.number << 1 | (cell.number == 1 ? 0 : 1))
            row.forEachCell(below: cells.count, row.traits) { other in
                cells[other].change(row, cell.checks, 0 &- cell.number)
                if cells[other].isPure { pure.append(other) }
            }
        }
        return found
    }
}
