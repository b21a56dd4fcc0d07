import Cenotaph
import Testing

/// Links over real sockets.
@Suite(.timeLimit(.minutes(10))) struct TransportTests {
    private let keys = FleetKeys.generate()

    private func replica() throws -> Replica { try .inMemory(schema: testSchema, keys: keys) }

    @Test(arguments: [true, false]) func bothKindsOfSocket(_ overUnix: Bool) async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.fill(50, size: 100)
        try await tablet.write { try $0.append("journal", "k", group: "g", [1]) }
        let place = try SocketPlace()
        let server = try await RunningServer(
            phone, at: overUnix ? place.address : .tcp(host: "localhost", port: 0))
        let report = try await Peer(tablet, over: server.address).sync(timeout: .seconds(30))
        #expect(report.counts.rowsMerged == 50)
        #expect(report.traffic.received > 5_000)
        #expect(try await phone.roots() == tablet.roots())
        #expect(try await phone.list("journal").count == 1)
        await server.stop()
    }

    /// A peer whose server is not there yet, goes away and comes again.
    @Test func aServerThatAppearsLate() async throws {
        let (phone, tablet) = (try replica(), try replica())
        let place = try SocketPlace()
        let changes = await tablet.changes(in: "notes")
        var peer = Peer(tablet, over: place.address)
        peer.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(20))
        let running = Task { [peer] in try await peer.run() }
        defer { running.cancel() }
        try await phone.put("notes", "first", [1])
        var iterator = changes.makeAsyncIterator()
        let early = try await RunningServer(phone, at: place.address)
        #expect(await iterator.next()?.changes.map(\.key) == ["first"])
        await early.stop()
        try await phone.put("notes", "second", [2])
        let late = try await RunningServer(phone, at: place.address)
        #expect(await iterator.next()?.changes.map(\.key) == ["second"])
        await late.stop()
    }

    /// A write on one side reaches the other's changes while both are linked, both ways.
    @Test func livePush() async throws {
        let (phone, tablet) = (try replica(), try replica())
        let server = try await RunningServer(phone) { $0.interval = .seconds(60) }
        var peer = Peer(tablet, over: server.address)
        // No timer helps: what arrives was pushed.
        peer.interval = .seconds(60)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        peer.onEvent = { event in if event == .agreed { isReady.yield() } }
        let running = Task { [peer] in try await peer.run() }
        defer { running.cancel() }
        var agreed = ready.makeAsyncIterator()
        await agreed.next()
        var onTablet = await tablet.changes(in: "notes").makeAsyncIterator()
        var onPhone = await phone.changes(in: "journal").makeAsyncIterator()
        for number in UInt8(0)..<5 {
            try await phone.put("notes", "k", [number])
            #expect(await onTablet.next()?.changes.map(\.kind) == [.updated])
            #expect(try await tablet.get("notes", "k")?.body == [number])
            try await tablet.write { try $0.append("journal", Key([number]), group: "g", []) }
            #expect(await onPhone.next()?.changes.count == 1)
        }
        try await phone.delete("notes", "k")
        #expect(await onTablet.next()?.changes.map(\.kind) == [.removed])
        #expect(try await tablet.get("notes", "k") == nil)
        try await tablet.write { try $0.bury("journal", group: "g") }
        let buried = await onPhone.next()?.changes ?? []
        #expect(buried.contains { $0.kind == .buried && $0.key == "g" })
        #expect(try await phone.list("journal").isEmpty)
        running.cancel()
        await server.stop()
    }

    @Test func twoClientsAtOnce() async throws {
        let (hub, first, second) = (try replica(), try replica(), try replica())
        try await hub.fill(200, size: 200)
        try await first.write { try $0.put("notes", "of the first", [1]) }
        try await second.write { try $0.put("notes", "of the second", [2]) }
        let server = try await RunningServer(hub)
        let address = server.address
        for _ in 0..<2 {
            async let one = Peer(first, over: address).sync(timeout: .seconds(30))
            async let two = Peer(second, over: address).sync(timeout: .seconds(30))
            _ = try await (one, two)
        }
        _ = try await Peer(first, over: address).sync(timeout: .seconds(30))
        #expect(try await hub.list("notes").count == 202)
        #expect(try await first.roots() == hub.roots())
        #expect(try await second.roots() == hub.roots())
        await server.stop()
    }

    /// A sync that is cancelled at any moment leaves a sound store, and the next one goes on.
    @Test func cancelledSync() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.fill(400, size: 20_000)
        try await tablet.fill(10, size: 10)
        let server = try await RunningServer(phone)
        let address = server.address
        for attempt in 0..<12 {
            let task = Task { try await Peer(tablet, over: address).sync(timeout: .seconds(30)) }
            // Cancelled after some changes have come, or at once.
            if attempt % 2 == 1 {
                var changes = await tablet.changes(in: "notes").makeAsyncIterator()
                async let one = changes.next()
                try await Task.sleep(for: .milliseconds(attempt))
                try await tablet.put("notes", "wake \(attempt)".key, [1])
                _ = await one
            }
            task.cancel()
            _ = await task.result
            #expect(try await tablet.isSound())
        }
        _ = try await Peer(tablet, over: address).sync(timeout: .seconds(30))
        #expect(try await phone.roots() == tablet.roots())
        #expect(try await tablet.list("notes").count == 406)
        await server.stop()
    }

    /// A row of the greatest size, far above a frame and an answer's budget, gets through.
    @Test func theGreatestRow() async throws {
        let (phone, tablet) = (try replica(), try replica())
        let body = [UInt8](repeating: 7, count: Limits.maxBody)
        try await phone.write { transaction in
            for number in UInt64(1)...17 {
                guard let writer = ReplicaID(ID16(high: number, low: 0)),
                    let row = CausalRow(
                        key: "k", entries: [.init(replica: writer, time: 1, value: body)])
                else { return }
                _ = try transaction.merge("notes", .causal(row))
            }
        }
        let server = try await RunningServer(phone)
        _ = try await Peer(tablet, over: server.address).sync(timeout: .seconds(50))
        #expect(try await tablet.get("notes", "k")?.values.count == 17)
        #expect(try await phone.roots() == tablet.roots())
        await server.stop()
    }

    @Test func backoff() {
        let backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
        var random = SystemRandomNumberGenerator()
        for attempt in -1..<100 {
            let full = min(.milliseconds(100) * (1 << min(max(attempt - 1, 0), 10)), .seconds(2))
            let delay = backoff.delay(before: attempt, using: &random)
            guard delay >= full * 0.5, delay <= full else {
                Issue.record("attempt \(attempt): \(delay)")
                return
            }
        }
    }
}

extension String {
    /// The text as a key.
    fileprivate var key: Key { (try? Key(self)) ?? "too long" }
}

extension Replica {
    /// Whether each set has as many rows as its digest says and every row can be read.
    func isSound() throws -> Bool {
        try read { snapshot in
            for digest in snapshot.digests {
                for set in RowSet.allCases {
                    var count: UInt64 = 0
                    try snapshot.forEachRow(digest.name, set, .all) { _, _ in
                        count += 1
                        return true
                    }
                    guard count == digest[set].count else { return false }
                }
            }
            return true
        }
    }
}
