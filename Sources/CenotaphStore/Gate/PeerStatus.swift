internal import CenotaphMerge
public import CenotaphWire

/// What is known of another replica, as of the last time that both agreed.
public struct PeerStatus: Hashable, Sendable {
    /// The replica.
    public let id: ReplicaID
    /// When both last agreed on something new, by this device's clock, in milliseconds since 1970.
    ///
    /// Agreeing again on the same rows is not noted: rest writes nothing.
    public let agreedAt: UInt64
    /// Namespaces in which this replica has writes that the other one is not known to hold, ascending.
    ///
    /// The other may hold them by now: it is known when both agree again.
    public let pending: [NamespaceName]
}

extension ReadTransaction {
    /// The replicas that this one has ever agreed with, ascending by id, and what each may lack.
    ///
    /// Writes count that this replica made, and those of others that came in by an agreement. O(peers × namespaces), reads
    /// no rows.
    /// - Throws: `store`.
    public func peerStatuses() throws(GateError) -> [PeerStatus] {
        try knownPeers().map { peer, known in
            PeerStatus(
                id: peer, agreedAt: known.agreedAt,
                pending: pending { known.knowledge[$0] ?? VersionVector() })
        }
    }

    /// Namespaces in which this replica made writes that no other replica is known to hold, ascending.
    ///
    /// A lost device would lose them. O(peers × namespaces), reads no rows.
    /// - Throws: `store`.
    public func onlyHere() throws(GateError) -> [NamespaceName] {
        let peers = try knownPeers().map(\.state)
        return replicated.filter { namespace in
            let own = namespace.knowledge[gate.replica]
            return own > 0
                && peers.allSatisfy {
                    ($0.knowledge[namespace.namespace.name]?[gate.replica] ?? 0) < own
                }
        }.map(\.namespace.name).sorted()
    }

    private func pending(
        beyond known: (NamespaceName) -> VersionVector
    ) -> [NamespaceName] {
        replicated.filter { namespace in
            let theirs = known(namespace.namespace.name)
            return namespace.knowledge.entries.contains { $0.time > theirs[$0.replica] }
        }.map(\.namespace.name).sorted()
    }
}
