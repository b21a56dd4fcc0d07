public import CenotaphDigest
public import CenotaphWire

/// Sketches of sets, and rows by their places (Spec 12).
extension ReadTransaction {
    /// The first cells of a set's sketch, 1 to `Limits.maxCells`, and its counters.
    ///
    /// O(cells) for what the gate keeps: up to about two cells a row and 16,384 in all. More cells, and the first
    /// sketch of a set after its store was opened or was written by another process, take one scan of the leaves.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func sketch(
        _ name: NamespaceName, _ set: RowSet, size: Int
    ) throws(GateError) -> Sketch {
        let namespace = try namespace(name)
        let changes = sketchChanges(namespace, set)
        if let changes, !changes.areTooMany,
            var sketch = gate.sketches.sketch(namespace.id, set, size: size)
        {
            changes.apply(to: &sketch)
            return sketch
        }
        let most = max(
            size, KeptSketches.size(forRows: namespace[set].count, asked: size))
        var sketch = Sketch(size: most)
        try forEachLeaf(name, set, .all) { (key, leaf) in
            sketch.add(RowID(place: namespace.key.place(of: key), leaf: leaf))
            return true
        }
        // One that is right stays, rather than be replaced by a larger one than is kept.
        if most <= KeptSketches.maxCells || changes?.areTooMany ?? true {
            gate.sketches.keep(
                sketch.prefix(min(most, KeptSketches.maxCells)), namespace.id, set,
                sum: namespace[set])
            noteKept(name, set)
        }
        return sketch.prefix(size)
    }

    /// The keys and leaves of the rows whose keys have a place, 24 bits, ascending by key.
    ///
    /// O(log n + rows).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func rows(
        _ name: NamespaceName, _ set: RowSet, place: UInt32
    ) throws(GateError) -> [(Key, Hash256)] {
        let namespace = try namespace(name)
        let (shelf, other) = namespace.shelves(of: set)
        // A store that can only be read may still lack the places of an older format.
        if store.isReadOnly, try !isPlaced(name) {
            var rows: [(Key, Hash256)] = []
            try forEachLeaf(name, set, .all) { (key, leaf) in
                if namespace.key.place(of: key) == place { rows.append((key, leaf)) }
                return true
            }
            return rows
        }
        return try GateError.wrapping { () throws(StoreError) -> [(Key, Hash256)] in
            let rows = try store.leaves(namespace.id, shelf, place: place)
            guard let other else { return rows }
            let others = try store.leaves(namespace.id, other, place: place)
            return others.isEmpty ? rows : (rows + others).sorted { $0.0 < $1.0 }
        }
    }

    private func isPlaced(_ name: NamespaceName) throws(GateError) -> Bool {
        try GateError.wrapping { () throws(StoreError) in
            try store.record(NamespaceState.unplacedName(name)) == nil
        }
    }
}
