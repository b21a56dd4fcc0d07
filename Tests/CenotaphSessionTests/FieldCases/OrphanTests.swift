import Cenotaph
import CenotaphTesting
import Testing

/// Class O: operations may come before, after or without their target.
@Suite struct OrphanTests {
    /// A delete of a row that a device never had is kept there, given on, and covers the row when it comes.
    @Test(arguments: Mortal.allCases) func O1_aDeleteOfAnUnknownRowIsGivenOn(_ kind: Mortal) throws
    {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            4, schema: everyPolicy, random: SeededRandom(for: "O1 \(kind)"),
            makeStore: folder.makeStore)
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 3)
        try fleet.kill(0, kind, "x")
        // 1 hears of the delete alone; it restarts, 30 days pass, it tells 2, and 2 meets the row.
        try fleet.sync(0, 1)
        fleet.replicas[1].milliseconds += 30 * 86_400_000
        try fleet.crash(1)
        try fleet.sync(1, 2)
        for replica in [1, 2] { #expect(try fleet.tombstones(replica, kind.namespace) == 1) }
        let link = try fleet.connect(2, 3)
        fleet.holdBackRows(of: 2, on: link)
        for _ in 0..<3 { try fleet.round() }
        // A hidden event is on both disks already.
        #expect(kind == .hiddenEvent || link.counts(of: 2)?.rowsReceived ?? 0 > 0)
        #expect(try !fleet.isSeen(2, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// An edit without its message is no message, is given on, and shows once the message comes.
    @Test func O2_anEditWaitsForItsMessageOnEveryDevice() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "O2")
        let key = try fleet.message("m")
        try fleet.create(0, .message, "m")
        try fleet.write(0) { try $0.edit("chat", key, Array("edited".utf8)) }
        let whole = try #require(try fleet.read(0) { try $0.message("chat", key) })
        let edit = try #require(MessageRow(key: key, edit: whole.edit))
        _ = try fleet.replicas[1].gate.write { try $0.merge("chat", .message(edit)) }
        try fleet.sync(1, 2)
        for replica in [1, 2] {
            #expect(try fleet.seen(replica, "chat", key) == [])
            #expect(try fleet.read(replica) { try $0.message("chat", key) } == edit)
        }
        try fleet.sync(1, 2)
        let base = try #require(MessageRow(key: key, base: whole.base))
        _ = try fleet.replicas[2].gate.write { try $0.merge("chat", .message(base)) }
        #expect(try fleet.seen(2, "chat", key) == ["edited"])
        try fleet.expectRest("chat", [key: ["edited"]])
    }

    /// A burial of a group that nobody has written to yet covers what comes, event by event, from anyone.
    @Test(arguments: ["journal", "archive"] as [NamespaceName])
    func O3_aGroupIsBuriedBeforeItsFirstEvent(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "O3 \(name)")
        try fleet.write(0) { _ = try $0.bury(name, group: "g") }
        try fleet.sync(0, 1)
        for number in 0..<5 { try fleet.append(2, name, try Key("e\(number)"), group: "g") }
        try fleet.append(2, name, "other", group: "h")
        let link = try fleet.connect(1, 2)
        fleet.holdBackRows(of: 1, on: link)
        for _ in 0..<3 { try fleet.round() }
        #expect(link.counts(of: 1)?.rowsReceived ?? 0 > 0)
        #expect(try fleet.read(1) { try $0.list(name) }.map(\.key) == ["other"])
        try fleet.expectRest()
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.list(name) }.map(\.key) == ["other"])
        }
    }

    /// Children come before their parent, and a child of a dead parent does not bring it back.
    @Test func O4_childrenComeBeforeTheirParent() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "O4")
        let child = try Key(child: [1], of: "p")
        try fleet.put(0, "notes", "p", "parent")
        try fleet.put(0, "pages", child, "child")
        let rows = try fleet.rows(0, "pages")
        _ = try fleet.replicas[1].gate.write { tx in
            for row in rows { _ = try tx.merge("pages", row) }
        }
        #expect(try fleet.read(1) { try $0.orphans("pages") } == [child])
        try fleet.sync(1, 2)
        try fleet.sync(0, 1)
        #expect(try fleet.read(1) { try $0.orphans("pages") } == [])
        try fleet.delete(1, "notes", "p")
        try fleet.expectRest("pages", [child: []])
        try fleet.expectRest("notes", ["p": []])
    }

    /// A receipt that overtakes its message ends the duty to deliver when the message comes.
    @Test func O5_aReceiptOvertakesItsMessage() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "O5")
        let key = try fleet.message("m")
        try fleet.create(0, .message, "m")
        try fleet.sync(0, 2)
        let receipt = try #require(MessageRow(key: key, isDelivered: true))
        _ = try fleet.replicas[1].gate.write { try $0.merge("chat", .message(receipt)) }
        #expect(try fleet.seen(1, "chat", key) == [])
        try fleet.sync(1, 2)
        #expect(try fleet.read(2) { try $0.outbox("chat") } == [])
        try fleet.expectRest("chat", [key: ["body of m"]])
        for replica in 0..<3 { #expect(try fleet.read(replica) { try $0.outbox("chat") } == []) }
    }
}
