public import CenotaphDigest
public import CenotaphMerge
public import CenotaphSeal
public import CenotaphWire

/// Rows, leaves and sums by set: what a peer is answered from.
extension ReadTransaction {
    /// The summary of this snapshot (Spec DIG-008).
    ///
    /// O(namespaces).
    public var summary: ID16 {
        let parts = replicated.map { namespace in
            SummaryPart(
                name: namespace.namespace.name, root: namespace.root,
                knowledge: namespace.knowledge)
        }.sorted { $0.name < $1.name }
        return gate.keys.summary(epoch: state.epoch, parts)
    }

    /// The policy of a replicated namespace, or `nil` if the schema has none of that name.
    public func policy(of name: NamespaceName) -> Policy? {
        gate.schema[name].map(\.policy).flatMap { $0.isReplicated ? $0 : nil }
    }

    /// The root of a namespace (Spec DIG-006).
    ///
    /// O(1).
    /// - Throws: `refused(.unknownNamespace)`.
    public func root(_ name: NamespaceName) throws(GateError) -> Hash256 {
        try namespace(name).root
    }

    /// The secret that the hashes of a namespace begin with.
    /// - Throws: `refused(.unknownNamespace)`.
    public func key(of name: NamespaceName) throws(GateError) -> NamespaceKey {
        try namespace(name).key
    }

    /// The number and sum of the leaves in a range: O(1) for all keys, else one scan of the range.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func sum(
        _ name: NamespaceName, _ set: RowSet, _ range: KeyRange
    ) throws(GateError) -> SetSum {
        if range == .all { return try namespace(name)[set] }
        var sum = SetSum()
        try forEachLeaf(name, set, range) { (_, leaf) in
            sum.add(leaf)
            return true
        }
        return sum
    }

    /// The leaf of a key in a set, or `nil`.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func leaf(
        _ name: NamespaceName, _ set: RowSet, _ key: Key
    ) throws(GateError) -> Hash256? {
        let table = GateTable(store: store, state: try namespace(name))
        return try GateError.wrapping { () throws(StoreError) in try table.find(set, key)?.1.leaf }
    }

    /// The row of a key in a set, or `nil`.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func row(
        _ name: NamespaceName, _ set: RowSet, _ key: Key
    ) throws(GateError) -> Row? {
        let table = GateTable(store: store, state: try namespace(name))
        return try GateError.wrapping { () throws(StoreError) in try table.row(set, key) }
    }

    /// Visits keys and leaves of a range in key order until `visit` returns false.
    /// - Throws: `refused(.unknownNamespace)`, `store`; `corrupt` where all keys are not as many as were counted.
    public func forEachLeaf(
        _ name: NamespaceName, _ set: RowSet, _ range: KeyRange, _ visit: (Key, Hash256) -> Bool
    ) throws(GateError) {
        let namespace = try namespace(name)
        // Whoever describes all keys relies on the count, which was read from the file.
        let expected = range == .all ? namespace[set].count : nil
        var seen: UInt64 = 0
        var isWhole = true
        try GateError.wrapping { () throws(StoreError) in
            let (shelf, other) = namespace.shelves(of: set)
            try store.scanLeaves(namespace.id, shelf, and: other, range) {
                (key, leaf) throws(StoreError) in
                seen += 1
                if let expected, seen > expected { throw .corrupt("count of \(name)") }
                isWhole = visit(key, leaf)
                return isWhole
            }
            if let expected, isWhole, seen < expected { throw .corrupt("count of \(name)") }
        }
    }

    /// Visits rows and leaves of a range in key order until `visit` returns false.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func forEachRow(
        _ name: NamespaceName, _ set: RowSet, _ range: KeyRange, _ visit: (Row, Hash256) -> Bool
    ) throws(GateError) {
        let table = GateTable(store: store, state: try namespace(name))
        try GateError.wrapping { () throws(StoreError) in
            let (shelf, other) = table.state.shelves(of: set)
            try store.scanRows(table.state.id, shelf, and: other, range) {
                (key, stored) throws(StoreError) in
                visit(try table.decode(stored, set, key), stored.leaf)
            }
        }
    }
}
