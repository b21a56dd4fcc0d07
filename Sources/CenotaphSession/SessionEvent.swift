public import CenotaphWire

/// What a session tells its owner beside the frames to send.
public enum SessionEvent: Hashable, Sendable {
    /// The peer said hello and its rows are taken.
    case ready(ReplicaID)
    /// A frame was dropped, and why.
    case dropped(WireError)
    /// Rows were refused because a limit would be exceeded; the peer keeps them.
    case refused(NamespaceName, Key)
    /// The peer refused a frame of ours.
    case peerError(ErrorReport)
    /// The session will exchange nothing more, and why.
    case blocked(ErrorClass, rule: String)
    /// A sketch of the set did not tell what differs; it is pulled by ranges until both hold the same (Spec SYNC-048).
    case sketchFailed(NamespaceName, RowSet)
    /// Every fingerprint of the peer's latest digest equals ours (Spec SYNC-014).
    case agreed
}

/// Counts of what a session did.
public struct SessionCounts: Hashable, Sendable {
    /// Rows that arrived, pieces counted one by one.
    public var rowsReceived = 0
    /// Rows that made the state grow.
    public var rowsMerged = 0
    /// Rows refused because their group is buried (Spec SYNC-024).
    public var rowsBuried = 0
    /// Rows sent.
    public var rowsSent = 0
    /// Requests sent.
    public var requests = 0
    /// The longest chain of frames that each waited for the one before; two make a round trip.
    public var flights = 0

    /// Counts of nothing.
    public init() {}
}
