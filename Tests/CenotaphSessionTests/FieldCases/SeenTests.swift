import Cenotaph
import CenotaphTesting
import Testing

/// Class C: a delete covers only what the deleter had seen.
@Suite struct SeenTests {
    /// B33 and B40 under every policy: an edit against a delete has one result, whoever arrives first and whatever the
    /// clocks said.
    @Test(arguments: [true, false], [true, false])
    func b40_editAgainstDeleteUnderTheOtherPolicies(_ editIsLater: Bool, _ deleteFirst: Bool) throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "B40 others")
        try fleet.put(0, "devices", "x", "v1")
        try fleet.create(0, .message, "m")
        try fleet.sync(0, 2)
        try fleet.sync(1, 2)
        let message = try fleet.message("m")
        fleet.replicas[0].milliseconds += editIsLater ? 20 : 10
        fleet.replicas[1].milliseconds += editIsLater ? 10 : 20
        try fleet.put(0, "devices", "x", "v2")
        try fleet.write(0) { try $0.edit("chat", message, [2]) }
        try fleet.delete(1, "devices", "x")
        try fleet.write(1) { _ = try $0.deleteForEveryone("chat", message) }
        for replica in deleteFirst ? [1, 0, 1] : [0, 1, 0] { try fleet.sync(replica, 2) }
        try fleet.expectRest("devices", ["x": editIsLater ? ["v2"] : []])
        try fleet.expectRest("chat", [message: []])
        for replica in 0..<3 {
            #expect(try fleet.tombstones(replica, "devices") == (editIsLater ? 0 : 1))
            #expect(try fleet.tombstones(replica, "chat") == 1)
        }
    }

    /// B33, variant 2, under lastWriter: an older edit arrives while the delete is queued.
    @Test func b33_anOlderEditDoesNotOvertakeAQueuedDeleteUnderLastWriter() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "B33 lastWriter")
        try fleet.put(0, "devices", "x", "v1")
        for other in [1, 2] { try fleet.sync(0, other) }
        fleet.replicas[1].milliseconds += 5
        try fleet.put(1, "devices", "x", "older edit")
        try fleet.sync(1, 2)
        fleet.replicas[0].milliseconds += 10
        try fleet.delete(0, "devices", "x")
        let link = try fleet.connect(0, 2)
        fleet.holdBackRows(of: 0, on: link)
        for _ in 0..<3 { try fleet.round() }
        #expect(link.counts(of: 0)?.rowsReceived ?? 0 > 0)
        #expect(try fleet.seen(0, "devices", "x") == [])
        try fleet.expectRest("devices", ["x": []])
    }

    /// A delete takes all branches that it saw, and leaves the one that it did not, in every order of arrival.
    @Test func C1_aDeleteTakesAllBranchesThatItSaw() throws {
        for order in orders([0, 1, 2, 3]) {
            let fleet = try SimulatedFleet(
                5, schema: everyPolicy, random: SeededRandom(seed: 17))
            for replica in 0..<4 { try fleet.put(replica, "notes", "x", "branch \(replica)") }
            for replica in 0..<3 { try fleet.sync(replica, 4) }
            #expect(try fleet.seen(4, "notes", "x").count == 3)
            try fleet.delete(4, "notes", "x")
            for replica in order { try fleet.sync(replica, 4) }
            try fleet.sync(order[0], order[3])
            try fleet.expectRest("notes", ["x": ["branch 3"]])
        }
    }

    /// A tombstone of the first life, redelivered in every way, never kills the second one.
    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func C2_anOldTombstoneKillsNoNewerLife(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "C2 \(name)")
        try fleet.put(0, name, "x", "1")
        try fleet.delete(0, name, "x")
        let stone = try fleet.rows(0, name)
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.revive(1, name, "x", "2")
        for _ in 0..<3 {
            for replica in 0..<3 {
                _ = try fleet.replicas[replica].gate.write { tx in
                    for row in stone { _ = try tx.merge(name, row) }
                }
            }
            for pair in [(0, 1), (1, 2), (0, 2)] { try fleet.sync(pair.0, pair.1) }
        }
        try fleet.expectRest(name, ["x": ["2"]])
        for replica in 0..<3 { #expect(try fleet.tombstones(replica, name) == 0) }
    }

    /// Three devices: the deleted value is back in no order of syncs (the counterexample to one value and one vector).
    @Test func C3_theDeletedValueIsBackInNoOrder() throws {
        for order in orders([(0, 1), (1, 2), (0, 2)]) {
            let fleet = try SimulatedFleet(
                3, schema: everyPolicy, random: SeededRandom(seed: 23))
            try fleet.put(1, "notes", "k", "b")
            try fleet.sync(1, 2)
            try fleet.delete(2, "notes", "k")
            try fleet.put(0, "notes", "k", "a")
            for (first, second) in order { try fleet.sync(first, second) }
            try fleet.expectRest("notes", ["k": ["a"]])
        }
    }

    /// An app deletes what it showed: a conflict that arrived since, and that it never showed, lives on.
    @Test func C4_aMissingRowCoversOnlyWhatTheAppShowed() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "C4")
        let storage = ID16(high: 1, low: 1)
        try fleet.write(0) { tx in
            for name in ["notes", "devices"] as [NamespaceName] {
                let row = Listing.Row("x", [1])
                _ = try tx.observe(name, .complete([row], expectedCount: 1, storage: storage))
            }
        }
        try fleet.sync(0, 1)
        fleet.replicas[1].milliseconds += 10
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.put(1, name, "x", "edited")
        }
        try fleet.sync(0, 1)
        try fleet.write(0) { tx in
            for name in ["notes", "devices"] as [NamespaceName] {
                let report = try tx.observe(name, .complete([], expectedCount: 0, storage: storage))
                #expect(report.deleted.isEmpty && report.held == nil)
            }
        }
        try fleet.expectRest("notes", ["x": ["edited"]])
        try fleet.expectRest("devices", ["x": ["edited"]])
    }

    /// A delete and a concurrent delete join, and neither takes a third device's unseen edit.
    @Test func C5_twoDeletesTakeNoUnseenEdit() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(4, for: "C5")
        try fleet.put(0, "notes", "x", "v1")
        for other in 1..<4 { try fleet.sync(0, other) }
        try fleet.put(2, "notes", "x", "v2")
        try fleet.sync(2, 1)
        // One had seen v2, the other had not; v3 covers neither.
        try fleet.put(3, "notes", "x", "v3")
        try fleet.delete(0, "notes", "x")
        try fleet.delete(1, "notes", "x")
        try fleet.sync(0, 1)
        #expect(try fleet.seen(0, "notes", "x") == [])
        try fleet.expectRest("notes", ["x": ["v3"]])
    }
}
