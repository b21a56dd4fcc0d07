@testable import Cenotaph
import Testing

/// Two fleets that are each other's contacts, each with two devices.
@Suite struct MessageTests {
    static let schema = Schema {
        Namespace("chat", .messages)
        Namespace("notes", .causal)
    }
    let ours = FleetKeys.generate()
    let theirs = FleetKeys.generate()

    func replica(_ keys: FleetKeys) throws -> Replica {
        try Replica.inMemory(schema: MessageTests.schema, keys: keys)
    }

    func channels() throws -> (ours: ChannelKeys, theirs: ChannelKeys) {
        func secret() throws -> SecretKey {
            guard let key = SecretKey(copying: (0..<32).map { UInt8($0) }) else {
                throw WireError(.range, .bytesLength)
            }
            return key
        }
        return (
            try ChannelKeys(try secret(), own: ours.fleet, contact: theirs.fleet),
            try ChannelKeys(try secret(), own: theirs.fleet, contact: ours.fleet)
        )
    }

    func sync(_ client: Replica, with server: Replica) async throws {
        let listening = try await PeerServer(server, at: .tcp(host: "127.0.0.1", port: 0))
        let task = Task { try await listening.run() }
        defer { task.cancel() }
        _ = try await Peer(client, over: listening.address).sync(timeout: .seconds(30))
    }

    @Test func aMessageThereAndBack() async throws {
        let (phone, tablet, contact) = (
            try replica(ours), try replica(ours), try replica(theirs)
        )
        let (channel, back) = try channels()
        let key = try phone.ownMessage([1])
        try await phone.write { try $0.post("chat", key, [1]) }
        try await sync(tablet, with: phone)
        #expect(try await tablet.outbox("chat").map(\.body) == [[1]])
        for sealed in try await tablet.operations("chat", [key], for: channel) {
            #expect(try await contact.receive(sealed, fromContact: back) == .changed)
            #expect(try await contact.receive(sealed, fromContact: back) == .unchanged)
        }
        #expect(try await contact.get("chat", key)?.body == [1])
        #expect(try await contact.get("chat", key)?.values.first?.stamp == nil)
        for sealed in try await contact.operations("chat", [key], for: back) {
            try await tablet.receive(sealed, fromContact: channel)
        }
        try await sync(phone, with: tablet)
        #expect(try await phone.outbox("chat") == [])
        try await phone.write { try $0.deleteForEveryone("chat", key) }
        for sealed in try await phone.operations("chat", [key], for: channel) {
            try await contact.receive(sealed, fromContact: back)
        }
        try await sync(tablet, with: phone)
        for replica in [phone, tablet, contact] {
            #expect(try await replica.list("chat").isEmpty)
            #expect(try await replica.message("chat", key)?.scope == .everyone)
        }
        #expect(try await phone.digests().map(\.root) == tablet.digests().map(\.root))
    }

    /// A sync carries what waits, what is hidden and what is deleted, and both end with equal roots.
    @Test func everyShapeTravels() async throws {
        let (phone, tablet) = (try replica(ours), try replica(ours))
        for index in UInt8(1)...200 {
            let key = try phone.ownMessage([index])
            try await phone.write { tx in
                if index % 7 == 0 {
                    try tx.deleteForEveryone("chat", key)
                    return
                }
                try tx.post("chat", key, [index])
                if index % 2 == 0 { try tx.edit("chat", key, [index, index]) }
                if index % 3 == 0 { try tx.markDelivered("chat", key) }
                if index % 5 == 0 { try tx.deleteForMe("chat", key) }
                if index % 11 == 0 { try tx.deleteForEveryone("chat", key) }
            }
            if index % 4 == 0 {
                try await tablet.write { try $0.deleteForMe("chat", key) }
            }
        }
        try await sync(tablet, with: phone)
        #expect(try await phone.digests().map(\.root) == tablet.digests().map(\.root))
        #expect(try await phone.list("chat") == tablet.list("chat"))
        #expect(try await phone.outbox("chat") == tablet.outbox("chat"))
        #expect(try await !phone.outbox("chat").isEmpty)
    }

    @Test func frameKindsKeepToTheirChannels() async throws {
        let (us, them) = (try replica(ours), try replica(theirs))
        let (channel, back) = try channels()
        let header = FrameHeader(sender: them.id)
        let digest = Frame(header: header, body: .digest(.summary(.zero)))
        await #expect(throws: WireError(.unexpected, .channelKind)) {
            try await us.receive(Envelope.seal(digest, with: back), fromContact: channel)
        }
        await #expect(throws: WireError.self) {
            try await us.receive(Envelope.seal(digest, with: ours), fromContact: channel)
        }
        await #expect(throws: WireError(.unexpected, .channelFleetsDiffer)) {
            try await us.receive([], fromContact: back)
        }
        await #expect(throws: WireError(.unexpected, .channelFleetsDiffer)) {
            try await us.operations("chat", [], for: back)
        }
        let hostile = try #require(
            MessageRow(key: try us.ownMessage([1]), scope: .everyone).flatMap {
                MessageOp(namespace: "chat", row: $0)
            })
        let sealed = try Envelope.seal(
            Frame(header: header, body: .messageOp(hostile)), with: back)
        await #expect(throws: GateError.rejected(WireError(.unexpected, .channelOperation))) {
            try await us.receive(sealed, fromContact: channel)
        }
        #expect(try await us.message("chat", try us.ownMessage([1])) == nil)
    }

    /// A fleet's own link takes no `message_op` (Spec SYNC-030).
    @Test func aSessionDropsOperations() async throws {
        let us = try replica(ours)
        let row = try #require(MessageRow(key: try us.ownMessage([1]), scope: .everyone))
        let operation = try #require(MessageOp(namespace: "chat", row: row))
        let peer = try #require(ReplicaID(ID16(high: 1, low: 1)))
        let sealed = try Envelope.seal(
            Frame(header: FrameHeader(sender: peer), body: .messageOp(operation)), with: ours)
        let link = try await us.openLink()
        let dropped = try await us.receive([sealed], on: link.id)
        #expect(try await us.message("chat", row.key) == nil)
        _ = await us.closeLink(link.id)
        #expect(dropped == [.dropped(WireError(.unexpected, .channelKind))])
    }
}
