internal import CenotaphDigest
internal import CenotaphWire

/// The sketches of sets that a gate keeps in memory, each brought up to date by what is committed (Spec 12).
///
/// A sketch is right for one `SetSum` alone. So whatever else changed the set, another process or a commit of which
/// nobody knows how it ended, is noticed by comparing sums, and the sketch is made anew.
final class KeptSketches {
    /// Most cells that are kept of a set, a quarter of a MiB.
    ///
    /// More are counted afresh when they are asked for.
    static let maxCells = 16_384
    private static let minCells = 64

    private struct ID: Hashable {
        let namespace: Int64
        let set: RowSet
    }

    private var kept: [ID: (sum: SetSum, sketch: Sketch)] = [:]

    /// How many cells to keep of a set of `count` rows: about two for each, and as many as were asked for.
    static func size(forRows count: UInt64, asked: Int = 1) -> Int {
        var size = minCells
        while size < maxCells, size < asked || UInt64(size / 2) < count { size *= 2 }
        return size
    }

    /// The memory that they take, in bytes.
    var byteCount: Int {
        kept.values.reduce(0) { sum, kept in
            sum + kept.sketch.cells.count * MemoryLayout<SketchCell>.stride
                + kept.sketch.counters.count
        }
    }

    /// The sum of the set that the kept sketch is of, or `nil` if none is kept.
    func sum(_ namespace: Int64, _ set: RowSet) -> SetSum? {
        kept[ID(namespace: namespace, set: set)]?.sum
    }

    /// The first cells of a kept sketch, or `nil` if so many are not kept.
    func sketch(_ namespace: Int64, _ set: RowSet, size: Int) -> Sketch? {
        guard let sketch = kept[ID(namespace: namespace, set: set)]?.sketch,
            size <= sketch.cells.count
        else { return nil }
        return sketch.prefix(size)
    }

    /// Keeps a sketch of a set with that sum.
    func keep(_ sketch: Sketch, _ namespace: Int64, _ set: RowSet, sum: SetSum) {
        kept[ID(namespace: namespace, set: set)] = (sum, sketch)
    }

    /// Brings a kept sketch from the sum that it is of to the one that a commit made.
    func apply(_ changes: SketchChanges, _ namespace: Int64, _ set: RowSet, sum: SetSum) {
        guard !changes.isEmpty,
            let index = kept.index(forKey: ID(namespace: namespace, set: set))
        else { return }
        guard !changes.areTooMany else {
            kept.remove(at: index)
            return
        }
        // In place: a sketch is a quarter of a MiB at most, and an edit changes some hundred bytes of it.
        changes.apply(to: &kept.values[index].sketch)
        kept.values[index].sum = sum
    }
}

/// The rows that a transaction took out of a set or put into it, as far as its kept sketch does not have them yet.
struct SketchChanges {
    /// More cost as much memory as four kept sketches; then the sketch is made anew when it is asked for.
    private static let maxCount = 65_536

    private var rows: [(id: RowID, isNew: Bool)] = []
    /// Whether they are forgotten because they are so many.
    private(set) var areTooMany = false

    var isEmpty: Bool { rows.isEmpty && !areTooMany }

    mutating func append(_ id: RowID, isNew: Bool) {
        guard !areTooMany else { return }
        guard rows.count < SketchChanges.maxCount else {
            areTooMany = true
            rows = []
            return
        }
        rows.append((id, isNew))
    }

    func apply(to sketch: inout Sketch) {
        for (id, isNew) in rows { if isNew { sketch.add(id) } else { sketch.remove(id) } }
    }
}
