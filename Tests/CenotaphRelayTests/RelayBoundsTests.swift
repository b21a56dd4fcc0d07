@testable import CenotaphRelay
import CenotaphWire
import TestSupport
import Testing

/// What a hostile, slow or silent client meets, and that nobody else does (Spec RELAY-020, RELAY-021).
@Suite struct RelayBoundsTests {
    @Test func greetingsThatAreNone() throws {
        let box = RelayBox(tokens: [Array("right".utf8), Array("also".utf8)]) { $0.perRoom = 2 }
        let greeting = try RelayBox.greeting(token: Array("right".utf8))
        for count in 0..<greeting.count {
            let client = try box.connect()
            client.send(Array(greeting.prefix(count)))
            #expect(!client.isOver)
            box.now += 10_001
            box.relay.tick(at: box.now)
            #expect(client.isOver)
            #expect(try client.hear().status == nil)
            client.close()
        }
        let dripping = try box.connect()
        for byte in greeting { dripping.send([byte]) }
        #expect(try dripping.hear().status == .accepted)
        #expect(try box.enter(token: Array("also".utf8)).hear().status == .accepted)
        #expect(try box.enter(token: Array("also".utf8)).hear().status == .full)
        for token in ["", "righ", "rightt", "RIGHT", "wrong"] {
            let client = try box.enter(token: Array(token.utf8))
            #expect(try client.hear().status == .token)
            #expect(client.isOver)
        }
        var other = greeting
        other[4] = 9
        let stranger = try box.connect()
        stranger.send(other)
        #expect(try stranger.hear().status == .version)
        let browser = try box.connect()
        browser.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(browser.isOver)
        #expect(try browser.hear() == .init())
        box.check()
    }

    @Test func placesAndEntriesAreLimited() throws {
        let box = RelayBox {
            ($0.connections, $0.strangers) = (20, 3)
            $0.entries = .init(perSecond: 1, burst: 4)
        }
        let strangers = try (0..<3).map { _ in try box.connect() }
        #expect(box.relay.open(at: box.now) == nil)
        for stranger in strangers { stranger.send(try RelayBox.greeting()) }
        #expect(try box.enter().hear().status == .accepted)
        #expect(try box.enter().hear().status == .rate)
        #expect(try box.enter(2).hear().status == .accepted)
        box.now += 1_000
        #expect(try box.enter().hear().status == .accepted)
        while box.relay.connections.count < 20 {
            _ = try box.enter(UInt64(box.relay.connections.count) + 10)
        }
        #expect(box.relay.open(at: box.now) == nil)
        #expect(box.relay.currentReport.turnedAway == 2)
    }

