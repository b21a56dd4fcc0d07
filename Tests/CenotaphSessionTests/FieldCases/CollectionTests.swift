import Cenotaph
import CenotaphTesting
import Testing

/// Class G: collect by proof.
///
/// This version collects nothing: a tombstone stays, whatever passes over it.
@Suite struct CollectionTests {
    /// B17: a year passes and everything is scrubbed; the one that missed the delete brings nothing back.
    @Test(arguments: Mortal.allCases) func b17_aYearCollectsNothing(_ kind: Mortal) throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            3, schema: everyPolicy, random: SeededRandom(for: "B17 \(kind)"),
            makeStore: folder.makeStore)
        try fleet.create(0, kind, "x")
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.kill(0, kind, "x")
        try fleet.sync(0, 1)
        for replica in fleet.replicas { replica.milliseconds += 366 * 86_400_000 }
        for replica in [0, 1] {
            try fleet.replicas[replica].gate.scrub()
            try fleet.crash(replica)
            #expect(try fleet.tombstones(replica, kind.namespace) == 1)
        }
        #expect(try fleet.isSeen(2, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
        for replica in 0..<3 { #expect(try fleet.tombstones(replica, kind.namespace) == 1) }
    }

    /// B20: a row is written anew, by another process, while its old bytes are wiped: the second life is whole.
    @Test func b20_aSecondLifeDuringAScrub() throws {
        let folder = try StoreFolder()
        let store = FaultyStore(try folder.makeStore(0, nil))
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "B20"),
            makeStore: { replica, _ -> any Store in
                if replica == 0 { store } else { MemoryStore() }
            })
        try fleet.put(0, "notes", "x", "first life")
        try fleet.sync(0, 1)
        try fleet.delete(0, "notes", "x")
        try fleet.sync(0, 1)
        var random = SeededRandom(seed: 5)
        let other = try Gate(
            store: SQLiteStore(path: folder.path(0), mode: .open), schema: everyPolicy,
            keys: fleet.keys, milliseconds: { SimulatedFleet.startMilliseconds + 1 },
            random: &random)
        for moment in Moment.allCases {
            moment.run(on: store) {
                _ = try other.write { try $0.revive("notes", "x", Array("\(moment)".utf8)) }
            }
            try fleet.replicas[0].gate.scrub()
            #expect(try fleet.seen(0, "notes", "x") == ["\(moment)"])
            try fleet.sync(0, 1)
            try fleet.put(1, "notes", "x", "edited")
            try fleet.expectRest("notes", ["x": ["edited"]])
            try fleet.delete(0, "notes", "x")
        }
    }

    /// What is removed between a scrub and its note is not reported as erased.
    @Test func G1_aDeleteDuringAScrubIsNotReportedAsErased() throws {
        let folder = try StoreFolder()
        let store = FaultyStore(try folder.makeStore(0, nil))
        let fleet = try SimulatedFleet(
            1, schema: everyPolicy, random: SeededRandom(for: "G1"), makeStore: { _, _ in store })
        try fleet.put(0, "notes", "x", "x")
        try fleet.put(0, "notes", "y", "y")
        try fleet.delete(0, "notes", "x")
        var random = SeededRandom(seed: 5)
        let other = try Gate(
            store: SQLiteStore(path: folder.path(0), mode: .open), schema: everyPolicy,
            keys: fleet.keys, milliseconds: { SimulatedFleet.startMilliseconds + 1 },
            random: &random)
        Moment.after.run(on: store) { _ = try other.write { try $0.delete("notes", "y") } }
        try fleet.replicas[0].gate.scrub()
        #expect(try fleet.read(0) { try $0.erasureReport("notes", "y") }.here == .removed)
        try fleet.replicas[0].gate.scrub()
        #expect(try fleet.read(0) { try $0.erasureReport("notes", "y") }.here == .erased)
    }

    /// A peer counts as one that holds a delete only after both agreed, not because it was sent the frame.
    @Test func G2_sendingIsNoAcknowledgement() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "G2")
        let link = try fleet.connect(0, 1)
        try fleet.put(0, "notes", "x", "x")
        try fleet.runUntilQuiet(within: 5)
        try fleet.round()
        let peer = fleet.replicas[1].id
        try fleet.delete(0, "notes", "x")
        try fleet.drain()
        #expect(try fleet.seen(1, "notes", "x") == [])
        var report = try fleet.read(0) { try $0.erasureReport("notes", "x") }
        #expect(report.waitingFor == [peer] && report.acknowledgedBy == [])
        link.carries = { _ in true }
        for _ in 0..<3 { try fleet.round() }
        report = try fleet.read(0) { try $0.erasureReport("notes", "x") }
        #expect(report.waitingFor == [] && report.acknowledgedBy == [peer])
        // A later life and its delete begin anew.
        link.carries = { _ in false }
        try fleet.revive(0, "notes", "x", "again")
        try fleet.delete(0, "notes", "x")
        report = try fleet.read(0) { try $0.erasureReport("notes", "x") }
        #expect(report.waitingFor == [peer])
    }

    /// Peers without number, of which some are forgotten, are no reason to forget a delete.
    @Test(arguments: Mortal.allCases) func G3_forgettingPeersForgetsNoDelete(_ kind: Mortal) throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "G3 \(kind)")
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 1)
        try fleet.kill(0, kind, "x")
        for number in UInt64(1)...300 {
            let peer = try #require(ReplicaID(ID16(high: 3, low: number)))
            fleet.replicas[0].milliseconds += 1
            try fleet.write(0) { try $0.noteAgreement(peer, kind.namespace) }
        }
        #expect(try fleet.tombstones(0, kind.namespace) == 1)
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// A key that lived and died many times leaves one tombstone, which covers all its lives.
    @Test func G4_manyLivesLeaveOneTombstone() throws {
        for name in ["notes", "devices"] as [NamespaceName] {
            let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "G4")
            fleet.isRecording = true
            for life in 0..<8 {
                try fleet.revive(life % 2, name, "x", "life \(life)")
                try fleet.sync(0, 1)
                if life == 4 { try fleet.sync(1, 2) }
                try fleet.delete(1 - life % 2, name, "x")
                try fleet.sync(0, 1)
            }
            try fleet.connectAll()
            for frame in fleet.recorded.shuffled(using: &fleet.random) {
                try fleet.redeliver(frame)
            }
            try fleet.expectRest(name, ["x": []])
            for replica in 0..<3 { #expect(try fleet.tombstones(replica, name) == 1) }
        }
    }
}

/// When another process acts on a store that is being scrubbed.
private enum Moment: CaseIterable {
    case before, after

    /// Lets `body` run once at this moment of the next scrub.
    func run(on store: FaultyStore, _ body: @escaping () throws -> Void) {
        var isScrubbed = false
        store.willCall = { call in
            if call == .scrub { isScrubbed = true }
            // The note that the store was scrubbed is a transaction of its own.
            guard call == .scrub && self == .before || call == .begin && isScrubbed else {
                return nil
            }
            store.willCall = { _ in nil }
            do { try body() } catch { Issue.record("\(error)") }
            return nil
        }
    }
}
