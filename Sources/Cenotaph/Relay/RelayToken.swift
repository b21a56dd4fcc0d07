public import CenotaphWire

/// What a relay's keeper gave out so that not everyone may use the relay: at most 64 bytes, never printed.
public struct RelayToken: Hashable, Sendable {
    let bytes: [UInt8]

    /// Takes a token; `nil` for more than 64 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= RelayGreeting.maxToken else { return nil }
        self.bytes = bytes
    }

    private init() { bytes = [] }

    /// No token.
    public static let none = RelayToken()
}

extension RelayToken: CustomStringConvertible, CustomReflectable {
    /// Says only that it is one.
    public var description: String { bytes.isEmpty ? "no token" : "a token" }
    /// Shows nothing of it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a connection to a relay ended or could not be made.
public enum RelayFailure: Hashable, Sendable {
    /// The relay did not let it in.
    case refused(RelayStatus)
    /// The relay ended it; the reason is `nil` if it is not known here.
    case ended(RelayReason?)
    /// The relay does not speak, not even when asked.
    case silent
    /// Something that was sent through the relay was lost.
    case stalled
}