    @Test func malformedRecordsEndOneConnection() throws {
        let bad: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1],
            [0, 0, 1, 0x30, 0, 0, 0, 2],
            [0, 0x10, 0, 0x32, 0, 0, 0, 2], [0, 0, 0, 10, 0, 0, 0, 0],
            RelayNotice.pong.record.bytes, RelayNotice.arrived(1).record.bytes,
            RelayNotice.closing(.idle).record.bytes, [0, 0, 0, 1, 0, 0, 0, 0, 99],
        ]
        for bytes in bad {
            let box = RelayBox()
            let (a, b, c) = (try box.enter(), try box.enter(), try box.enter())
            for client in [a, b, c] { _ = try client.hear() }
            a.send(bytes)
            #expect(try a.hear().notices == [.closing(.malformed)], "\(bytes)")
            #expect(a.isOver)
            #expect(try b.hear().notices == [.departed(1)])
            b.send(RelayBox.frame(), to: 3)
            #expect(try c.hear().frames.count == 1)
            box.check()
        }
    }

    @Test func aFloodIsSlowedDownAndThenEnded() throws {
        let box = RelayBox { $0.records = .init(perSecond: 100, burst: 200) }
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        let pings = (0..<500).flatMap { _ in RelayNotice.ping.record.bytes }
        a.send(pings)
        let readable = try #require(box.relay.readableAt(a.id))
        #expect(readable == box.now + 3_000)
        #expect(box.relay.readableAt(b.id) == box.now || box.relay.readableAt(b.id) == 1_000)
        // One that goes on at the pace it is read at stays over the rate, and is ended.
        var rounds = 0
        while !a.isOver, rounds < 10 {
            box.now = box.relay.readableAt(a.id) ?? box.now
            a.send(pings)
            _ = try a.hear()
            rounds += 1
        }
        #expect((2..<10).contains(rounds))
        #expect(box.relay.currentReport.ended == [.flood: 1])
        #expect(try b.hear().notices == [.departed(1)])
        // A burst within the rate does not end anybody.
        for _ in 0..<50 {
            box.now += 1_000
            for _ in 0..<90 { b.send(.ping) }
            _ = try b.hear()
        }
        #expect(!b.isOver)
    }

    @Test func bytesOverTheRateAreOnlySlowedDown() throws {
        let box = RelayBox { $0.bytes = .init(perSecond: 100_000, burst: 100_000) }
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        for _ in 0..<40 {
            a.send(RelayBox.frame(size: 200_000), to: 2)
            #expect(try b.hear().frames.count == 1)
            b.send(.taken(1, bytes: 200_000))
            let readable = try #require(box.relay.readableAt(a.id))
            #expect(readable > box.now)
            box.now = readable
        }
        #expect(!a.isOver && !b.isOver)
    }

    @Test func aSlowReaderIsEndedAloneWhenItsQueueOverflows() throws {
        let box = RelayBox { $0.queued = 600_000 }
        let slow = try box.enter()
        let senders = try (0..<4).map { _ in try box.enter() }
        for client in senders { _ = try client.hear() }
        for (index, sender) in senders.enumerated() {
            sender.send(RelayBox.frame(size: 250_000), to: 1)
            #expect(box.relay.currentReport.held < 700_000)
            #expect(slow.isOver == false || index >= 2)
            box.check()
        }
        #expect(box.relay.currentReport.ended == [.slow: 1])
        for sender in senders { #expect(try sender.hear().notices.contains(.departed(1))) }
        senders[0].send(RelayBox.frame(), to: 3)
        #expect(try senders[1].hear().frames.count == 1)
    }

    @Test func oneThatTakesNothingForLongIsEnded() throws {
        let box = RelayBox()
        let (slow, a) = (try box.enter(), try box.enter())
        _ = try a.hear()
        for _ in 0..<5 {
            box.now += 10_000
            slow.send(.ping)
            a.send(.ping)
            _ = try a.hear()
            box.relay.tick(at: box.now)
        }
        #expect(box.relay.currentReport.ended == [.slow: 1])
        #expect(!a.isOver)
        // It does not even take the last word; after a time that is dropped.
        box.now += 3_000
        box.relay.tick(at: box.now)
        #expect(slow.isOver)
        box.check()
    }

    @Test func theSilentAreEnded() throws {
        let box = RelayBox()
        let (silent, a) = (try box.enter(), try box.enter())
        // Half a record is no record.
        silent.send([0, 0])
        for _ in 0..<10 {
            box.now += 10_000
            a.send(.ping)
            _ = try a.hear()
            if box.relay.currentReport.ended.isEmpty { _ = try silent.hear() }
            box.relay.tick(at: box.now)
        }
        #expect(try silent.hear().notices.last == .closing(.idle))
        #expect(silent.isOver && !a.isOver)
        #expect(box.relay.currentReport.ended == [.idle: 1])
    }

    @Test func whatIsHeldInAllIsBounded() throws {
        let box = RelayBox { $0.held = 2_000_000 }
        let clients = try (0..<30).map { _ in try box.enter() }
        for client in clients { _ = try client.hear() }
        // Each begins a record of the greatest size and does not go on.
        let begun = Array(
            RelayRecord(number: 2, payload: RelayBox.frame(size: Limits.maxSealed)).bytes.prefix(
                300_000))
        for client in clients {
            client.send(begun)
            #expect(box.relay.currentReport.held <= 2_000_000)
            box.check()
        }
        #expect(box.relay.currentReport.ended.keys.elementsEqual([.full]))
        let honest = (try box.enter(2), try box.enter(2))
        _ = (try honest.0.hear(), try honest.1.hear())
        honest.0.send(RelayBox.frame(), to: 2)
        #expect(try honest.1.hear().frames.count == 1)
    }

    /// Everybody's queue is full when somebody leaves: all go, one after another.
    @Test func aWholeRoomOfFullQueues() throws {
        let box = RelayBox {
            ($0.queued, $0.perRoom) = (5_000, 600)
            $0.entries.burst = 1_000
            $0.strangers = 1_000
        }
        let clients = try (0..<300).map { _ in try box.enter() }
        for client in clients { _ = try client.hear() }
        for (index, client) in clients.enumerated() {
            // 15 frames of 313 bytes to each, then pongs until hardly a byte is left.
            let sender = clients[(index + 1) % 300]
            for _ in 0..<15 { sender.send(RelayBox.frame(), to: UInt32(index + 1)) }
            while box.relay.waiting(for: client.id).count <= 5_000 - 9 { client.send(.ping) }
        }
        #expect(box.relay.currentReport.connections == 300)
        clients[0].close()
        #expect(box.relay.rooms.isEmpty)
        box.check()
    }

    /// Whatever comes, the relay stays within its bounds and its books are right.
    @Test(arguments: 1...4) func randomBytes(_ seed: Int) throws {
        var random = SeededGenerator("relay \(seed)")
        let box = RelayBox {
            ($0.queued, $0.held, $0.strangers) = (400_000, 3_000_000, 40)
            $0.entries = .init(perSecond: 100, burst: 100)
        }
        var clients: [RelayBox.Client] = []
        for _ in 0..<9_000 {
            box.now += .random(in: 0...200, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                guard clients.count < 60, let id = box.relay.open(at: box.now) else { continue }
                box.relay.closed(id, at: box.now)
                let client = try box.connect()
                clients.append(client)
                if Bool.random(using: &random) {
                    client.send(try RelayBox.greeting(.random(in: 0...3, using: &random)))
                }
            case 2:
                let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    UInt8.random(in: 0...3, using: &random)
                }
                clients.randomElement(using: &random)?.send(bytes)
            case 3: box.relay.tick(at: box.now)
            case 4:
                if let client = clients.randomElement(using: &random), client.isOver {
                    client.close()
                    clients.removeAll { $0 === client }
                }
            case 5:
                clients.randomElement(using: &random)?.send(
                    .taken(.random(in: 0...9, using: &random), bytes: 9_000))
            case 6: _ = try clients.randomElement(using: &random)?.hear()
            default:
                let size = Int.random(in: 305...90_000, using: &random)
                clients.randomElement(using: &random)?.send(
                    RelayBox.frame(size: size), to: .random(in: 1...9, using: &random))
            }
            #expect(box.relay.currentReport.held <= 3_000_000 + Limits.maxSealed)
        }
        box.check()
        #expect(box.relay.currentReport.frames > 20)
        for client in clients { client.close() }
        #expect(box.relay.currentReport.held == 0 && box.relay.rooms.isEmpty)
    }
}
