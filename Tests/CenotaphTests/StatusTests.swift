import Cenotaph
import Testing

/// What a replica says that it waits for.
@Suite(.timeLimit(.minutes(10))) struct StatusTests {
    let fleet = Fleet()

    @Test func pendingUntilAgreed() async throws {
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        var status = try await phone.readStatus()
        #expect(status.peers.isEmpty && status.onlyHere.isEmpty && status.isAtRest)
        try await phone.put("notes", "k", text: "1")
        status = try await phone.readStatus()
        #expect(status.onlyHere == ["notes"] && !status.isAtRest)
        try await fleet.sync(phone, tablet)
        status = try await phone.readStatus()
        #expect(status.peers.map(\.id) == [tablet.id])
        #expect(status.peers[0].pending.isEmpty && status.isAtRest)
        #expect(try await tablet.readStatus().isAtRest)
        // A delete is as much a write as a put is.
        try await phone.delete("notes", "k")
        try await phone.put("devices", "k", text: "1")
        status = try await phone.readStatus()
        #expect(status.peers.map(\.pending) == [["devices", "notes"]])
        #expect(status.onlyHere == ["devices", "notes"])
        try await fleet.sync(tablet, phone)
        #expect(try await phone.readStatus().isAtRest)
    }

    /// What came from one peer is pending for another, and is not only here.
    @Test func writesOfOthersArePendingToo() async throws {
        let (phone, tablet, desk) = (
            try fleet.replica(), try fleet.replica(), try fleet.replica()
        )
        try await fleet.sync(phone, desk)
        try await tablet.put("notes", "k", text: "1")
        try await fleet.sync(phone, tablet)
        try await fleet.sync(phone, desk)
        try await tablet.put("notes", "l", text: "1")
        try await fleet.sync(phone, tablet)
        let status = try await phone.readStatus()
        #expect(status.peers.first { $0.id == desk.id }?.pending == ["notes"])
        #expect(status.peers.first { $0.id == tablet.id }?.pending == [])
        #expect(status.onlyHere == [], "the tablet has it")
    }

    @Test func derivedRowsWaitForNobody() async throws {
        let phone = try fleet.replica()
        try await phone.put("view", "k", text: "1")
        #expect(try await phone.readStatus().isAtRest)
    }

    @Test func heldDeletesStandInTheWay() async throws {
        let phone = try fleet.replica()
        var app = AppTable(count: 40)
        try await phone.observe("notes", app.complete())
        app.rows = [:]
        try await phone.observe("notes", app.complete())
        #expect(try await phone.readStatus().obstacles == [.heldDeletes(events: 1)])
        try await phone.undo(heldDeletes: 1)
        #expect(try await phone.readStatus().obstacles == [])
    }

    @Test func aBlockedPeerIsNamed() async throws {
        let phone = try fleet.replica()
        let other = try Replica.inMemory(
            schema: Schema { Namespace("other", .causal) }, keys: fleet.keys)
        let server = try await RunningServer(other)
        await #expect(throws: PeerError.self) {
            try await Peer(phone, over: server.address).sync(timeout: .seconds(30))
        }
        let obstacle = try await phone.readStatus().obstacles
        #expect(obstacle == [.blocked(other.id, .unexpected, rule: "MODEL-014")])
        await server.stop()
    }

    @Test func aCopyOfTheReplicaIsNoticed() async throws {
        let file = try StoreFile()
        defer { file.remove() }
        func open() async throws -> Replica {
            try await Replica.open(at: file.path, schema: fleet.schema, keys: fleet.keys)
        }
        let (first, second) = (try await open(), try await open())
        let server = try await RunningServer(first)
        let running = Task { try await Peer(second, over: server.address).run() }
        defer { running.cancel() }
        var statuses = await second.status.makeAsyncIterator()
        while try #require(try await statuses.next()).obstacles != [.copied] {}
        await server.stop()
    }

    @Test func theSequenceTellsOfEveryChange() async throws {
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        var statuses = await phone.status.makeAsyncIterator()
        #expect(try await statuses.next()?.isAtRest == true)
        try await phone.put("notes", "k", text: "1")
        #expect(try await statuses.next()?.onlyHere == ["notes"])
        let server = try await RunningServer(tablet)
        let running = Task { try await Peer(phone, over: server.address).run() }
        defer { running.cancel() }
        var status = try #require(try await statuses.next())
        while !status.isAtRest { status = try #require(try await statuses.next()) }
        #expect(status.linked == [tablet.id] && status.peers.map(\.id) == [tablet.id])
        await server.stop()
        while !status.linked.isEmpty { status = try #require(try await statuses.next()) }
        #expect(status.peers.map(\.id) == [tablet.id])
    }
}
