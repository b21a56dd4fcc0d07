/// The registry of frame kinds (Spec 03).
///
/// Raw values are the codes on the wire.
public enum FrameKind: UInt8, Hashable, Sendable, CaseIterable {
    case hello = 0x01
    case digest = 0x02
    case reconcileRequest = 0x03
    case reconcileResponse = 0x04
    case syncDelta = 0x05
    case messageOp = 0x06
    case error = 0x07
    case sketchRequest = 0x08
    case sketchResponse = 0x09
    case barrierPropose = 0x0a
    case barrierReport = 0x0b
    case barrierSettle = 0x0c
    case barrierAck = 0x0d
    case barrierCommit = 0x0e
    case pairOffer = 0x0f
    case pairAccept = 0x10
    case roster = 0x11

    /// Whether this version of the wire describes the body; the other numbers are reserved.
    public var isDescribed: Bool {
        switch self {
        case .hello, .digest, .reconcileRequest, .reconcileResponse, .syncDelta, .messageOp, .error,
            .sketchRequest, .sketchResponse:
            true
        default: false
        }
    }

    /// The name used in the specification and in vectors.
    public var name: String {
        switch self {
        case .hello: "hello"
        case .digest: "digest"
        case .reconcileRequest: "reconcile_req"
        case .reconcileResponse: "reconcile_resp"
        case .syncDelta: "sync_delta"
        case .messageOp: "message_op"
        case .error: "error"
        case .sketchRequest: "sketch_req"
        case .sketchResponse: "sketch_resp"
        case .barrierPropose: "barrier_propose"
        case .barrierReport: "barrier_report"
        case .barrierSettle: "barrier_settle"
        case .barrierAck: "barrier_ack"
        case .barrierCommit: "barrier_commit"
        case .pairOffer: "pair_offer"
        case .pairAccept: "pair_accept"
        case .roster: "roster"
        }
    }
}
