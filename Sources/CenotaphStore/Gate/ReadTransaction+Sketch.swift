public import CenotaphDigest
public import CenotaphWire

/// Sketches of sets, and rows by their places (Spec 12).
extension ReadTransaction {
    /// The first cells of a set's sketch, 1 to `Limits.maxCells`, and its counters.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func sketch(
        _ name: NamespaceName, _ set: RowSet, size: Int
    ) throws(GateError) -> Sketch {
        let key = try key(of: name)
        var sketch = Sketch(size: size)
        try forEachLeaf(name, set, .all) { (rowKey, leaf) in
            sketch.add(RowID(place: key.place(of: rowKey), leaf: leaf))
            return true
        }
        return sketch
    }

    /// The keys and leaves of the rows whose keys have a place, 24 bits.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func rows(
        _ name: NamespaceName, _ set: RowSet, place: UInt32
    ) throws(GateError) -> [(Key, Hash256)] {
        let key = try key(of: name)
        var rows: [(Key, Hash256)] = []
        try forEachLeaf(name, set, .all) { (rowKey, leaf) in
            if key.place(of: rowKey) == place { rows.append((rowKey, leaf)) }
            return true
        }
        return rows
    }
}
