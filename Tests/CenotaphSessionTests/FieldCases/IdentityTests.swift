import Cenotaph
import CenotaphTesting
import Testing

/// Class I: an identity never counts backwards.
@Suite struct IdentityTests {
    /// B87: a bit copy of a store runs beside it.
    ///
    /// What this version promises: when the two meet, both report a frame of
    /// their own and exchange nothing; over a third device, writes of different rows and deletes of both reach all.
    ///
    /// Not promised yet: that the copy takes a new id. Until then two writes of *one* row by the two count as writes of one
    /// replica: the later time stands for both, and the earlier value is not kept as a conflict.
    @Test func b87_aCopyIsReportedWhenTheTwoMeet() throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            3, schema: everyPolicy, random: SeededRandom(for: "B87"), makeStore: folder.makeStore)
        let (original, copy, other) = (0, 2, 1)
        for name in ["notes", "devices"] as [NamespaceName] { try fleet.put(0, name, "z", "old") }
        try fleet.sync(original, other)
        try folder.restore(copy, from: folder.backUp(original, of: fleet), in: fleet)
        #expect(fleet.replicas[copy].id == fleet.replicas[original].id)
        fleet.replicas[original].milliseconds += 5
        fleet.replicas[copy].milliseconds += 7
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.put(original, name, "x", "x")
            try fleet.put(copy, name, "y", "y")
            try fleet.delete(original, name, "z")
        }
        let link = try fleet.connect(original, copy)
        try fleet.drain()
        for _ in 0..<3 { try fleet.round() }
        for replica in [original, copy] {
            #expect(
                fleet.events.contains {
                    $0.replica == replica
                        && $0.event == .dropped(WireError(.unexpected, .ownFrame))
                })
        }
        #expect(!link.isAgreed)
        #expect(try fleet.seen(copy, "notes", "x") == [])
        fleet.cut(link)
        for replica in [original, copy, original, copy] { try fleet.sync(replica, other) }
        #expect(try fleet.isConverged())
        for replica in 0..<3 {
            for name in ["notes", "devices"] as [NamespaceName] {
                #expect(try fleet.seen(replica, name, "x") == ["x"])
                #expect(try fleet.seen(replica, name, "y") == ["y"])
                #expect(try fleet.seen(replica, name, "z") == [])
            }
        }
    }

    /// A store that stops and starts with its clock set back issues no stamp twice.
    @Test func I1_noStampIsIssuedTwice() throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "I1"), makeStore: folder.makeStore)
        var times: Set<UInt64> = []
        var last: UInt64 = 0
        for step in 0..<30 {
            fleet.replicas[0].milliseconds = SimulatedFleet.startMilliseconds - UInt64(step % 3)
            let key = try Key("key \(step % 4)")
            try fleet.revive(0, "notes", key, "\(step)")
            let stamp = try #require(
                try fleet.read(0) { try $0.get("notes", key) }?.values[0].stamp)
            #expect(times.insert(stamp.time).inserted && stamp.time > last)
            last = stamp.time
            if step.isMultiple(of: 5) { try fleet.crash(0) }
        }
        try fleet.expectRest()
    }

    /// A device that is set up anew is another replica: its deletes and writes stand beside the old one's.
    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func I2_aReinstalledDeviceIsAnotherReplica(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "I2 \(name)")
        for key in ["x", "y", "z"] as [Key] { try fleet.put(0, name, key, "old") }
        try fleet.sync(0, 1)
        try fleet.delete(0, name, "x")
        try fleet.sync(0, 1)
        let new = try fleet.addReplica()
        #expect(fleet.replicas[new].id != fleet.replicas[0].id)
        fleet.replicas[new].milliseconds -= 1_000
        try fleet.sync(1, new)
        try fleet.delete(new, name, "y")
        try fleet.put(new, name, "z", "new")
        try fleet.expectRest(name, ["x": [], "y": [], "z": ["new"]])
    }

    /// Two processes on one file write as one replica and never at one time.
    @Test func I3_twoProcessesShareNoTime() throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "I3"), makeStore: folder.makeStore)
        var random = SeededRandom(seed: 8)
        let second = try Gate(
            store: SQLiteStore(path: folder.path(0), mode: .open), schema: everyPolicy,
            keys: fleet.keys, milliseconds: { SimulatedFleet.startMilliseconds }, random: &random)
        #expect(second.replica == fleet.replicas[0].id)
        #expect(second.incarnation != fleet.replicas[0].gate.incarnation)
        var stamps: Set<Stamp> = []
        for step in 0..<20 {
            let key = try Key("key \(step)")
            let gate = step.isMultiple(of: 2) ? second : fleet.replicas[0].gate
            let rows = try gate.write { try $0.put("devices", key, [1]) }.localRows
            guard case .lastWriter(let row)? = rows.first?.row else { continue }
            stamps.insert(row.stamp)
        }
        #expect(stamps.count == 20)
        try fleet.expectRest()
        #expect(try fleet.read(1) { try $0.list("devices") }.count == 20)
    }

    /// A file put back from before a delete does not number its new writes like the lost ones: nothing of the peers' is
    /// covered by mistake.
    @Test func I4_aRestoredStoreCoversNothingItNeverSaw() throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "I4"), makeStore: folder.makeStore)
        try fleet.put(0, "notes", "x", "v1")
        try fleet.sync(0, 1)
        let copy = try folder.backUp(0, of: fleet)
        fleet.replicas[0].milliseconds += 10
        try fleet.put(0, "notes", "lost", "written and shared, then lost with the file")
        try fleet.sync(0, 1)
        try fleet.put(1, "notes", "x", "v2")
        try folder.restore(0, from: copy, in: fleet)
        fleet.replicas[0].milliseconds += 10
        try fleet.put(0, "notes", "x", "after the restore")
        try fleet.sync(0, 1)
        let both = Set(try fleet.seen(0, "notes", "x"))
        #expect(both == ["v2", "after the restore"])
        try fleet.expectRest("notes", ["lost": ["written and shared, then lost with the file"]])
    }
}
