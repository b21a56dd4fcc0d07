public import CenotaphWire

/// What a relay did and holds, in numbers.
public struct RelayReport: Hashable, Sendable {
    /// Connections that are open.
    public var connections = 0
    /// Rooms that have one.
    public var rooms = 0
    /// Bytes held in all.
    public var held = 0
    /// Connections that came.
    public var opened: UInt64 = 0
    /// Connections that came into a room.
    public var entered: UInt64 = 0
    /// Greetings that were answered with another status than 0, by status.
    public var refused: [RelayStatus: UInt64] = [:]
    /// Connections that were turned away before a greeting, for want of a place.
    public var turnedAway: UInt64 = 0
    /// Connections that the relay ended, by reason.
    public var ended: [RelayReason: UInt64] = [:]
    /// Frames passed on.
    public var frames: UInt64 = 0
    /// Their bytes.
    public var frameBytes: UInt64 = 0
    /// Frames for a number that nobody had.
    public var dropped: UInt64 = 0
    /// Whether the relay is being shut down.
    public var isStopping = false

    /// Nothing yet.
    public init() {}
}

/// What a relay tells its log.
public enum RelayEvent: Hashable, Sendable {
    /// A connection came.
    case opened(ConnectionID)
    /// There was no place for a connection.
    case turnedAway
    /// A connection came into a room.
    case entered(ConnectionID, room: ID16, number: UInt32)
    /// A greeting was refused.
    case refused(ConnectionID, RelayStatus)
    /// The relay ended a connection.
    case ended(ConnectionID, RelayReason)
    /// A connection is gone.
    case left(ConnectionID)
}
