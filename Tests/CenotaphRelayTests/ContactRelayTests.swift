@testable import Cenotaph
import CenotaphRelay
import Testing

/// Messages between two fleets, in the room of their channel.
@Suite(.timeLimit(.minutes(10))) struct ContactRelayTests {
    let ours = RelayFleet()
    let theirs = RelayFleet()

    private func channels() throws -> (ours: ChannelKeys, theirs: ChannelKeys) {
        func secret() throws -> SecretKey {
            guard let key = SecretKey(copying: (0..<32).map { UInt8($0) }) else {
                throw WireError(.range, .bytesLength)
            }
            return key
        }
        return (
            try ChannelKeys(secret(), own: ours.keys.fleet, contact: theirs.keys.fleet),
            try ChannelKeys(secret(), own: theirs.keys.fleet, contact: ours.keys.fleet)
        )
    }

    private func running(
        _ replica: Replica, _ channel: ChannelKeys, _ relay: RunningRelay,
        isForContact: @escaping @Sendable (Key) -> Bool = { _ in true }
    ) throws -> RelayFleet.Staying {
        var peer = try ContactPeer(
            replica, "chat", channel: channel, over: relay.address(), isForContact: isForContact)
        peer.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        peer.interval = .milliseconds(100)
        return RelayFleet.Staying(Task { [peer] in try await peer.run() })
    }

    @Test func messagesReceiptsEditsAndRecalls() async throws {
        let relay = try RunningRelay()
        let (phone, tablet, contact) = (
            try ours.replica(), try ours.replica(), try theirs.replica()
        )
        let (channel, back) = try channels()
        #expect(channel.relayRoom == back.relayRoom)
        let before = try phone.ownMessage([1])
        try await phone.write { try $0.post("chat", before, [1]) }
        let running = [
            try running(phone, channel, relay), try running(tablet, channel, relay),
            try running(contact, back, relay),
        ]
        // What waited is delivered and confirmed; the tablet, of the same fleet, learns nothing by this way.
        try await wait { try await contact.get("chat", before)?.body == [1] }
        try await wait { try await phone.outbox("chat").isEmpty }
        #expect(try await tablet.message("chat", before) == nil)
        // What is written while both are there is sent at once, both ways.
        let later = try phone.ownMessage([2])
        try await phone.write { try $0.post("chat", later, [2]) }
        try await wait { try await contact.get("chat", later)?.body == [2] }
        let answer = try contact.ownMessage([9])
        try await contact.write { try $0.post("chat", answer, [9]) }
        try await wait { try await phone.get("chat", answer)?.body == [9] }
        try await wait { try await contact.outbox("chat").isEmpty }
        try await phone.write { try $0.deleteForEveryone("chat", later) }
        try await wait { try await contact.get("chat", later) == nil }
        for one in running { await one.stop() }
    }

    @Test func onlyWhatIsMeantForTheContactIsTold() async throws {
        let relay = try RunningRelay()
        let (phone, contact) = (try ours.replica(), try theirs.replica())
        let (channel, back) = try channels()
        let (mine, others) = (try phone.ownMessage([1]), try phone.ownMessage([2]))
        try await phone.write {
            try $0.post("chat", others, [2])
            try $0.post("chat", mine, [1])
        }
        let running = [
            try running(phone, channel, relay) { $0 == mine },
            try running(contact, back, relay),
        ]
        try await wait { try await contact.get("chat", mine)?.body == [1] }
        try await phone.write { try $0.edit("chat", others, [3]) }
        try await wait { try await phone.outbox("chat").map(\.key) == [others] }
        #expect(try await contact.message("chat", others) == nil)
        for one in running { await one.stop() }
    }

    /// Many messages both ways at once, far beyond the window: nobody waits for the other for ever.
    @Test func aBacklogOnBothSides() async throws {
        let relay = try RunningRelay()
        let (phone, contact) = (try ours.replica(), try theirs.replica())
        let (channel, back) = try channels()
        let large = [UInt8](repeating: 5, count: 2_000)
        for replica in [phone, contact] {
            try await replica.write { transaction in
                for number in UInt16(0)..<300 {
                    let id = [UInt8(number >> 8), UInt8(number & 255)]
                    try transaction.post("chat", try transaction.ownMessage(id), id + large)
                }
            }
        }
        let running = [try running(phone, channel, relay), try running(contact, back, relay)]
        for replica in [phone, contact] {
            while try await !replica.outbox("chat").isEmpty {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        #expect(try await phone.list("chat").count == 600)
        #expect(try await contact.list("chat").count == 600)
        for one in running { await one.stop() }
    }

    @Test func aContactIsMetOnARelayOnly() throws {
        let phone = try ours.replica()
        let channel = try channels().ours
        #expect(throws: PeerError.self) {
            try ContactPeer(
                phone, "chat", channel: channel, over: .tcp(host: "h", port: 1),
                isForContact: { _ in true })
        }
    }
}
