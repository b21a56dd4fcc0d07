import Cenotaph
import CenotaphTesting
import Testing

/// How deletes come back in the wild: the field cases of `causal` rows and logs, each with its right final state.
@Suite struct FieldCaseTests {
    private let a = 0
    private let b = 1
    private let c = 2

    /// A fleet in which the given replicas are joined to the last one, as devices to a hub.
    private func star(_ count: Int, _ name: String) throws -> SimulatedFleet {
        let fleet = try SimulatedFleet(count, for: name)
        for device in 0..<(count - 1) {
            fleet.cut(try fleet.connect(device, count - 1))
        }
        return fleet
    }

    /// Joins two replicas until they are quiet, then parts them.
    private func sync(_ fleet: SimulatedFleet, _ first: Int, _ second: Int) throws {
        let link = try fleet.connect(min(first, second), max(first, second))
        try fleet.runUntilQuiet(within: 10)
        fleet.cut(link)
    }

    /// B01: a new device that deleted its samples before its first sync takes nobody's rows away.
    @Test func b01_aNewDeviceDeletesNothing() throws {
        let fleet = try star(3, "B01")
        let (new, hub) = (1, 2)
        for number in 0..<10 { try fleet.put(a, try Key("row \(number)"), "body") }
        try sync(fleet, a, hub)
        try fleet.put(new, "sample", "one")
        try fleet.write(new) { try $0.delete("notes", "sample") }
        try sync(fleet, new, hub)
        try sync(fleet, a, hub)
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
        let fleet = try star(3, "B08")
        let (hub, new) = (2, 1)
        try fleet.put(a, "x", "body")
        try fleet.write(a) { try $0.append("journal", "x", group: "c", [1]) }
        try sync(fleet, a, hub)
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
        try sync(fleet, a, hub)
        try sync(fleet, new, hub)
        try fleet.expectEqual()
        for replica in 0..<3 {
            let view = try fleet.replicas[replica].view()
            #expect(view["notes"]?.isEmpty == !inLog)
            #expect(view["journal"]?.isEmpty == inLog)
        }
    }

