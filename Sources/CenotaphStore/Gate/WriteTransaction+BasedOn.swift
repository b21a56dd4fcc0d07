internal import CenotaphMerge
public import CenotaphWire

extension ReadTransaction {
    /// What this replica holds of a key, dead or alive, or `nil` if it was never written.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func version(_ name: NamespaceName, _ key: Key) throws(GateError) -> RowVersion? {
        try row(inEitherSet: key, name).map { RowVersion(of: $0) }
    }

    func row(inEitherSet key: Key, _ name: NamespaceName) throws(GateError) -> Row? {
        let table = GateTable(store: store, state: try namespace(name))
        return try GateError.wrapping { () throws(StoreError) in try table.row(inEitherSet: key) }
    }
}

/// Writes of authors that have not seen all that this replica holds: open editors, files, an app's own tables.
extension WriteTransaction {
    /// What may become of a dead row, and of a value that this replica wrote and the author has not seen.
    struct Allowing: OptionSet {
        let rawValue: Int
        static let reviving = Allowing(rawValue: 1)
        static let losingOwnValue = Allowing(rawValue: 2)
    }

    /// Writes a body over what `base` has seen of the key (Spec MERGE-017).
    ///
    /// Under `causal`, values that arrived since stay as conflicts. Under `lastWriter` the write wins over all that
    /// is here. O(log n).
    /// - Throws: `refused` for a dead key, a value of this replica's own that `base` has not seen, a limit, another
    ///   policy; `store`.
    public func put(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], basedOn base: RowVersion
    ) throws(GateError) {
        _ = try put(name, key, body, basedOn: base, allowing: [])
    }

    /// Writes a body over what `base` has seen of the key, whether the key is live, dead or unknown.
    ///
    /// For an edit that was made before its author saw the deletion: an explicit way back, as `revive` is. O(log n).
    /// - Throws: as `put` does, but not for a dead key.
    public func revive(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], basedOn base: RowVersion
    ) throws(GateError) {
        _ = try put(name, key, body, basedOn: base, allowing: .reviving)
    }

    /// Deletes what `base` has seen of the key (Spec MERGE-017).
    ///
    /// Under `lastWriter`, only a row whose write `base` has seen. If nothing live is left of the row, its children go with
    /// it. Returns whether `base` had seen anything live. O(log n) for each.
    /// - Throws: `refused` for another policy; `store`.
    @discardableResult
    public func delete(
        _ name: NamespaceName, _ key: Key, basedOn base: RowVersion
    ) throws(GateError) -> Bool {
        switch try editable(name, key) {
        case .causal(let row):
            guard let row, row.values.contains(where: { base.includes($0.stamp) }) else {
                return false
            }
            guard !row.hasUnseenValue(of: gate.replica, base) else {
                throw .refused(.unseenOwnValue(key))
            }
            if row.values.allSatisfy({ base.includes($0.stamp) }) {
                try deleteChildren(of: key, in: name)
            }
            let stamp = try nextStamp(over: row, key)
            try writeLocally(name, .causal(row.deleting(at: stamp, having: base.seen)))
            return true
        case .lastWriter(let row):
            guard let row, row.value != nil, base.includes(row.stamp) else { return false }
            return try delete(name, key)
        case .derived: return try delete(name, key)
        }
    }

    /// Writes over what `base` has seen, and returns what the author has seen then.
    func put(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], basedOn base: RowVersion,
        allowing: Allowing
    ) throws(GateError) -> RowVersion {
        try check(body)
        try checkParent(of: key, in: name)
        let row = try editable(name, key)
        if row.isDead, !allowing.contains(.reviving) { throw .refused(.rowDeleted(key)) }
        guard case .causal(let held) = row else {
            try allowing.contains(.reviving) ? revive(name, key, body) : put(name, key, body)
            return try version(name, key) ?? base
        }
        if !allowing.contains(.losingOwnValue), held?.hasUnseenValue(of: gate.replica, base) == true
        {
            throw .refused(.unseenOwnValue(key))
        }
        let stamp = try nextStamp(over: held, key)
        let new = CausalRow.putting(body, at: stamp, key: key, over: held, having: base.seen)
        try writeLocally(name, .causal(new))
        return base.adding(stamp)
    }

    /// Writes a body over what `base` has seen of a live row, and returns what the author has seen then.
    ///
    /// Returns `nil`, and writes nothing, if the row is not live: this write cannot insert or revive.
    public func update(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], basedOn base: RowVersion
    ) throws(GateError) -> RowVersion? {
        guard try get(name, key) != nil else { return nil }
        return try put(name, key, body, basedOn: base, allowing: .losingOwnValue)
    }
}

extension CausalRow {
    /// Whether the replica's own entry has a value that `base` has not seen, and that a write of it would replace.
    fileprivate func hasUnseenValue(of replica: ReplicaID, _ base: RowVersion) -> Bool {
        entries.contains { $0.replica == replica && $0.value != nil && !base.includes($0.stamp) }
    }
}
