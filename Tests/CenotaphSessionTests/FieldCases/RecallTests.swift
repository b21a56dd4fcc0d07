import Cenotaph
import CenotaphTesting
import Testing

/// Class M: an erase takes the whole message.
@Suite struct RecallTests {
    /// The pieces of a message that was posted, edited twice, delivered, hidden and recalled.
    private func pieces(_ fleet: SimulatedFleet, _ key: Key) throws -> [MessageRow] {
        let base = MessageRow.Base(direction: .outbound, postedAt: 1_000, body: [0xaa])
        let early = MessageRow.Edit(editedAt: 2_000, opID: ID16(high: 1, low: 1), body: [0xbb])
        let late = MessageRow.Edit(editedAt: 9_000, opID: ID16(high: 2, low: 2), body: [0xcc])
        return [
            try #require(MessageRow(key: key, base: base)),
            try #require(MessageRow(key: key, edit: early)),
            try #require(MessageRow(key: key, edit: late)),
            try #require(MessageRow(key: key, isDelivered: true)),
            try #require(MessageRow(key: key, scope: .me)),
            try #require(MessageRow(key: key, scope: .everyone)),
        ]
    }

    private func take(_ row: MessageRow, _ replica: Int, _ fleet: SimulatedFleet) throws {
        _ = try fleet.replicas[replica].gate.write { try $0.merge("chat", .message(row)) }
    }

    /// All orders of all pieces end in one state, without a byte of any text, and never show a text after the recall.
    @Test func M1_piecesInAllOrdersEndInOneState() throws {
        var ends: Set<Hash256> = []
        let fleet = try SimulatedFleet(1, schema: everyPolicy, random: SeededRandom(seed: 31))
        let key = try fleet.message("m")
        let all = try pieces(fleet, key)
        for order in orders(Array(all.indices)) {
            let replica = try fleet.addReplica()
            var isRecalled = false
            for index in order {
                try take(all[index], replica, fleet)
                isRecalled = isRecalled || all[index].scope == .everyone
                if isRecalled { #expect(try fleet.seen(replica, "chat", key) == []) }
            }
            let row = try #require(try fleet.rows(replica, "chat").first)
            // The row is one that no text was ever in.
            let bodies = try #require(try fleet.read(replica) { try $0.message("chat", key) })
            #expect(bodies.base?.body == [] && bodies.edit == nil)
            #expect(row == .message(bodies))
            ends.insert(try fleet.read(replica) { try $0.root("chat") })
        }
        #expect(ends.count == 1)
    }

    /// Delete-for-me here and delete-for-everyone there: the stronger one, whichever came first, and never back.
    @Test(arguments: [true, false]) func M2_theStrongerScopeStays(_ recallFirst: Bool) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "M2")
        let key = try fleet.message("m")
        try fleet.create(0, .message, "m")
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.write(0) { _ = try $0.deleteForMe("chat", key) }
        try fleet.write(1) { _ = try $0.deleteForEveryone("chat", key) }
        for replica in recallFirst ? [1, 0] : [0, 1] { try fleet.sync(replica, 2) }
        try fleet.expectRest("chat", [key: []])
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.message("chat", key) }?.scope == .everyone)
            #expect(try fleet.write(replica) { try !$0.deleteForMe("chat", key) })
            #expect(try fleet.write(replica) { try !$0.deleteForEveryone("chat", key) })
        }
        try fleet.expectRest("chat", [key: []])
    }

    /// Delete-for-me stays in the fleet: the contact keeps the message, learns nothing, and still gets it.
    @Test func M3_deleteForMeNeverReachesTheContact() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "M3")
        let contact = try SimulatedFleet.ofEveryPolicy(1, for: "M3 contact")
        let key = try fleet.message("m")
        try fleet.create(0, .message, "m")
        try fleet.write(0) { _ = try $0.deleteForMe("chat", key) }
        try fleet.sync(0, 1)
        #expect(try fleet.seen(1, "chat", key) == [])
        let told = try #require(
            try fleet.read(1) { try $0.operation("chat", key, for: contact.keys.fleet) })
        #expect(told.row.scope == .live)
        try contact.write(0) { _ = try $0.receive(told, fromContact: fleet.keys.fleet) }
        #expect(try contact.seen(0, "chat", key) == ["body of m"])
        // Hidden there too, for the contact alone, and no word of it comes back.
        try contact.write(0) { _ = try $0.deleteForMe("chat", key) }
        let back = try #require(
            try contact.read(0) { try $0.operation("chat", key, for: fleet.keys.fleet) })
        #expect(back.row.scope == .live && back.row.isDelivered)
        try fleet.write(0) { _ = try $0.receive(back, fromContact: contact.keys.fleet) }
        #expect(try fleet.read(0) { try $0.outbox("chat") } == [])
        #expect(try fleet.read(0) { try $0.message("chat", key) }?.scope == .me)
        try fleet.expectRest("chat", [key: []])
    }

    /// An edit by a device whose clock shows a later century does not survive the recall.
    @Test func M4_anEditFromTheFutureIsTakenToo() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "M4")
        let key = try fleet.message("m")
        try fleet.create(0, .message, "m")
        for other in [1, 2] { try fleet.sync(0, other) }
        fleet.replicas[1].milliseconds = 4_080_000_000_000
        try fleet.write(1) { try $0.edit("chat", key, Array("from 2099".utf8)) }
        try fleet.write(0) { _ = try $0.deleteForEveryone("chat", key) }
        try fleet.sync(1, 2)
        #expect(try fleet.seen(2, "chat", key) == ["from 2099"])
        try fleet.expectRest("chat", [key: []])
        for replica in 0..<3 {
            #expect(throws: GateError.refused(.messageDeleted(key))) {
                try fleet.write(replica) { try $0.edit("chat", key, [1]) }
            }
        }
    }

    /// The contact gets recall, edit and message in any order: nothing is seen once the recall was there.
    @Test func M5_theContactForgetsEveryEdit() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(1, for: "M5")
        let key = try fleet.message("m")
        var told: [MessageOp] = []
        func tell(_ contact: ID16) throws {
            told.append(
                try #require(try fleet.read(0) { try $0.operation("chat", key, for: contact) }))
        }
        let far = try SimulatedFleet.ofEveryPolicy(1, for: "M5 contact")
        try fleet.create(0, .message, "m")
        try tell(far.keys.fleet)
        for body in ["e1", "e2"] {
            try fleet.write(0) { try $0.edit("chat", key, Array(body.utf8)) }
            try tell(far.keys.fleet)
        }
        try fleet.write(0) { _ = try $0.deleteForEveryone("chat", key) }
        try tell(far.keys.fleet)
        var roots: Set<Hash256> = []
        for order in orders(Array(told.indices)) {
            let replica = try far.addReplica()
            var recalled = false
            for index in order + order {
                try far.write(replica) {
                    _ = try $0.receive(told[index], fromContact: fleet.keys.fleet)
                }
                recalled = recalled || index == told.count - 1
                if recalled { #expect(try far.seen(replica, "chat", key) == []) }
            }
            roots.insert(try far.read(replica) { try $0.root("chat") })
        }
        #expect(roots.count == 1)
    }
}
