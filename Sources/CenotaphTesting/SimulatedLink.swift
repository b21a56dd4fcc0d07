public import Cenotaph

/// One end of a simulated link: the session there and the sealed frames on their way to it.
struct LinkEnd {
    let replica: Int
    var session: Session
    /// Frames that arrive, first to last.
    var incoming: [[UInt8]] = []
    /// Frames that wait for the next round.
    var late: [[UInt8]] = []
}

/// A link between two replicas of a simulated fleet.
public final class SimulatedLink {
    /// The numbers of the two replicas.
    public let replicas: (first: Int, second: Int)
    /// What befalls the frames from now on.
    public var faults: LinkFaults
    /// Whether frames are carried.
    public internal(set) var isOpen = false
    /// Which frames are carried at all; asked once for each frame as it is sent.
    public var carries: (RecordedFrame) -> Bool = { _ in true }
    var ends: [LinkEnd] = []

    init(_ first: Int, _ second: Int, _ faults: LinkFaults) {
        replicas = (first, second)
        self.faults = faults
    }

    /// The side of a replica on this link, or `nil`.
    func side(of replica: Int) -> Int? { ends.firstIndex { $0.replica == replica } }

    /// Whether both ends hold that they agree.
    public var isAgreed: Bool { isOpen && ends.allSatisfy(\.session.isAgreed) }

    /// Whether an end refuses to exchange anything.
    public var isBlocked: Bool { ends.contains(where: \.session.isBlocked) }

    /// Frames on their way, those that wait for the next round included.
    public var inFlight: Int { ends.reduce(0) { $0 + $1.incoming.count + $1.late.count } }

    /// What a replica's session on this link did since it was opened.
    public func counts(of replica: Int) -> SessionCounts? {
        side(of: replica).map { ends[$0].session.counts }
    }
}

/// What went over all links of a fleet.
public struct SimulatedTraffic: Hashable, Sendable {
    /// Frames sent, by kind.
    public var frames: [FrameKind: Int] = [:]
    /// Rows in them, pieces counted one by one.
    public var rows = 0
    /// Sealed bytes.
    public var bytes = 0

    /// No traffic.
    public init() {}

    mutating func count(_ frame: Frame, sealed: Int) {
        frames[frame.body.kind, default: 0] += 1
        bytes += sealed
        switch frame.body {
        case .reconcileResponse(let delta), .syncDelta(let delta): rows += delta.rows.count
        case .hello, .digest, .reconcileRequest, .messageOp, .error, .sketchRequest,
            .sketchResponse:
            break
        }
    }
}

/// A sealed frame that was sent once and may be sent again.
public struct RecordedFrame: Hashable, Sendable {
    /// The number of the replica that sent it.
    public let sender: Int
    /// The number of the replica that it was sent to.
    public let recipient: Int
    /// The sealed frame.
    public let sealed: [UInt8]
}

/// A row that a local write made.
public struct WrittenRow: Hashable, Sendable {
    /// The number of the replica that wrote.
    public let replica: Int
    /// The namespace.
    public let namespace: NamespaceName
    /// The row right after the write.
    public let row: Row
}

/// What a session reported.
public struct SimulatedEvent: Hashable, Sendable {
    /// The number of the replica whose session it is.
    public let replica: Int
    /// The number of the replica at the other end.
    public let peer: Int
    /// The event.
    public let event: SessionEvent
}
