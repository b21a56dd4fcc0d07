import Cenotaph
import CenotaphDigest
import Testing

/// Whoever connects to a server, with or without the fleet's keys, harms nobody else.
@Suite(.timeLimit(.minutes(10))) struct HostileClientTests {
    private let keys = FleetKeys.generate()

    private func replica() throws -> Replica { try .inMemory(schema: testSchema, keys: keys) }

    /// Expects that the server still serves an honest peer.
    private func expectServing(
        _ server: RunningServer, _ replica: Replica,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let client = try self.replica()
        _ = try await Peer(client, over: server.address).sync(timeout: .seconds(30))
        #expect(try await client.roots() == replica.roots(), sourceLocation: sourceLocation)
    }

    @Test func wrongFleetKeys() async throws {
        let (mine, theirs) = (
            try replica(), try Replica.inMemory(schema: testSchema, keys: .generate())
        )
        try await mine.put("notes", "mine", [1])
        try await theirs.put("notes", "theirs", [2])
        let server = try await RunningServer(mine) { $0.interval = .milliseconds(20) }
        for timeout in [Duration.milliseconds(1), .milliseconds(300)] {
            await #expect(throws: PeerError.notConverged) {
                try await Peer(theirs, over: server.address).sync(timeout: timeout)
            }
        }
        #expect(try await mine.notes() == ["mine": [1]])
        #expect(try await theirs.notes() == ["theirs": [2]])
        try await expectServing(server, mine)
        await server.stop()
    }

    @Test func otherSchema() async throws {
        let mine = try replica()
        let theirs = try Replica.inMemory(
            schema: Schema { Namespace("notes", .causal) }, keys: keys)
        try await mine.put("notes", "mine", [1])
        let server = try await RunningServer(mine)
        await #expect(throws: PeerError.blocked(.unexpected, rule: "MODEL-014")) {
            try await Peer(theirs, over: server.address).sync(timeout: .seconds(30))
        }
        await #expect(throws: PeerError.blocked(.unexpected, rule: "MODEL-014")) {
            try await Peer(theirs, over: server.address).run()
        }
        #expect(try await theirs.notes().isEmpty)
        try await expectServing(server, mine)
        await server.stop()
    }

    @Test func garbage() async throws {
        let mine = try replica()
        try await mine.fill(20, size: 50)
        let place = try SocketPlace()
        let server = try await RunningServer(mine, at: place.address)
        var inputs: [[UInt8]] = [
            [], [0], [0, 0, 0, 0], [0, 0, 0, 1, 1], [0xff, 0xff, 0xff, 0xff],
            [0x7f, 0xff, 0xff, 0xff],
            // The greatest length that is allowed and the first that is not, and the least.
            [0x00, 0x10, 0x00, 0x31], [0x00, 0x10, 0x00, 0x32], [0, 0, 1, 0x31], [0, 0, 1, 0x30],
            Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
            // A frame of the least size that opens with no key, whole and cut.
            [0, 0, 1, 0x31] + [UInt8](repeating: 1, count: 305),
            [0, 0, 1, 0x31] + [UInt8](repeating: 1, count: 200),
        ]
        for _ in 0..<20 {
            inputs.append((0..<Int.random(in: 1...2_000)).map { _ in .random(in: 0...255) })
        }
        var clients: [RawClient] = []
        for input in inputs {
            let client = try RawClient(place.address)
            client.send(input)
            // Every other one stays open.
            if clients.count < 8 { clients.append(client) }
        }
        try await expectServing(server, mine)
        #expect(try await mine.list("notes").count == 20)
        await server.stop()
    }

    /// A connection that never speaks gives its place back, so others get one.
    @Test func silence() async throws {
        let mine = try replica()
        try await mine.fill(20, size: 50)
        let place = try SocketPlace()
        let server = try await RunningServer(mine, at: place.address) { server in
            server.maxLinks = 2
            server.interval = .milliseconds(20)
        }
        let silent = [try RawClient(place.address), try RawClient(place.address)]
        try await expectServing(server, mine)
        silent[0].send([0])
        await server.stop()
    }

    /// A member that asks and asks and never reads: its link is cut, the memory is bounded, the others go on.
    @Test func flood() async throws {
        let mine = try replica()
        try await mine.fill(40, size: 200_000)
        let server = try await RunningServer(mine)
        let connection = try await SocketTransport(server.address).connect()
        let member = try #require(ReplicaID(ID16(high: 5, low: 5)))
        func sealed(_ body: FrameBody) throws -> [UInt8] {
            try Envelope.seal(Frame(header: FrameHeader(sender: member), body: body), with: keys)
        }
        let schema = keys.schema(of: testSchema)
        try await connection.send([
            sealed(.hello(Hello(schema: schema, incarnation: .zero, challenge: .zero)))
        ])
        var list = RangeList()
        list.append(.all, .items([]))
        var refused = false
        for number in UInt64(1)...400 {
            let request = ReconcileRequest(
                request: number, namespace: "notes", set: .live, ranges: list)
            do {
                try await connection.send([sealed(.reconcileRequest(request))])
            } catch {
                refused = true
                break
            }
        }
        // What was under way is all that comes: far less than the answers to 400 requests.
        var received = 0
        do {
            while case let frames = try await connection.receive(), !frames.isEmpty {
                received += frames.reduce(0) { $0 + $1.count }
            }
        } catch {
            refused = true
        }
        #expect(refused || received < 400 * 2_000_000)
        #expect(received < 64 * 1_048_576)
        try await expectServing(server, mine)
        await server.stop()
    }

    /// Four open requests at a time, each for a full answer, are an honest peer's right (Spec SYNC-025).
    @Test func honestRequests() async throws {
        let (mine, other) = (try replica(), try replica())
        try await mine.fill(30, size: 900_000)
        try await mine.write { transaction in
            for number in UInt8(0)..<15 {
                let body = [UInt8](repeating: number, count: 900_000)
                try transaction.append("journal", Key([number]), group: "g", body)
                try transaction.append("archive", Key([number]), group: "g", body)
            }
        }
        let server = try await RunningServer(mine)
        let report = try await Peer(other, over: server.address).sync(timeout: .seconds(50))
        #expect(report.counts.rowsMerged == 60)
        #expect(try await mine.roots() == other.roots())
        await server.stop()
    }
}

extension FleetKeys {
    /// The fingerprint of a schema.
    fileprivate func schema(of schema: Schema) -> Hash256 {
        schemaFingerprint(schema.namespaces.map { ($0.name, $0.policy.code) })
    }
}
