public import CenotaphStore
public import CenotaphWire

/// What a replica waits for, and what stands in its way.
public struct ReplicaStatus: Hashable, Sendable {
    /// Why something does not go on by itself.
    public enum Obstacle: Hashable, Sendable {
        /// A link to that peer ended for good, with the class and the rule of the refusal.
        case blocked(ReplicaID, ErrorClass, rule: String)
        /// A peer has this replica's own id: one is a copy of the other, and copies lose each other's writes.
        case copied
        /// The store failed while rows were exchanged; the link tries again by itself if the failure may pass.
        case store(StoreError)
        /// So many rows that arrived were refused and are kept (`ReadTransaction.parked`).
        case parked(rows: Int)
        /// So many events hold back deletes until they are approved or undone.
        case heldDeletes(events: Int)
    }

    /// The replicas that this one has ever agreed with, ascending by id.
    public let peers: [PeerStatus]
    /// Replicas with an open link.
    public let linked: Set<ReplicaID>
    /// Namespaces with writes of this replica that no other one is known to hold, ascending.
    public let onlyHere: [NamespaceName]
    /// What stands in the way.
    public let obstacles: [Obstacle]

    /// Whether every replica that is known holds all that this one holds, and nothing stands in the way.
    public var isAtRest: Bool {
        onlyHere.isEmpty && obstacles.isEmpty && peers.allSatisfy(\.pending.isEmpty)
    }
}
