@testable import Cenotaph
import CenotaphRelay
import CenotaphWire
import Testing

/// Devices that meet at a relay, over real sockets.
@Suite(.timeLimit(.minutes(10))) struct RelayPeerTests {
    let fleet = RelayFleet()

    @Test func threeDevicesSync() async throws {
        let relay = try RunningRelay()
        let (phone, tablet, desk) = (
            try fleet.replica(), try fleet.replica(), try fleet.replica()
        )
        try await phone.fill(50, size: 100)
        try await tablet.fill(50, size: 100, from: 50)
        try await desk.fill(1, size: 100, from: 100)
        let staying = [phone, tablet].map { fleet.staying($0, relay.address()) }
        try await wait { relay.report.entered == 2 }
        let report = try await fleet.peer(desk, relay.address()).sync(timeout: .seconds(60))
        #expect(report.counts.rowsMerged == 100)
        // All agreed with what the desk holds in the end, not only with what it held when they agreed.
        #expect(try await desk.list("notes").count == 101)
        #expect(try await phone.roots() == desk.roots())
        #expect(try await tablet.roots() == desk.roots())
        for one in staying { await one.stop() }
    }

    @Test func twoThatOnlySyncMeet() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(20, size: 100)
        try await tablet.fill(20, size: 100, from: 20)
        async let one = fleet.peer(phone, relay.address()).sync(timeout: .seconds(60))
        async let two = fleet.peer(tablet, relay.address()).sync(timeout: .seconds(60))
        _ = try await (one, two)
        #expect(try await phone.roots() == tablet.roots())
    }

    @Test func writesArePushed() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        let staying = [phone, tablet].map { fleet.staying($0, relay.address()) }
        var onTablet = await tablet.changes(in: "notes").makeAsyncIterator()
        for number in UInt8(0)..<10 {
            try await phone.put("notes", "k", [number])
            while try await tablet.get("notes", "k")?.body != [number] {
                _ = try #require(await onTablet.next())
            }
        }
        try await phone.delete("notes", "k")
        while try await tablet.get("notes", "k") != nil {
            _ = try #require(await onTablet.next())
        }
        for one in staying { await one.stop() }
    }

    /// Far more than the window, with frames of the greatest size, both ways at once.
    @Test func muchMoreThanTheWindow() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(6, size: 900_000)
        try await tablet.fill(300, size: 5_000, from: 1_000)
        let staying = fleet.staying(phone, relay.address())
        var peer = fleet.peer(tablet, relay.address())
        peer.interval = .seconds(2)
        _ = try await peer.sync(timeout: .seconds(100))
        try await waitUntilEqual([phone, tablet])
        #expect(try await phone.list("notes").count == 306)
        #expect(relay.report.ended.isEmpty)
        await staying.stop()
    }

    @Test func twoFleetsDoNotMeet() async throws {
        let relay = try RunningRelay()
        let other = RelayFleet()
        let (mine, theirs) = (try fleet.replica(), try other.replica())
        try await mine.put("notes", "mine", [1])
        try await theirs.put("notes", "theirs", [2])
        let staying = fleet.staying(mine, relay.address())
        try await wait { relay.report.entered == 1 }
        await #expect(throws: PeerError.notConverged) {
            try await other.peer(theirs, relay.address()).sync(timeout: .milliseconds(500))
        }
        #expect(try await mine.list("notes").count == 1)
        #expect(try await theirs.list("notes").count == 1)
        #expect(relay.report.frames == 0)
        await staying.stop()
    }

    /// Whoever knows the room's name and nothing else is no member: it is seen, and harms nobody.
    @Test func aStrangerInTheRoom() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(20, size: 100)
        let staying = fleet.staying(phone, relay.address())
        let stranger = try await RelayRoom.enter(
            fleet.keys.relayRoom, at: relay.socket, token: .none)
        let room = Task { try await stranger.run(interval: .seconds(1)) }
        let spamming = Task {
            for await change in stranger.changes {
                guard case .arrived(let number) = change else { continue }
                for fill in UInt8(0)..<50 {
                    _ = try stranger.send(RelayBox.frame(fill, size: 2_000), to: number)
                }
            }
        }
        _ = try? await fleet.peer(tablet, relay.address()).sync(timeout: .seconds(60))
        try await waitUntilEqual([phone, tablet])
        room.cancel()
        spamming.cancel()
        await staying.stop()
    }

    @Test func tokens() async throws {
        let relay = try RunningRelay(tokens: [Array("secret".utf8)])
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(5, size: 100)
        let token = try #require(RelayToken(Array("secret".utf8)))
        let staying = fleet.staying(phone, relay.address(token: token))
        let failures = FirstOf<PeerError>()
        let without = {
            var peer = fleet.peer(tablet, relay.address())
            peer.onFailure = { failures.give($0) }
            return peer
        }()
        await #expect(throws: PeerError.notConverged) {
            try await without.sync(timeout: .milliseconds(300))
        }
        #expect(failures.value == .relay(.refused(.token)))
        _ = try await fleet.peer(tablet, relay.address(token: token)).sync(timeout: .seconds(60))
        #expect(try await phone.roots() == tablet.roots())
        #expect("\(relay.address(token: token))".contains("secret") == false)
        #expect(String(reflecting: token).contains("115") == false)
        await staying.stop()
    }

    /// The same replica at the relay twice: the second connection is no peer to agree with.
    @Test func onesOwnOtherConnection() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(5, size: 100)
        let staying = [phone, tablet].map { fleet.staying($0, relay.address()) }
        try await wait { relay.report.entered == 2 }
        _ = try await fleet.peer(phone, relay.address()).sync(timeout: .seconds(60))
        #expect(try await phone.roots() == tablet.roots())
        for one in staying { await one.stop() }
    }

    @Test func aRelayThatGoesAndComesAgain() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        let staying = [phone, tablet].map { fleet.staying($0, relay.address()) }
        for round in 0..<10 {
            try await phone.fill(20, size: 3_000, from: 100 * round)
            try await tablet.fill(20, size: 3_000, from: 100 * round + 50)
            if round.isMultiple(of: 2) {
                try await Task.sleep(for: .milliseconds(10 * round))
            } else {
                try await waitUntilEqual([phone, tablet])
            }
            relay.stop()
            try relay.start()
        }
        try await waitUntilEqual([phone, tablet])
        #expect(try await phone.list("notes").count == 400)
        for one in staying { await one.stop() }
    }

    /// A client that enters and never reads costs the relay little, and the others nothing.
    @Test func aClientThatNeverReads() async throws {
        let relay = try RunningRelay { $0.stallTime = 2_000 }
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        let deaf = try await SocketTransport(relay.socket).openSocket()
        let greeting = try #require(RelayGreeting(room: fleet.keys.relayRoom))
        try await deaf.write(greeting.encoded)
        let staying = [phone, tablet].map { fleet.staying($0, relay.address()) }
        try await wait { relay.report.entered == 3 }
        for round in 0..<20 {
            try await phone.fill(50, size: 20_000, from: 50 * round)
            try await waitUntilEqual([phone, tablet])
            // At most the windows of two senders wait for it, each a frame more.
            #expect(relay.report.held < 3 * (RelayRecord.window + Limits.maxSealed))
        }
        for one in staying { await one.stop() }
    }

    /// A sync over a relay that is cancelled at any moment leaves whole transactions, and the next one goes on.
    @Test func cancelledSync() async throws {
        let relay = try RunningRelay()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.fill(400, size: 20_000)
        let staying = fleet.staying(phone, relay.address())
        for attempt in 0..<12 {
            let task = Task { [fleet] in
                try await fleet.peer(tablet, relay.address()).sync(timeout: .seconds(60))
            }
            try await Task.sleep(for: .milliseconds(5 * attempt))
            task.cancel()
            _ = await task.result
            let (listed, live) = (
                try await tablet.list("notes").count,
                try await tablet.digests().first { $0.digest.name == "notes" }?.digest.live.count
            )
            #expect(live == UInt64(listed))
        }
        _ = try await fleet.peer(tablet, relay.address()).sync(timeout: .seconds(60))
        #expect(try await phone.roots() == tablet.roots())
        await staying.stop()
    }

    @Test func manyConnectionsInOneRoom() async throws {
        let relay = try RunningRelay {
            ($0.perRoom, $0.connections, $0.strangers) = (200, 200, 200)
        }
        let room = ID16(high: 1, low: 1)
        var rooms: [RelayRoom] = []
        let tasks = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                let one = try await RelayRoom.enter(room, at: relay.socket, token: .none)
                rooms.append(one)
                group.addTask { try? await one.run(interval: .seconds(10)) }
            }
            for one in rooms { try await wait { one.numbers.count == 99 } }
            let (first, last) = (try #require(rooms.first), try #require(rooms.last))
            let link = try #require(last.link(to: 1))
            #expect(try first.send(RelayBox.frame(3), to: 100))
            #expect(try await link.receive() == [RelayBox.frame(3)])
            relay.stop()
            return rooms.count
        }
        #expect(tasks == 100)
    }
}
