internal import CenotaphMerge
public import CenotaphWire

/// Rows that belong to a parent row (Spec 07, "Parents").
extension WriteTransaction {
    /// Checks that a local write of a child has a parent that is not deleted.
    func checkParent(of key: Key, in name: NamespaceName) throws(GateError) {
        guard let parentName = try namespace(name).namespace.parent else { return }
        guard let parent = key.parent else { throw .refused(.keyWithoutParent(key)) }
        guard try row(parentName, .tombstones, parent) == nil else {
            throw .refused(.parentDeleted(parent))
        }
    }

    /// Deletes every child of the key that this replica sees, and theirs, each with a tombstone of its own.
    func deleteChildren(of key: Key, in name: NamespaceName) throws(GateError) {
        for child in gate.schema.namespaces where child.parent == name {
            var keys: [Key] = []
            try forEachLeaf(child.name, .live, key.childRange) { key, _ in
                keys.append(key)
                return true
            }
            for key in keys { try delete(child.name, key) }
        }
    }
}

extension ReadTransaction {
    /// The live children whose parent is deleted or was never seen, ascending by key.
    ///
    /// A child that was written while its parent was deleted elsewhere survives as an orphan; it never brings the
    /// parent back. O(n log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func orphans(_ name: NamespaceName) throws(GateError) -> [Key] {
        guard let parentName = try namespace(name).namespace.parent else { return [] }
        var keys: [Key] = []
        try forEachLeaf(name, .live, .all) { key, _ in
            keys.append(key)
            return true
        }
        var orphans: [Key] = []
        for key in keys {
            let parent = try key.parent.flatMap { (parent) throws(GateError) in
                try row(parentName, .live, parent)
            }
            if parent == nil { orphans.append(key) }
        }
        return orphans
    }
}
