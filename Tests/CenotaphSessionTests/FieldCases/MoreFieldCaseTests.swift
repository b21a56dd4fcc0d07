import Cenotaph
import CenotaphTesting
import Testing

/// Field cases of equal times, wrong clocks, keys, batches, lost pushes and double deletes.
@Suite struct MoreFieldCaseTests {
    private let a = 0
    private let b = 1
    private let c = 2

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

    /// B81: two spellings are two keys on every device, and one spelling is one row and one tombstone.
    @Test func b81_keysAreBytes() throws {
        let upper: Key = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let lower: Key = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
        let bytes = try Key(try #require(Hex.bytes("6f9619ff8b86d011b42d00cf4fc964ff")))
        // One text in two normal forms of Unicode, equal as Swift strings.
        let composed: Key = "caf\u{e9}"
        let decomposed: Key = "cafe\u{301}"
        let fleet = try SimulatedFleet(3, for: "B81")
        let hub = 2
        for key in [upper, lower, bytes, composed, decomposed] { try fleet.put(a, key, "body") }
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        #expect(try fleet.read(b) { try $0.list("notes") }.count == 5)
        for key in [upper, bytes, composed] { try fleet.write(b) { try $0.delete("notes", key) } }
        try fleet.sync(b, hub)
        try fleet.sync(a, hub)
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
        let fleet = try SimulatedFleet(3, for: "B117")
        let hub = 2
        for key in ["x", "y"] as [Key] { try fleet.put(a, key, "body") }
        try fleet.write(a) { try $0.append("journal", "x", group: "x", [1]) }
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
        for device in [a, b] {
            try fleet.write(device) { transaction throws in
                #expect(try transaction.delete("notes", "x"))
                #expect(try transaction.bury("journal", group: "x"))
            }
        }
        try fleet.write(a) { _ = try $0.delete("notes", "y") }
        try fleet.sync(b, hub)
        try fleet.sync(a, hub)
        try fleet.sync(b, hub)
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
