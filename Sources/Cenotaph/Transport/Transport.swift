public import CenotaphStore
public import CenotaphWire

/// Where a peer is, or where this one listens.
public enum PeerAddress: Hashable, Sendable {
    /// A host name or address, and a port; to listen on port 0 takes a free one.
    case tcp(host: String, port: UInt16)
    /// A Unix-domain socket.
    case unix(path: String)
    /// The fleet's room on a relay that listens at an address of one of the kinds above (Spec 13).
    indirect case relay(at: PeerAddress, token: RelayToken)

    /// The fleet's room on a relay.
    public static func relay(
        host: String, port: UInt16, token: RelayToken = .none
    ) -> PeerAddress {
        .relay(at: .tcp(host: host, port: port), token: token)
    }
}

/// Carries sealed frames both ways between two peers.
///
/// Both directions may be used at the same time.
public protocol Connection: Sendable {
    /// The frames that arrived, at least one; waits for it. Empty once the other end has closed.
    /// - Throws: `PeerError` for an impossible stream or a failed transport.
    func receive() async throws -> [[UInt8]]
    /// Sends frames in order; waits until the transport has taken them.
    /// - Throws: `PeerError`.
    func send(_ frames: [[UInt8]]) async throws
    /// Ends both directions; what waits ends with it.
    func close()
    /// Bytes received and sent so far.
    var traffic: Traffic { get }
}

/// Bytes on a connection, with lengths and seals.
public struct Traffic: Hashable, Sendable {
    /// Bytes received.
    public var received = 0
    /// Bytes sent.
    public var sent = 0

    /// No bytes.
    public init() {}
}

/// Makes connections to one peer.
public protocol Transport: Sendable {
    /// Connects.
    /// - Throws: `PeerError`.
    func connect() async throws -> any Connection
}

/// Why a link ended or could not be made.
public enum PeerError: Error, Hashable, Sendable {
    /// The address names no host or no usable path.
    case badAddress(String)
    /// The system refused, with what was tried and its error number.
    case system(String, errno: Int32)
    /// The stream cannot go on: the rule that its bytes broke (Spec SEAL-020).
    case malformedStream(WireError)
    /// The peer closed the connection.
    case closed
    /// The peer has not said hello for several intervals: it has other keys, or is no peer.
    case noHello
    /// The peer has sent no frame for as long as the link's patience lasts, though its timer should have.
    case silent
    /// The peer has taken nothing of what waits for it for as long as the link's patience lasts.
    case stalled
    /// The peer asks for more than it reads (Spec SYNC-025).
    case flooded
    /// The two cannot exchange rows: the class and the rule (Spec 06).
    case blocked(ErrorClass, rule: String)
    /// The store failed here in a way that may pass: another process held it for too long, or the disk is full.
    case store(StoreError)
    /// The relay refused the connection, or ended it.
    case relay(RelayFailure)
    /// The time given ran out before both agreed.
    case notConverged
}