    /// B33: an edit made before its author saw the delete.
    ///
    /// Under `causal` it survives on all, in every order.
    @Test(arguments: [true, false]) func b33_aConcurrentEditSurvivesEverywhere(_ deleteFirst: Bool)
        throws
    {
        let fleet = try star(3, "B33")
        let hub = 2
        try fleet.put(a, "x", "v1")
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        try fleet.put(b, "x", "edit")
        try fleet.write(a) { try $0.delete("notes", "x") }
        for replica in deleteFirst ? [a, b, a] : [b, a, b] { try sync(fleet, replica, hub) }
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.bodies(replica, "x") == ["edit"]) }
    }

    /// B33, variant 2: an older edit arrives while the delete is queued.
    ///
    /// What the delete had seen stays dead.
    @Test func b33_anOlderEditDoesNotOvertakeAQueuedDelete() throws {
        let fleet = try star(3, "B33 variant")
        let hub = 2
        try fleet.put(b, "x", "old edit")
        fleet.isRecording = true
        try sync(fleet, b, hub)
        try sync(fleet, a, hub)
        let old = fleet.recorded
        try fleet.write(a) { try $0.delete("notes", "x") }
        // Everything that the hub and B ever sent comes once more before A has pushed its delete.
        let link = try fleet.connect(a, hub)
        link.carries = { $0.sender != 0 }
        for frame in old { try fleet.redeliver(frame) }
        #expect(try fleet.bodies(a, "x").isEmpty)
        link.carries = { _ in true }
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.bodies(replica, "x").isEmpty) }
    }

    /// B33 for logs: a device that has not heard of the burial appends; the group stays buried on all.
    @Test(arguments: ["journal", "archive"] as [NamespaceName])
    func b33_lateAppendsStayBuried(_ name: NamespaceName) throws {
        let fleet = try star(3, "B33 log")
        let hub = 2
        try fleet.write(a) { try $0.append(name, "one", group: "g", [1]) }
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        try fleet.write(a) { try $0.bury(name, group: "g") }
        try fleet.write(b) { try $0.append(name, "late", group: "g", [2]) }
        #expect(try fleet.read(b) { try $0.list(name) }.count == 2)
        try sync(fleet, b, hub)
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        try fleet.expectEqual()
        for replica in 0..<3 { #expect(try fleet.replicas[replica].view()[name]?.isEmpty == true) }
        #expect(throws: GateError.refused(.groupBuried("g"))) {
            try fleet.write(b) { try $0.append(name, "later", group: "g", [3]) }
        }
    }

    /// B40: one edits, one deletes at the same time, with clocks either way: the edit wins, in both orders of arrival.
    @Test(arguments: [true, false], [true, false])
    func b40_editAgainstDelete(_ editIsLater: Bool, _ swapped: Bool) throws {
        let fleet = try star(3, "B40")
        let hub = 2
        try fleet.put(a, "x", "v1")
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        fleet.replicas[a].milliseconds += editIsLater ? 20 : 10
        fleet.replicas[b].milliseconds += editIsLater ? 10 : 20
        try fleet.put(a, "x", "v2")
        try fleet.write(b) { try $0.delete("notes", "x") }
        for replica in swapped ? [a, b, a] : [b, a, b] { try sync(fleet, replica, hub) }
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

    /// B70, as far as it is about one device: a write right after a delete, inside one tick of the clock.
    @Test func b70_aRewriteInOneMillisecond() throws {
        let fleet = try SimulatedFleet(2, for: "B70")
        try fleet.connect(a, b)
        try fleet.put(a, "y", "old")
        try fleet.write(a) { try $0.delete("notes", "y") }
        try fleet.write(a) { try $0.revive("notes", "y", Array("n".utf8)) }
        try fleet.runUntilQuiet(within: 5)
        for replica in 0...1 { #expect(try fleet.bodies(replica, "y") == ["n"]) }
    }

    /// B72: a device whose clock shows the year 2099 spoils no key: ordinary later writes and deletes win.
    @Test func b72_aClockFromTheFuture() throws {
        let fleet = try SimulatedFleet(3, for: "B72")
        try fleet.connectAll()
        for key in ["x", "y"] as [Key] { try fleet.put(b, key, "v1") }
        try fleet.runUntilQuiet(within: 5)
        let now = fleet.replicas[a].milliseconds
        fleet.replicas[a].milliseconds = 4_080_000_000_000
        try fleet.put(a, "x", "future")
        try fleet.write(a) { try $0.delete("notes", "y") }
        try fleet.runUntilQuiet(within: 5)
        try fleet.write(b) { try $0.revive("notes", "y", Array("again".utf8)) }
        try fleet.put(c, "x", "ordinary")
        try fleet.runUntilQuiet(within: 5)
        try fleet.expectEqual()
        for replica in 0..<3 {
            #expect(try fleet.bodies(replica, "x") == ["ordinary"])
            #expect(try fleet.bodies(replica, "y") == ["again"])
        }
        fleet.replicas[a].milliseconds = now
        try fleet.put(a, "x", "put right")
        try fleet.write(c) { try $0.delete("notes", "y") }
        try fleet.runUntilQuiet(within: 5)
        try fleet.expectEqual()
        #expect(try fleet.bodies(b, "x") == ["put right"])
        #expect(try fleet.bodies(b, "y").isEmpty)
    }

    /// B81: keys are bytes.
    ///
    /// Two spellings are two keys on every device, and one spelling is one row and one tombstone.
    @Test func b81_keysAreBytes() throws {
        let upper: Key = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let lower: Key = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
        let bytes = try Key(try #require(Hex.bytes("6f9619ff8b86d011b42d00cf4fc964ff")))
        // One text in two normal forms of Unicode, equal as Swift strings.
        let composed: Key = "caf\u{e9}"
        let decomposed: Key = "cafe\u{301}"
        let fleet = try star(3, "B81")
        let hub = 2
        for key in [upper, lower, bytes, composed, decomposed] { try fleet.put(a, key, "body") }
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        #expect(try fleet.read(b) { try $0.list("notes") }.count == 5)
        for key in [upper, bytes, composed] { try fleet.write(b) { try $0.delete("notes", key) } }
        try sync(fleet, b, hub)
        try sync(fleet, a, hub)
        try fleet.expectEqual()
        for replica in 0..<3 {
            let keys = try fleet.read(replica) { try $0.list("notes") }.map(\.key)
            #expect(keys == [lower, decomposed])
            let notes = try #require(
                try fleet.replicas[replica].digests().first { $0.name == "notes" })
            #expect(notes.tombstones.count == 3)
        }
        try fleet.connect(a, hub)
        try fleet.runUntilQuiet(within: 5)
        try fleet.expectSilence()
    }

    /// B90: an edit and a delete of one row in one batch is a delete, whether or not the receiver had the row.
    @Test func b90_editAndDeleteInOneBatch() throws {
        let batch: [(inout WriteSteps) -> Void] = [
            { $0.put("x", "edited") }, { $0.delete("x") }, { $0.put("y", "new") },
            { $0.delete("y") }, { $0.put("z", "new") }, { $0.delete("z") },
            { $0.revive("z", "again") },
        ]
        for together in [true, false] {
            let fleet = try SimulatedFleet(2, for: "B90")
            try fleet.connect(a, b)
            try fleet.put(a, "x", "v1")
            try fleet.runUntilQuiet(within: 5)
            fleet.traffic = SimulatedTraffic()
            var steps = WriteSteps()
            for step in batch { step(&steps) }
            if together {
                try fleet.write(a) { transaction in for step in steps.all { try step(transaction) }
                }
            } else {
                for step in steps.all { try fleet.write(a) { try step($0) } }
            }
            #expect(fleet.traffic.frames == [.syncDelta: together ? 1 : batch.count])
            // The pushed frames alone make it right, before any digest is compared.
            try fleet.drain()
            try fleet.expectEqual()
            for replica in 0...1 {
                #expect(try fleet.bodies(replica, "x").isEmpty)
                #expect(try fleet.bodies(replica, "y").isEmpty)
                #expect(try fleet.bodies(replica, "z") == ["again"])
                let notes = try #require(
                    try fleet.replicas[replica].digests().first { $0.name == "notes" })
                #expect(notes.tombstones.count == 2)
            }
        }
    }

    /// B90 for logs: appended and buried in one batch, with an event that the receiver had before.
    @Test(arguments: ["journal", "archive"] as [NamespaceName])
    func b90_appendAndBuryInOneBatch(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet(2, for: "B90 log")
        try fleet.connect(a, b)
        try fleet.write(a) { try $0.append(name, "old", group: "g", [1]) }
        try fleet.runUntilQuiet(within: 5)
        try fleet.write(a) { transaction in
            try transaction.append(name, "new", group: "g", [2])
            try transaction.append(name, "other", group: "h", [3])
            try transaction.bury(name, group: "g")
        }
        try fleet.drain()
        try fleet.expectEqual()
        for replica in 0...1 {
            #expect(try fleet.read(replica) { try $0.list(name) }.map(\.key) == ["other"])
        }
    }

    /// B109: everything is cleared and the pushed frame is lost: digests alone bring both to the same nothing.
    @Test func b109_onlyDigestsRemain() throws {
        let fleet = try SimulatedFleet(2, for: "B109")
        let link = try fleet.connect(a, b)
        for number in 0..<100 {
            try fleet.put(a, try Key("row \(number)"), "body")
            try fleet.write(a) { try $0.append("journal", Key("e \(number)"), group: "g", [1]) }
        }
        try fleet.runUntilQuiet(within: 5)
        link.carries = { _ in false }
        try fleet.write(a) { transaction in
            for row in try transaction.list("notes") { try transaction.delete("notes", row.key) }
            try transaction.bury("journal", group: "g")
        }
        try fleet.drain()
        #expect(try fleet.read(b) { try $0.list("notes") }.count == 100)
        link.carries = { _ in true }
        #expect(try fleet.runUntilQuiet(within: 5) <= 2)
        try fleet.expectEqual()
        for replica in 0...1 {
            #expect(try fleet.replicas[replica].view().values.allSatisfy(\.isEmpty))
        }
        try fleet.expectSilence()
    }

    /// B109, second run: the state changes between hello and the first question.
    @Test func b109_aChangeBetweenHelloAndQuestion() throws {
        for steps in 0..<12 {
            let fleet = try SimulatedFleet(2, for: "B109 change after \(steps)")
            for number in 0..<40 { try fleet.put(a, try Key("row \(number)"), "body") }
            let link = try fleet.connect(a, b)
            for _ in 0..<steps { try fleet.step() }
            let wasAgreed = link.isAgreed
            // The change is not pushed: it is made as by another process on the same store.
            _ = try fleet.replicas[a].gate.write { transaction in
                for row in try transaction.list("notes") {
                    try transaction.delete("notes", row.key)
                }
            }
            try fleet.drain()
            let equal = try fleet.isConverged()
            // Who has come to hold since that they agree is right (Spec SYNC-014).
            if link.isAgreed, !wasAgreed { #expect(equal, "after \(steps) steps") }
            #expect(try fleet.runUntilQuiet(within: 5) <= 2, "after \(steps) steps")
            try fleet.expectEqual()
            #expect(try fleet.replicas[b].view()["notes"]?.isEmpty == true)
        }
    }

    /// B117: deleting what another device has deleted is done, not an error, and rests afterwards.
    @Test func b117_deletedTwice() throws {
        let fleet = try star(3, "B117")
        let hub = 2
        for key in ["x", "y"] as [Key] { try fleet.put(a, key, "body") }
        try fleet.write(a) { try $0.append("journal", "x", group: "x", [1]) }
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        for device in [a, b] {
            try fleet.write(device) { transaction throws in
                #expect(try transaction.delete("notes", "x"))
                #expect(try transaction.bury("journal", group: "x"))
            }
        }
        try fleet.write(a) { _ = try $0.delete("notes", "y") }
        try sync(fleet, b, hub)
        try sync(fleet, a, hub)
        try sync(fleet, b, hub)
        try fleet.expectEqual()
        for replica in 0..<3 {
            #expect(try fleet.replicas[replica].view().values.allSatisfy(\.isEmpty))
            let digests = try fleet.replicas[replica].digests()
            #expect(digests.map(\.tombstones.count) == [0, 1, 2])
        }
        // Once more, on all: nothing to do, nothing written, nothing sent.
        fleet.traffic = SimulatedTraffic()
        let link = try fleet.connect(a, hub)
        try fleet.runUntilQuiet(within: 5)
        for replica in 0..<3 {
            #expect(try fleet.write(replica) { try !$0.delete("notes", "x") })
            #expect(try fleet.write(replica) { try !$0.bury("journal", group: "x") })
        }
        #expect(fleet.traffic.rows == 0)
        #expect(link.isAgreed)
        try fleet.expectSilence()
    }
}

/// Writes to `notes`, kept to be run in one transaction or in many.
struct WriteSteps {
    private(set) var all: [(WriteTransaction) throws -> Void] = []

    mutating func put(_ key: Key, _ body: String) {
        all.append { try $0.put("notes", key, Array(body.utf8)) }
    }

    mutating func delete(_ key: Key) { all.append { try $0.delete("notes", key) } }

    mutating func revive(_ key: Key, _ body: String) {
        all.append { try $0.revive("notes", key, Array(body.utf8)) }
    }
}
