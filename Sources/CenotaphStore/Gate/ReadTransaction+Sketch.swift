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

    /// Visits the rows of a set whose keys have one of some places, 24 bits, with their ids, in key order until `visit`
    /// returns false.
    ///
    /// Cheapest for places that ascend, each once. O(log n) for each place and each row.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func forEachRow(
        _ name: NamespaceName, _ set: RowSet, places: [UInt32], _ visit: (Row, RowID) -> Bool
    ) throws(GateError) {
        let table = GateTable(store: store, state: try namespace(name))
        for (key, place) in try keys(name, set, places: places) {
            let found = try GateError.wrapping { () throws(StoreError) -> (Row, RowID)? in
                // A place is of the key, whichever set the key is in.
                guard let (_, stored) = try table.find(set, key) else { return nil }
                return (
                    try table.decode(stored, set, key), RowID(place: place, leaf: stored.leaf)
                )
            }
            if let (row, id) = found, !visit(row, id) { return }
        }
    }

    /// The keys that have one of some places, in order; those of the other set may be among them.
    package func keys(
        _ name: NamespaceName, _ set: RowSet, places: [UInt32]
    ) throws(GateError) -> [(key: Key, place: UInt32)] {
        let namespace = try namespace(name)
        // A store that can only be read may still lack the places of an older format.
        if store.isReadOnly, try !isPlaced(name) {
            let places = Set(places)
            var keys: [(key: Key, place: UInt32)] = []
            try forEachLeaf(name, set, .all) { (key, _) in
                let place = namespace.key.place(of: key)
                if places.contains(place) { keys.append((key, place)) }
                return true
            }
            return keys
        }
        let keys = try GateError.wrapping { () throws(StoreError) in
            try store.keys(namespace.id, places: places)
        }
        return keys.map(\.key).ascending.map { keys[$0] }
    }

    private func isPlaced(_ name: NamespaceName) throws(GateError) -> Bool {
        try GateError.wrapping { () throws(StoreError) in
            try store.record(NamespaceState.unplacedName(name)) == nil
        }
    }
}
