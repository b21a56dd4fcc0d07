import Cenotaph
import CenotaphTesting
import Testing

/// How deletes come back in the wild: the field cases of `causal` rows and logs, each with its right final state.
@Suite struct FieldCaseTests {
    private let a = 0
    private let b = 1

    /// B01: a new device that deleted its samples before its first sync takes nobody's rows away.
    @Test func b01_aNewDeviceDeletesNothing() throws {
        let fleet = try SimulatedFleet(3, for: "B01")
        let (new, hub) = (1, 2)
        for number in 0..<10 { try fleet.put(a, try Key("row \(number)"), "body") }
        try fleet.sync(a, hub)
        try fleet.put(new, "sample", "one")
        try fleet.write(new) { try $0.delete("notes", "sample") }
        try fleet.sync(new, hub)
        try fleet.sync(a, hub)
        try fleet.expectEqual()
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.list("notes") }.count == 10)
            let notes = try #require(
                try fleet.replicas[replica].digests().first { $0.name == "notes" })
            #expect(notes.tombstones.count == 1)
        }
    }

    /// B08: a delete made while the other side is out of reach survives a crash, and reaches everyone later.
    @Test(arguments: [true, false]) func b08_aPendingDeleteSurvivesACrash(_ inLog: Bool) throws {
        let fleet = try SimulatedFleet(3, for: "B08")
        let (hub, new) = (2, 1)
        try fleet.put(a, "x", "body")
        try fleet.write(a) { try $0.append("journal", "x", group: "c", [1]) }
        try fleet.sync(a, hub)
        // The hub takes no rows: whatever is sent is lost.
        let link = try fleet.connect(a, hub)
        try fleet.runUntilQuiet(within: 3)
        link.carries = { _ in false }
        try fleet.write(a) { transaction in
            if inLog {
                try transaction.bury("journal", group: "c")
            } else {
                try transaction.delete("notes", "x")
            }
        }
        try fleet.drain()
        for _ in 0..<3 { try fleet.round() }
        try fleet.crash(a)
        fleet.cut(link)
        link.carries = { _ in true }
        try fleet.sync(a, hub)
        try fleet.sync(new, hub)
        try fleet.expectEqual()
        for replica in 0..<3 {
            let view = try fleet.replicas[replica].view()
            #expect(view["notes"]?.isEmpty == !inLog)
            #expect(view["journal"]?.isEmpty == inLog)
        }
    }

    /// B33: an edit made before its author saw the delete survives on all, in every order.
    @Test(arguments: [true, false]) func b33_aConcurrentEditSurvivesEverywhere(_ deleteFirst: Bool)
        throws
    {
        let fleet = try SimulatedFleet(3, for: "B33")
        let hub = 2
        try fleet.put(a, "x", "v1")
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        try fleet.put(b, "x", "edit")
        try fleet.write(a) { try $0.delete("notes", "x") }
        for replica in deleteFirst ? [a, b, a] : [b, a, b] { try fleet.sync(replica, hub) }
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.bodies(replica, "x") == ["edit"]) }
    }

    /// B33, variant 2: an older edit arrives while the delete is queued, and what the delete had seen stays dead.
    @Test func b33_anOlderEditDoesNotOvertakeAQueuedDelete() throws {
        let fleet = try SimulatedFleet(3, for: "B33 variant")
        let hub = 2
        try fleet.put(b, "x", "old edit")
        fleet.isRecording = true
        try fleet.sync(b, hub)
        try fleet.sync(a, hub)
        let old = fleet.recorded
        try fleet.write(a) { try $0.delete("notes", "x") }
        // Everything that the hub and B ever sent comes once more before A has pushed its delete.
        let link = try fleet.connect(a, hub)
        link.carries = { $0.sender != 0 }
        for frame in old { try fleet.redeliver(frame) }
        #expect(try fleet.bodies(a, "x").isEmpty)
        link.carries = { _ in true }
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.bodies(replica, "x").isEmpty) }
    }

    /// B33 for logs: a device that has not heard of the burial appends; the group stays buried on all.
    @Test(arguments: ["journal", "archive"] as [NamespaceName])
    func b33_lateAppendsStayBuried(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet(3, for: "B33 log")
        let hub = 2
        try fleet.write(a) { try $0.append(name, "one", group: "g", [1]) }
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        try fleet.write(a) { try $0.bury(name, group: "g") }
        try fleet.write(b) { try $0.append(name, "late", group: "g", [2]) }
        #expect(try fleet.read(b) { try $0.list(name) }.count == 2)
        try fleet.sync(b, hub)
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.replicas[replica].view()[name]?.isEmpty == true) }
        #expect(throws: GateError.refused(.groupBuried("g"))) {
            try fleet.write(b) { try $0.append(name, "later", group: "g", [3]) }
        }
    }

    /// B40: one edits, one deletes at the same time, with clocks either way: the edit wins, in both orders of arrival.
    @Test(arguments: [true, false], [true, false])
    func b40_editAgainstDelete(_ editIsLater: Bool, _ swapped: Bool) throws {
        let fleet = try SimulatedFleet(3, for: "B40")
        let hub = 2
        try fleet.put(a, "x", "v1")
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        fleet.replicas[a].milliseconds += editIsLater ? 20 : 10
        fleet.replicas[b].milliseconds += editIsLater ? 10 : 20
        try fleet.put(a, "x", "v2")
        try fleet.write(b) { try $0.delete("notes", "x") }
        for replica in swapped ? [a, b, a] : [b, a, b] { try fleet.sync(replica, hub) }
        try fleet.expectEqual()
        for replica in 0..<3 {
            #expect(try fleet.bodies(replica, "x") == ["v2"])
            let notes = try #require(
                try fleet.replicas[replica].digests().first { $0.name == "notes" })
            #expect(notes.tombstones.count == 0)
        }
    }

    /// B49: create, delete, create again with one id; explicit revives stay put when all old frames come again.
    @Test func b49_aSecondLife() throws {
        let fleet = try SimulatedFleet(2, for: "B49")
        fleet.isRecording = true
        try fleet.connect(a, b)
        try fleet.put(a, "x", "1")
        try fleet.runUntilQuiet(within: 5)
        try fleet.write(a) { try $0.delete("notes", "x") }
        try fleet.runUntilQuiet(within: 5)
        #expect(try fleet.bodies(b, "x").isEmpty)
        #expect(throws: GateError.refused(.rowDeleted("x"))) { try fleet.put(a, "x", "2") }
        #expect(throws: GateError.refused(.rowDeleted("x"))) { try fleet.put(b, "x", "2") }
        try fleet.write(a) { try $0.revive("notes", "x", Array("2".utf8)) }
        try fleet.runUntilQuiet(within: 5)
        for replica in 0...1 { #expect(try fleet.bodies(replica, "x") == ["2"]) }
        try fleet.write(b) { transaction in
            try transaction.delete("notes", "x")
            try transaction.revive("notes", "x", Array("3".utf8))
        }
        try fleet.runUntilQuiet(within: 5)
        fleet.isRecording = false
        for frame in fleet.recorded.shuffled(using: &fleet.random) { try fleet.redeliver(frame) }
        try fleet.runUntilQuiet(within: 5)
        try fleet.expectEqual()
        for replica in 0...1 { #expect(try fleet.bodies(replica, "x") == ["3"]) }
        try fleet.expectSilence()
    }
}
