public import CenotaphMerge
public import CenotaphWire

/// What a namespace's resolver made of a conflict.
public enum Resolution: Hashable, Sendable {
    /// The body that a read returns.
    case resolved([UInt8])
    /// The resolver was refused: a read returns the value with the greatest stamp, as without one.
    case refused(ResolverError)
}

extension Gate {
    /// Shows conflicts of a causal namespace as the resolver makes them, from the next transaction on; `nil` shows the
    /// values again.
    ///
    /// Nothing is written: rows, digests and frames are the same with and without one.
    /// - Throws: `refused` for an unknown namespace or another policy.
    public func setResolver(
        _ resolver: ConflictResolver?, for name: NamespaceName
    ) throws(GateError) {
        guard let policy = schema[name]?.policy else { throw .refused(.unknownNamespace(name)) }
        guard policy == .causal else { throw .refused(.wrongPolicy(name, policy)) }
        resolvers[name] = resolver
    }
}

extension ReadTransaction {
    /// A live row as its namespace's resolver shows it (Spec MERGE-060).
    func resolved(_ row: LiveRow, in name: NamespaceName) -> LiveRow {
        guard row.values.count > 1, let resolver = gate.resolvers[name] else { return row }
        do throws(ResolverError) {
            return LiveRow(row, .resolved(try resolver.resolve(row.conflict)))
        } catch {
            return LiveRow(row, .refused(error))
        }
    }
}

extension WriteTransaction {
    /// Writes what the namespace's resolver makes of a conflict, over all values that this replica sees (Spec MERGE-063).
    ///
    /// Only an app's call does so; rows that arrive never cause a write. Returns false, and writes nothing, where there is
    /// no conflict, and where all values have equal bodies: so devices that resolve at the same time come to rest.
    /// O(log n) and the resolver's calls.
    /// - Throws: `refused(.unresolved)` with the conflict left as it is; `refused` as for a put; `store`.
    @discardableResult
    public func resolve(_ name: NamespaceName, _ key: Key) throws(GateError) -> Bool {
        let policy = try namespace(name).namespace.policy
        guard policy == .causal else { throw .refused(.wrongPolicy(name, policy)) }
        guard let row = try get(name, key), Set(row.values.map(\.body)).count > 1 else {
            return false
        }
        switch row.resolution {
        case .resolved(let body): try put(name, key, body)
        case .refused(let error): throw .refused(.unresolved(key, error))
        case .none: throw .refused(.unresolved(key, .missing))
        }
        return true
    }
}

extension LiveRow {
    fileprivate init(_ row: LiveRow, _ resolution: Resolution) {
        self.init(key: row.key, values: row.values, resolution: resolution)
    }

    fileprivate var conflict: [ConflictValue] {
        values.compactMap { value in
            value.stamp.map { ConflictValue(stamp: $0, body: value.body) }
        }
    }
}
