import Cenotaph
import CenotaphTesting
import Testing

/// Class T: time is bounded, exact and total.
@Suite struct TimeTests {
    /// B70: two writes and a delete at one time; the delete wins in all orders and groupings.
    @Test func b70_aDeleteWinsAnExactTie() throws {
        for order in orders([(0, 1), (1, 2), (0, 2)]) {
            let fleet = try SimulatedFleet(
                3, schema: everyPolicy, random: SeededRandom(seed: 41))
            // The first write of each, at one reading of the clock, is at one time.
            try fleet.put(0, "devices", "x", "a")
            try fleet.delete(1, "devices", "x")
            try fleet.put(2, "devices", "x", "c")
            let times = try (0..<3).map { replica in
                guard case .lastWriter(let row)? = try fleet.rows(replica, "devices").first else {
                    return UInt64(0)
                }
                return row.stamp.time
            }
            #expect(Set(times).count == 1)
            for (first, second) in order { try fleet.sync(first, second) }
            try fleet.expectRest("devices", ["x": []])
        }
    }

    /// B70, step 3: a device's own later write within one tick is later than its delete.
    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func b70_aRewriteInOneTickUnderEachPolicy(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "B70 \(name)")
        try fleet.write(0) { tx in
            try tx.put(name, "y", [1])
            try tx.delete(name, "y")
            try tx.revive(name, "y", Array("n".utf8))
        }
        try fleet.expectRest(name, ["y": ["n"]])
    }

    /// B72 under lastWriter: a device in the year 2099 locks no key: ordinary later writes win on all.
    @Test func b72_aClockFromTheFutureUnderLastWriter() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "B72 lastWriter")
        for key in ["x", "y"] as [Key] { try fleet.put(1, "devices", key, "v1") }
        try fleet.sync(0, 1)
        try fleet.sync(1, 2)
        let now = fleet.replicas[0].milliseconds
        fleet.replicas[0].milliseconds = 4_080_000_000_000
        try fleet.put(0, "devices", "x", "future")
        try fleet.delete(0, "devices", "y")
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.revive(1, "devices", "y", "again")
        try fleet.put(2, "devices", "x", "ordinary")
        try fleet.expectRest("devices", ["x": ["ordinary"], "y": ["again"]])
        fleet.replicas[0].milliseconds = now
        try fleet.put(0, "devices", "x", "put right")
        try fleet.expectRest("devices", ["x": ["put right"], "y": ["again"]])
    }

    /// A clock that is set back a year still orders a device's own writes, across a restart too.
    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func T1_aClockSetBackOrdersOwnWrites(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "T1 \(name)")
        for (step, body) in ["1", "2", "3", "4"].enumerated() {
            try fleet.put(0, name, "x", body)
            if step == 1 { try fleet.crash(0) }
            fleet.replicas[0].milliseconds -= 365 * 86_400_000
        }
        try fleet.sync(0, 1)
        #expect(try fleet.seen(1, name, "x") == ["4"])
        try fleet.crash(0)
        fleet.replicas[0].milliseconds = 0
        try fleet.delete(0, name, "x")
        try fleet.expectRest(name, ["x": []])
    }

    /// A row from two thousand years ahead can be written over and deleted by anyone, and locks no other key.
    ///
    /// Times are followed up to `Limits.maxFloor`, a little above this one (Spec MODEL-017).
    @Test func T2_aRowAtTheEndOfTimeLocksNothing() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "T2")
        let writer = try #require(ReplicaID(ID16(high: 4, low: 4)))
        let stamp = Stamp(time: Limits.maxFloor - 1_000, replica: writer)
        let row = LastWriterRow(key: "x", stamp: stamp, value: [1])
        _ = try fleet.replicas[0].gate.write { try $0.merge("devices", .lastWriter(row)) }
        try fleet.sync(0, 1)
        try fleet.put(1, "devices", "x", "ordinary")
        try fleet.put(1, "devices", "y", "beside it")
        try fleet.expectRest("devices", ["x": ["ordinary"], "y": ["beside it"]])
        try fleet.delete(0, "devices", "x")
        try fleet.expectRest("devices", ["x": []])
    }

    /// Above that, a write is refused by name and the row stays as it is; all other keys can be written.
    @Test func T3_aTimeThatNobodyFollowsIsRefusedByName() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "T3")
        let writer = try #require(ReplicaID(ID16(high: 4, low: 4)))
        let stamp = Stamp(time: Limits.maxTime, replica: writer)
        let row = LastWriterRow(key: "x", stamp: stamp, value: [0x31])
        _ = try fleet.replicas[0].gate.write { try $0.merge("devices", .lastWriter(row)) }
        try fleet.sync(0, 1)
        for replica in 0...1 {
            #expect(throws: GateError.refused(.clockExhausted)) {
                try fleet.put(replica, "devices", "x", "2")
            }
            try fleet.put(replica, "devices", "y", "fine")
        }
        try fleet.expectRest("devices", ["x": ["1"]])
    }

    /// One value written on two devices at one time is one live value and no lasting conflict of digests.
    @Test func T4_oneValueAtOneTimeOnTwoDevices() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "T4")
        for replica in 0...1 {
            try fleet.put(replica, "devices", "x", "same")
            try fleet.put(replica, "notes", "x", "same")
            try fleet.append(replica, "journal", "e", group: "g")
        }
        try fleet.expectRest("devices", ["x": ["same"]])
        #expect(try fleet.seen(2, "notes", "x") == ["same", "same"])
        try fleet.delete(2, "notes", "x")
        try fleet.write(2) { _ = try $0.bury("journal", group: "g") }
        try fleet.expectRest("notes", ["x": []])
        try fleet.expectRest("journal", ["e": []])
    }
}
