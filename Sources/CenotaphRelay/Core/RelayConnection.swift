internal import CenotaphWire

/// The number of a connection within a relay, never given twice.
public struct ConnectionID: Hashable, Sendable, Comparable {
    /// The number.
    public let value: UInt64

    /// The order of their coming.
    public static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.value < b.value }
}

/// One connection as the relay sees it.
final class RelayConnection {
    enum Phase {
        /// The greeting is not whole yet; what came of it.
        case greeting([UInt8])
        case member(room: ID16, number: UInt32)
        /// The relay sends what waits, until that time, and reads nothing more.
        case closing(until: UInt64)
    }

    let id: ConnectionID
    var phase: Phase
    var input = RelayDeframer(longestNotice: RelayNotice.longestToRelay)
    var queue = SendQueue()
    /// Bytes under way from here, by the number they go to (Spec RELAY-018).
    var underWay: [UInt32: Int] = [:]
    var bytes: TokenBucket
    var records: TokenBucket
    /// Since when more records come than may.
    var floodSince: UInt64?
    /// When it came, or its last whole record did.
    var lastRecord: UInt64
    /// When the queue last was empty or became shorter.
    var lastSent: UInt64
    /// Bytes of it that were counted into what the relay holds.
    var counted = 0

    init(_ id: ConnectionID, _ bounds: RelayBounds, at now: UInt64) {
        self.id = id
        phase = .greeting([])
        bytes = TokenBucket(bounds.bytes, at: now)
        records = TokenBucket(bounds.records, at: now)
        (lastRecord, lastSent) = (now, now)
    }

    /// Bytes that it makes the relay hold.
    var held: Int { input.held + queue.count }

    /// When it may be read again.
    var readableAt: UInt64 { max(bytes.readyAt, records.readyAt) }

    var isClosing: Bool {
        if case .closing = phase { return true }
        return false
    }
}

/// The connections under one name.
struct RelayRoom {
    var members: [UInt32: ConnectionID] = [:]
    /// The number that the next connection gets.
    var next: UInt32 = 1
    var entries: TokenBucket
}
