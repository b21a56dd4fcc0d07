import Cenotaph
import CenotaphTesting
import Testing

/// Class S: who comes back from long ago takes the deletes first, and keeps its own unsent work.
///
/// There is no barrier in this version: no tombstone is ever dropped, so nobody is too old to speak.
@Suite struct ReturnTests {
    /// B28: a tablet that was away brings none of 587 deleted rows back, and its own new row reaches all.
    @Test(arguments: Mortal.allCases) func b28_aTabletBackAfterWeeks(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "B28 \(kind)")
        let (hub, tablet) = (1, 2)
        try fleet.write(0) { tx in for row in 0..<600 { try kind.create("row \(row)", tx) } }
        try fleet.sync(0, hub)
        try fleet.sync(hub, tablet)
        try fleet.write(0) { tx in for row in 0..<587 { try kind.kill("row \(row)", tx) } }
        try fleet.sync(0, hub)
        for replica in fleet.replicas { replica.milliseconds += 19 * 86_400_000 }
        for replica in 0...1 { try fleet.replicas[replica].gate.scrub() }
        try fleet.create(tablet, kind, "written on the way")
        try fleet.sync(hub, tablet)
        try fleet.expectRest(dead: kind, (0..<587).map { "row \($0)" })
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.list(kind.namespace) }.count == 14)
            #expect(try fleet.isSeen(replica, kind, "written on the way"))
            #expect(try fleet.tombstones(replica, kind.namespace) == 587)
        }
    }

    /// A store file from before the delete, put back in its place, brings nothing back, on no device.
    @Test(arguments: Mortal.allCases) func S1_aRestoredFileBringsNothingBack(_ kind: Mortal) throws
    {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            3, schema: everyPolicy, random: SeededRandom(for: "S1 \(kind)"),
            makeStore: folder.makeStore)
        for name in ["x", "y"] { try fleet.create(0, kind, name) }
        for other in [1, 2] { try fleet.sync(0, other) }
        let copy = try folder.backUp(0, of: fleet)
        for replica in fleet.replicas { replica.milliseconds += 1_000 }
        try fleet.kill(0, kind, "x")
        try fleet.sync(0, 1)
        try folder.restore(0, from: copy, in: fleet)
        #expect(try fleet.isSeen(0, kind, "x"))
        // First the one that has not heard either, then the one that has.
        try fleet.sync(0, 2)
        try fleet.expectRest(dead: kind, ["x"])
        for replica in 0..<3 { #expect(try fleet.isSeen(replica, kind, "y")) }
    }

    /// What a restored device writes anew is kept, the lost delete holds, and a delete that only the lost file knew is
    /// lost with it: nothing guesses.
    @Test func S2_aRestoredDevicesNewWorkIsKept() throws {
        for name in ["notes", "devices"] as [NamespaceName] {
            let folder = try StoreFolder()
            let fleet = try SimulatedFleet(
                2, schema: everyPolicy, random: SeededRandom(for: "S2 \(name)"),
                makeStore: folder.makeStore)
            for key in ["x", "y", "z"] as [Key] { try fleet.put(0, name, key, "old") }
            try fleet.sync(0, 1)
            let copy = try folder.backUp(0, of: fleet)
            fleet.replicas[0].milliseconds += 1_000
            try fleet.delete(0, name, "x")
            try fleet.sync(0, 1)
            try fleet.delete(0, name, "y")
            try folder.restore(0, from: copy, in: fleet)
            fleet.replicas[0].milliseconds += 1_000
            try fleet.put(0, name, "z", "after the restore")
            try fleet.put(0, name, "new", "after the restore")
            try fleet.expectRest(
                name,
                ["x": [], "y": ["old"], "z": ["after the restore"], "new": ["after the restore"]])
        }
    }

    /// An edit that a device made before it heard of the delete: each policy's one answer, on every device.
    @Test func S3_unsentEditsOfADeviceFromLongAgo() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "S3")
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.put(0, name, "edited before", "old")
            try fleet.put(0, name, "edited after", "old")
        }
        try fleet.create(0, .message, "m")
        for other in [1, 2] { try fleet.sync(0, other) }
        let message = try fleet.message("m")
        fleet.replicas[2].milliseconds += 10
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.put(2, name, "edited before", "edited away")
        }
        fleet.replicas[0].milliseconds += 1_000
        for key in ["edited before", "edited after"] as [Key] {
            for name in ["notes", "devices"] as [NamespaceName] { try fleet.delete(0, name, key) }
        }
        try fleet.write(0) { _ = try $0.deleteForEveryone("chat", message) }
        fleet.replicas[2].milliseconds += 2_000
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.put(2, name, "edited after", "edited away")
        }
        try fleet.write(2) { try $0.edit("chat", message, Array("edited away".utf8)) }
        try fleet.sync(0, 1)
        // Under causal the concurrent edit lives whatever the clocks said; under lastWriter the later write does.
        try fleet.expectRest(
            "notes", ["edited before": ["edited away"], "edited after": ["edited away"]])
        try fleet.expectRest("devices", ["edited before": [], "edited after": ["edited away"]])
        try fleet.expectRest("chat", [message: []])
    }

    /// A device with an older schema exchanges nothing and loses nothing, and brings nothing back once it has the newer.
    @Test func S4_anOlderSchemaIsRefusedAndKept() throws {
        let older = Schema { Namespace("notes", .causal) }
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "S4"))
        let old = try fleet.addReplica(schema: older)
        try fleet.put(old, "notes", "x", "old")
        try fleet.put(old, "notes", "mine", "unsent")
        try fleet.put(0, "notes", "x", "here")
        try fleet.delete(0, "notes", "x")
        let link = try fleet.connect(0, old)
        try fleet.drain()
        for _ in 0..<3 { try fleet.round() }
        #expect(link.isBlocked)
        #expect(fleet.traffic.rows == 0)
        #expect(try fleet.seen(old, "notes", "mine") == ["unsent"])
        fleet.cut(link)
        try fleet.upgrade(old, to: everyPolicy)
        try fleet.expectRest("notes", ["mine": ["unsent"], "x": ["old"]])
    }
}
