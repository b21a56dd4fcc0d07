import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

extension SimulatedFleet {
    /// Two replicas over the three namespaces, unlinked, that hold the same rows of `notes`.
    ///
    /// An example with a fixed seed: whether a sketch decodes at its first size is chance, and the tests state the path.
    static func pair(rows: Int, bodyBytes: Int = 1) throws -> SimulatedFleet {
        let random = SeededRandom(seed: Environment.number("CENOTAPH_SEED") ?? 1)
        let fleet = try SimulatedFleet(2, schema: allPolicies, random: random)
        try fleet.share(0..<rows, bodyBytes: bodyBytes)
        return fleet
    }

    /// Puts the same rows of `notes` on every replica, without a link; dead ones if they have no bodies.
    func share(_ numbers: Range<Int>, bodyBytes: Int? = 1) throws {
        let writer = try #require(ReplicaID(ID16(high: 1, low: 1)))
        let rows = try numbers.map { number in
            let body = bodyBytes.map { [UInt8](repeating: UInt8(number & 255), count: $0) }
            let entry = CausalRow.Entry(replica: writer, time: UInt64(number + 1), value: body)
            return Row.causal(try #require(CausalRow(key: Key("\(number)"), entries: [entry])))
        }
        for replica in replicas.indices { try take(rows, replica) }
    }

    /// Merges rows of `notes` on one replica.
    func take(_ rows: [Row], _ replica: Int) throws {
        _ = try replicas[replica].gate.write { try $0.merge("notes", rows) }
    }

    /// What was sent while recording, and who sent it.
    var said: [(sender: Int, body: FrameBody)] {
        recorded.compactMap { sent in frame(in: sent.sealed).map { (sent.sender, $0.body) } }
    }

    /// The questions by sketch, and who asked.
    var sketchQuestions: [(sender: Int, question: SketchRequest.Question)] {
        said.compactMap { sender, body in
            if case .sketchRequest(let request) = body { (sender, request.question) } else { nil }
        }
    }

    /// The answers to sketches that are no rows.
    var sketchAnswers: [SketchResponse.Answer] {
        said.compactMap { _, body in
            if case .sketchResponse(let response) = body { response.answer } else { nil }
        }
    }

    /// The requests by ranges, and who asked.
    var rangeRequests: [(sender: Int, request: ReconcileRequest)] {
        said.compactMap { sender, body in
            if case .reconcileRequest(let request) = body { (sender, request) } else { nil }
        }
    }

    /// Whether a session reported that a sketch failed.
    var hasFailedSketch: Bool {
        events.contains { if case .sketchFailed = $0.event { true } else { false } }
    }
}

extension LoneSession {
    /// Puts rows of `notes` into the store.
    func fill(_ count: Int) throws {
        _ = try gate.write { tx in
            for number in 0..<count { try tx.put("notes", Key("own \(number)"), [1]) }
        }
    }

    /// The sketch of the live set of `notes` with more ids in it: a peer's that holds all that is held here, and more.
    func sketch(with ids: [RowID] = [], size: Int) throws -> Sketch {
        var sketch = try gate.read { try $0.sketch("notes", .live, size: size) }
        for id in ids { sketch.add(id) }
        return sketch
    }

    /// A full digest that differs in the live set of `notes` alone.
    func differingDigest(count: UInt64) throws -> FrameBody {
        var digests = try gate.read { $0.digests }
        for index in digests.indices where digests[index].name == "notes" {
            digests[index].live = SetDigest(count: count, fingerprint: Hash256(1, 2, 3, 4))
        }
        return .digest(.full(digests))
    }

    /// A question about the live set of `notes`.
    func ask(
        _ question: SketchRequest.Question, request: UInt64 = 1, of name: NamespaceName = "notes"
    ) -> FrameBody {
        .sketchRequest(
            SketchRequest(request: request, namespace: name, set: .live, question))
    }

    /// An answer about the live set of `notes`.
    func reply(_ answer: SketchResponse.Answer, to request: UInt64, count: UInt64) -> FrameBody {
        .sketchResponse(
            SketchResponse(
                request: request, namespace: "notes", set: .live, count: count, answer))
    }

    /// The requests by sketch among frames.
    func sketchRequests(_ bodies: [FrameBody]) -> [SketchRequest] {
        bodies.compactMap { if case .sketchRequest(let request) = $0 { request } else { nil } }
    }

    /// The requests by ranges among frames.
    func rangeRequests(_ bodies: [FrameBody]) -> [ReconcileRequest] {
        bodies.compactMap { if case .reconcileRequest(let request) = $0 { request } else { nil } }
    }

    /// Ids that no row here has.
    static func ids(_ count: Int, from first: UInt64 = 1) -> [RowID] {
        (0..<UInt64(count)).map { RowID((first + $0) &* 0x1234_5678_9abd) }
    }
}
