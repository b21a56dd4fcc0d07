/// What a client says first to a relay (Spec 13, "Opening").
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | magic |
/// | 4 | 1 | version |
/// | 5 | 16 | room |
/// | 21 | 1 to 65 | token with its length |
public struct RelayGreeting: Hashable, Sendable {
    /// The first bytes of every greeting.
    public static let magic: [UInt8] = [0x43, 0x6e, 0x52, 0x6c]
    /// The version that is spoken here.
    public static let version: UInt8 = 1
    /// Longest token, in bytes.
    public static let maxToken = 64

    /// The room to enter.
    public var room: ID16
    /// What the relay's keeper gave out; empty if nothing.
    public var token: [UInt8]

    /// Makes a greeting; `nil` for a token of more than 64 bytes.
    public init?(room: ID16, token: [UInt8] = []) {
        guard token.count <= RelayGreeting.maxToken else { return nil }
        self.room = room
        self.token = token
    }

    /// The bytes of the greeting.
    public var encoded: [UInt8] {
        RelayGreeting.magic + [RelayGreeting.version] + room.encoded()
            + [UInt8(truncatingIfNeeded: token.count)] + token
    }

    /// What the bytes so far are the beginning of.
    public enum Reading: Hashable, Sendable {
        /// More must come.
        case unfinished
        /// A greeting in a version that is not spoken here.
        case otherVersion
        /// A whole greeting, and how many bytes it has.
        case whole(RelayGreeting, size: Int)
    }

    /// Reads a greeting from the front of what came so far, each field as soon as it is there.
    ///
    /// O(greeting).
    /// - Throws: `unexpected` for another magic, `range` for the token's length (Spec RELAY-003).
    public static func read(_ bytes: some Collection<UInt8>) throws(WireError) -> Reading {
        let front = Array(bytes.prefix(magic.count + 18 + maxToken))
        guard magic.starts(with: front.prefix(magic.count)) else {
            throw WireError(.unexpected, .relayGreeting)
        }
        guard front.count > magic.count else { return .unfinished }
        guard front[magic.count] == version else { return .otherVersion }
        let tokenAt = magic.count + 18
        guard front.count >= tokenAt else { return .unfinished }
        let length = Int(front[tokenAt - 1])
        guard length <= maxToken else {
            throw WireError(.range, .relayGreeting, at: tokenAt - 1)
        }
        guard front.count >= tokenAt + length else { return .unfinished }
        let room = front[magic.count + 1..<tokenAt - 1]
        guard
            let greeting = RelayGreeting(
                room: ID16(high: bigEndian(room.prefix(8)), low: bigEndian(room.suffix(8))),
                token: Array(front[tokenAt..<tokenAt + length]))
        else { throw WireError(.range, .relayGreeting, at: tokenAt - 1) }
        return .whole(greeting, size: tokenAt + length)
    }

    private static func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A relay's answer to a greeting (Spec RELAY-004).
public enum RelayStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// Records follow.
    case accepted = 0
    /// The relay does not speak the greeting's version.
    case version
    /// The token is none that the relay knows.
    case token
    /// There is no place for another connection.
    case full
    /// The room is entered too often.
    case rate
    /// The relay is being shut down.
    case stopping
}
