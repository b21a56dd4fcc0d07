public import CenotaphMerge
internal import CenotaphStore
public import CenotaphWire

/// Conflicts of causal rows: every value stays readable, and a resolver may show them as one.
extension Replica {
    /// Shows conflicts of a causal namespace as the resolver makes them; `nil` shows the values again.
    ///
    /// See `ConflictResolver` for what it may do. Register it after opening, before reading: nothing is written, no change
    /// is reported, and devices without it stay in step. Where the resolver is refused, `LiveRow.resolution` says why and
    /// the row reads as without one.
    /// - Throws: `GateError.refused` for an unknown namespace or another policy.
    public func setResolver(
        _ resolver: ConflictResolver?, for namespace: NamespaceName
    ) throws { try gate.setResolver(resolver, for: namespace) }

    /// Writes what the namespace's resolver makes of a conflict, so that devices without it read the same.
    ///
    /// See `WriteTransaction.resolve(_:_:)`. Returns whether anything was written.
    /// - Throws: `GateError`; `refused(.unresolved)` leaves the conflict as it is.
    @discardableResult
    public func resolve(_ namespace: NamespaceName, _ key: Key) throws -> Bool {
        try write { try $0.resolve(namespace, key) }
    }
}
