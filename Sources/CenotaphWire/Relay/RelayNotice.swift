/// What a relay and a client tell each other beside frames (Spec 13, "Records").
public enum RelayNotice: Hashable, Sendable {
    /// The numbers that are in the room, ascending.
    case members([UInt32])
    /// A connection came.
    case arrived(UInt32)
    /// A connection went.
    case departed(UInt32)
    /// A client is there.
    case ping
    /// The relay is there.
    case pong
    /// The relay ends the connection.
    case closing(RelayReason?)
    /// Frames of so many bytes from, or to, that number were dealt with.
    case taken(UInt32, bytes: UInt32)

    /// Most connections of a room.
    public static let maxRoom = 4_096
    /// Longest notice to a relay, in bytes.
    public static let longestToRelay = 9
    /// Longest notice to a client, in bytes.
    public static let longestToClient = 1 + 4 * (maxRoom - 1)

    /// The notice as a whole record.
    public var record: RelayRecord { RelayRecord(number: 0, payload: payload) }

    /// The bytes of the notice.
    public var payload: [UInt8] {
        switch self {
        case .members(let numbers): [1] + numbers.flatMap { RelayRecord.bytes($0) }
        case .arrived(let number): [2] + RelayRecord.bytes(number)
        case .departed(let number): [3] + RelayRecord.bytes(number)
        case .ping: [4]
        case .pong: [5]
        case .closing(let reason): [6, reason?.rawValue ?? 0]
        case .taken(let number, let bytes):
            [7] + RelayRecord.bytes(number) + RelayRecord.bytes(bytes)
        }
    }

    /// Reads a notice.
    ///
    /// A reason that is not known here is `nil`. O(n).
    /// - Throws: `type` for another kind, `range` for another length or a zero, `order` or `duplicate` for members that
    ///   do not ascend (Spec RELAY-009, RELAY-013).
    public init(_ payload: some Collection<UInt8>) throws(WireError) {
        let rest = Array(payload.dropFirst())
        func numbers(_ count: Int) throws(WireError) -> [UInt32] {
            guard rest.count == 4 * count else { throw WireError(.range, .relayLength, at: 1) }
            return (0..<count).map { RelayRecord.number(rest[(4 * $0)..<(4 * $0 + 4)]) }
        }
        switch payload.first {
        case 1:
            let found = try numbers(rest.count / 4)
            var last: UInt32?
            for (index, number) in found.enumerated() {
                let at = 1 + 4 * index
                guard number != 0 else { throw WireError(.range, .relayNotice, at: at) }
                guard number != last else { throw WireError(.duplicate, .relayNotice, at: at) }
                guard number > last ?? 0 else { throw WireError(.order, .relayNotice, at: at) }
                last = number
            }
            self = .members(found)
        case 2: self = .arrived(try numbers(1)[0])
        case 3: self = .departed(try numbers(1)[0])
        case 4, 5:
            _ = try numbers(0)
            self = payload.first == 4 ? .ping : .pong
        case 6:
            guard let reason = rest.first, rest.count == 1 else {
                throw WireError(.range, .relayLength, at: 1)
            }
            self = .closing(RelayReason(rawValue: reason))
        case 7:
            let pair = try numbers(2)
            guard pair[1] > 0 else { throw WireError(.range, .relayNotice, at: 5) }
            self = .taken(pair[0], bytes: pair[1])
        default: throw WireError(.type, .relayNotice)
        }
    }
}

/// Why a relay ends a connection (Spec RELAY-015).
public enum RelayReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The relay is being shut down.
    case stopping = 1
    /// The bytes are no records.
    case malformed
    /// No whole record came for too long.
    case idle
    /// The client does not read what is sent to it.
    case slow
    /// More records came, for longer, than the relay takes.
    case flood
    /// More was sent to one number than the window allows.
    case window
    /// The relay holds too much.
    case full
}
