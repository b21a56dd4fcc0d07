public import CenotaphWire

/// What answers an opening sketch of a peer's (the table of Spec SYNC-042).
public enum SketchAnswer: Hashable, Sendable {
    /// The ids in which the sets differ; the first set is one's own.
    case rows(SketchDifference)
    /// The ids are equal.
    case equal
    /// So many first cells of one's own sketch.
    case cells(Int)
    /// Nothing: there are too many differences, about so many.
    case tooMany(estimate: UInt64)

    /// A sketch with its counters, and the number of rows in its set.
    public typealias Side = (cells: [SketchCell], counters: [UInt8], count: UInt64)

    /// Judges the sketch of a peer's by one's own, which has as many cells.
    ///
    /// O(cells log cells).
    public init(own: Side, theirs: Side) {
        let difference = SketchDifference(
            own.cells[...], theirs.cells[...], own.count, theirs.count)
        if let difference {
            self = difference.isEmpty ? .equal : .rows(difference)
            return
        }
        let estimate = Sketch.estimate(own.counters, theirs.counters)
        let size = 48 + estimate + estimate / 2
        let (all, overflow) = own.count.addingReportingOverflow(theirs.count)
        self =
            size <= UInt64(Limits.maxCells) && (overflow || size <= all)
            ? .cells(Int(size)) : .tooMany(estimate: estimate)
    }
}

extension SketchDifference {
    /// Takes the difference of equally many first cells apart, of sets whose sizes are given; `nil` if it cannot be
    /// decoded (Spec SKETCH-012).
    public init?(
        _ a: ArraySlice<SketchCell>, _ b: ArraySlice<SketchCell>, _ sizeA: UInt64, _ sizeB: UInt64
    ) {
        // No more ids are found than there are cells, so sizes further apart do not fit, however they wrap around.
        let apart = sizeA > sizeB ? sizeA - sizeB : sizeB - sizeA
        guard apart <= UInt64(a.count) else { return nil }
        self.init(a, b, excess: sizeA &- sizeB)
    }
}
