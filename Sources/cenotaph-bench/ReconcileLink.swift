import Cenotaph
import CenotaphSession
import CenotaphStore
import CenotaphWire

/// Two sessions over two gates, whose frames all fly at once: half a round trip is a flight.
final class ReconcileLink {
    /// What the exchange took.
    struct Cost {
        /// Bytes of sketch frames, and of range frames without the rows in them; both sides.
        var discovery = 0
        /// The same frames sealed, less the rows.
        var sealed = 0
        /// Bytes of all other frames: hello, digests; both sides.
        var greeting = 0
        /// Those of the summaries among them.
        var summaries = 0
        /// Rows sent.
        var rows = 0
        /// Round trips in which a sketch or a range was asked about and answered.
        var roundTrips = 0
        /// Whether ranges were needed.
        var isByRanges = false
    }

    private let gates: [Gate]
    private var sessions: [Session]
    private var cost = Cost()

    init(_ first: Gate, _ second: Gate) {
        gates = [first, second]
        sessions = gates.map { gate in
            Session(
                SessionIdentity(
                    replica: gate.replica, incarnation: gate.incarnation,
                    schema: gate.schemaFingerprint))
        }
    }

    /// Greets, reconciles and comes to rest.
    func run() throws -> Cost {
        var flying: [(to: Int, frame: Frame)] = []
        for side in 0...1 {
            let challenge = ID16(high: 1, low: UInt64(side))
            let hello = sessions[side].start(challenge: challenge, epoch: .zero)
            flying += hello.map { (1 - side, $0) }
        }
        while !flying.isEmpty {
            if flying.contains(where: { $0.frame.body.isQuestion }) { cost.roundTrips += 1 }
            var next: [(to: Int, frame: Frame)] = []
            for (side, frame) in flying {
                try count(frame)
                let answers = try gates[side].write { tx in
                    try sessions[side].receive(frame, GateSnapshot(transaction: tx))
                }.result
                next += answers.map { (1 - side, $0) }
            }
            flying = next
        }
        return cost
    }

    private func count(_ frame: Frame) throws {
        let plain = frame.encoded().count
        let sealed = try Envelope.seal(frame, with: gates[0].keys).count
        var rows = 0
        switch frame.body {
        case .reconcileResponse(var delta), .syncDelta(var delta):
            cost.rows += delta.rows.count
            delta.rows = []
            rows = plain - Frame(header: frame.header, body: .syncDelta(delta)).encoded().count
        case .reconcileRequest: cost.isByRanges = true
        case .sketchRequest, .sketchResponse: break
        case .hello, .digest, .error, .messageOp:
            cost.greeting += plain
            if case .digest(.summary) = frame.body { cost.summaries += plain }
            return
        }
        cost.discovery += plain - rows
        cost.sealed += sealed - rows
    }
}

extension FrameBody {
    /// Whether the frame asks what differs, rather than for rows that are known to differ.
    var isQuestion: Bool {
        switch self {
        case .sketchRequest(let request):
            if case .rows = request.question { false } else { true }
        case .reconcileRequest: true
        default: false
        }
    }
}
