import Cenotaph
import CenotaphTesting
import Testing

/// One session over one gate, fed by hand: its peer is the test.
final class LoneSession {
    let keys: FleetKeys
    let gate: Gate
    var session: Session
    let peer: ReplicaID
    private let schema: Hash256
    private let capabilities: UInt64
    /// Every event so far.
    private(set) var events: [SessionEvent] = []

    /// A session whose peer takes sketches if `sketches`, and whose id is the greatest if `peerIsGreater`, the least if
    /// not.
    init(
        schema: Schema = allPolicies, greeted: Bool = true, sketches: Bool = false,
        peerIsGreater: Bool? = nil
    ) throws {
        capabilities = sketches ? 1 : 0
        var random = SeededRandom(seed: 77)
        keys = try FleetKeys.seeded(using: &random)
        gate = try Gate(
            store: MemoryStore(), schema: schema, keys: keys, milliseconds: { 1_000 },
            random: &random)
        peer =
            switch peerIsGreater {
            case nil: .random(using: &random)
            case true?: try #require(ReplicaID(ID16(high: .max, low: .max)))
            case false?: try #require(ReplicaID(ID16(high: 0, low: 1)))
            }
        session = Session(
            SessionIdentity(
                replica: gate.replica, incarnation: gate.incarnation,
                schema: gate.schemaFingerprint))
        self.schema = gate.schemaFingerprint
        #expect(session.start(challenge: .random(using: &random), epoch: .zero).count == 1)
        if greeted { try greet() }
    }

    /// A hello of the peer's.
    func hello(
        versions: ClosedRange<UInt8> = 1...1, schema other: Hash256? = nil
    ) -> FrameBody {
        .hello(
            Hello(
                versions: versions, capabilities: capabilities, schema: other ?? schema,
                incarnation: .zero,
                challenge: ID16(high: 1, low: 1)))
    }

    func greet() throws {
        let answers = try take(hello())
        guard case .digest(.summary)? = answers.first, answers.count == 1 else {
            Issue.record("no summary after a hello: \(answers)")
            return
        }
        #expect(session.peer == peer)
        _ = newEvents()
    }

    /// Hands a frame in, as the peer's unless said otherwise, and returns what is sent back.
    @discardableResult
    func take(
        _ body: FrameBody, from sender: ReplicaID? = nil, to recipient: ID16? = nil,
        epoch: ID16 = .zero
    ) throws -> [FrameBody] {
        let header = FrameHeader(
            sender: sender ?? peer, recipient: recipient ?? gate.replica.id, epoch: epoch)
        let sealed = try Envelope.seal(Frame(header: header, body: body), with: keys)
        return try take(sealed: sealed)
    }

    /// Hands sealed bytes in.
    @discardableResult
    func take(sealed: [UInt8]) throws -> [FrameBody] {
        let answers = try gate.write { transaction in
            try session.receive(
                sealed: sealed, with: keys, GateSnapshot(transaction: transaction))
        }.result
        events += session.takeEvents()
        for answer in answers {
            #expect(answer.header.sender == gate.replica)
            #expect(answer.wireSize <= Limits.maxFrame)
        }
        return answers.map(\.body)
    }

    func tick() throws -> [FrameBody] {
        let answers = try gate.write { session.tick(GateSnapshot(transaction: $0)) }.result
        return answers.map(\.body)
    }

    /// The events since this was last asked.
    func newEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    /// All that the replica holds and knows, in few bytes.
    func summary() throws -> ID16 { try gate.read { $0.summary } }

    /// A full digest that differs from the replica's in every set, as one that holds `count` other rows says it.
    func strangeDigest(count: UInt64 = 1_000) throws -> FrameBody {
        let strange = try gate.read { $0.digests }.map { digest in
            var digest = digest
            digest.live = SetDigest(count: count, fingerprint: Hash256(1, 2, 3, 4))
            digest.tombstones = SetDigest(count: count, fingerprint: Hash256(5, 6, 7, 8))
            return digest
        }
        return .digest(.full(strange))
    }

    /// A row that is new to the replica.
    func row(_ key: Key, _ body: [UInt8] = [1]) throws -> Row {
        let entry = CausalRow.Entry(replica: peer, time: 1, value: body)
        return .causal(try #require(CausalRow(key: key, entries: [entry])))
    }

    /// The live rows of `notes`.
    func count() throws -> Int { try gate.read { try $0.list("notes") }.count }
}
