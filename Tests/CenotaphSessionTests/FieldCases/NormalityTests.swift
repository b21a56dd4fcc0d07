import Cenotaph
import CenotaphTesting
import Testing

/// Class N: repeats, volume, bad items and other versions are normal.
@Suite struct NormalityTests {
    /// B117 for every policy: what another device has deleted is deleted again: done, and at rest afterwards.
    @Test(arguments: Mortal.allCases) func b117_deletedTwiceUnderEveryPolicy(_ kind: Mortal) throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "B117 \(kind)")
        let hub = 2
        for name in ["x", "y"] { try fleet.create(0, kind, name) }
        for other in [1, hub] { try fleet.sync(0, other) }
        for replica in 0...1 { try fleet.kill(replica, kind, "x") }
        try fleet.kill(0, kind, "y")
        try fleet.sync(1, hub)
        for _ in 0..<3 { try fleet.sync(0, hub) }
        try fleet.expectRest(dead: kind, ["x", "y"])
        for replica in 0..<3 { #expect(try fleet.tombstones(replica, kind.namespace) == 2) }
    }

    /// Everything is done twice: the second time nothing is written, and nothing is sent.
    @Test(arguments: Mortal.allCases) func N1_twiceIsOnce(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "N1 \(kind)")
        fleet.isRecording = true
        try fleet.connect(0, 1)
        try fleet.create(0, kind, "x")
        try fleet.create(1, kind, "y")
        try fleet.runUntilQuiet(within: 5)
        try fleet.kill(1, kind, "x")
        try fleet.runUntilQuiet(within: 5)
        fleet.isRecording = false
        let before = try fleet.replicas.map { try $0.summary() }
        // A second delete under lastWriter is a write of its own, later than the first.
        if kind != .device {
            for replica in 0...1 { #expect(try fleet.write(replica) { try !kind.kill("x", $0) }) }
        }
        for frame in fleet.recorded + fleet.recorded.reversed() { try fleet.redeliver(frame) }
        #expect(try fleet.replicas.map { try $0.summary() } == before)
        try fleet.expectRest(dead: kind, ["x"])
        #expect(try fleet.isSeen(0, kind, "y"))
    }

    /// One row that cannot be taken in is set aside with its reason; the others of its frame are taken, and it is offered
    /// again without end or noise.
    @Test func N2_oneBadRowIsSetAside() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "N2")
        let extra = try fleet.crowd("full", on: 0)
        try fleet.write(1) { tx in
            try tx.put("notes", "a", [1])
            try tx.put("notes", "gone", [1])
            try tx.delete("notes", "gone")
        }
        _ = try fleet.replicas[1].gate.write { try $0.merge("notes", extra) }
        try fleet.put(1, "notes", "z", "after it")
        try fleet.connect(0, 1)
        try fleet.drain()
        for _ in 0..<4 { try fleet.round() }
        #expect(try fleet.seen(0, "notes", "a") == ["\u{1}"])
        #expect(try fleet.seen(0, "notes", "z") == ["after it"])
        #expect(try fleet.tombstones(0, "notes") == 1)
        #expect(try fleet.read(0) { try $0.parked() }.map(\.row) == [extra])
        #expect(
            fleet.events.contains { $0.replica == 0 && $0.event == .refused("notes", "full") })
        // A write that covers the crowd makes room, and the fleet comes to rest.
        try fleet.put(0, "notes", "full", "one value")
        let parked = try #require(try fleet.read(0) { try $0.parked() }.first)
        try fleet.write(0) { _ = try $0.dropParked(parked.id) }
        try fleet.delete(0, "notes", "full")
        #expect(try fleet.seen(0, "notes", "full") == [])
    }

    /// With thousands of tombstones on both sides, one new delete costs what one delete costs.
    @Test(arguments: Mortal.allCases) func N3_costFollowsTheDifference(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "N3 \(kind)")
        try fleet.write(0) { tx in
            for number in 0..<1_000 {
                try kind.create("\(number)", tx)
                try kind.kill("\(number)", tx)
            }
            try kind.create("one more", tx)
        }
        try fleet.sync(0, 1)
        #expect(try fleet.tombstones(1, kind.namespace) == 1_000)
        try fleet.kill(0, kind, "one more")
        fleet.traffic = SimulatedTraffic()
        try fleet.sync(0, 1)
        #expect(fleet.traffic.rows <= 2)
        #expect(fleet.traffic.bytes < 60_000)
        try fleet.expectRest(dead: kind, ["one more"])
    }

    /// A refused write takes its neighbours in the transaction with it, deletes too; alone they go through.
    @Test func N4_aRefusedWriteIsRolledBackWithItsNeighbours() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "N4")
        try fleet.connect(0, 1)
        for kind in Mortal.allCases { try fleet.create(0, kind, "x") }
        try fleet.runUntilQuiet(within: 5)
        let before = try fleet.replicas.map { try $0.summary() }
        fleet.traffic = SimulatedTraffic()
        let tooLarge = [UInt8](repeating: 0, count: Limits.maxBody + 1)
        let refused: [(WriteTransaction) throws -> Void] = [
            { try $0.put("notes", "large", tooLarge) },
            { try $0.put("nowhere", "k", [1]) },
            { try $0.put("journal", "k", [1]) },
            { try $0.put("pages", "no child's key", [1]) },
            { _ = try $0.append("journal", "x", group: "other", [9]) },
            { try $0.edit("chat", try $0.ownMessage([9]), [1]) },
        ]
        for write in refused {
            #expect(throws: GateError.self) {
                try fleet.write(0) { tx in
                    for kind in Mortal.allCases.dropFirst(2) { try kind.create("new", tx) }
                    try Mortal.note.kill("x", tx)
                    try write(tx)
                }
            }
        }
        #expect(fleet.traffic == SimulatedTraffic())
        #expect(try fleet.replicas.map { try $0.summary() } == before)
        for kind in Mortal.allCases { try fleet.kill(0, kind, "x") }
        try fleet.expectRest(dead: .note, ["x"])
    }

    /// A storm of lost, repeated, reordered, late and damaged frames, with deletes of every kind, ends in rest.
    @Test(arguments: 0..<4) func N5_aStormEndsInRest(_ run: Int) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "N5 \(run)")
        try fleet.connectAll(faults: .hostile)
        var dead: [Mortal: [String]] = [:]
        for number in 0..<60 {
            let kind = Mortal.allCases[fleet.random.below(Mortal.allCases.count)]
            let name = "\(number)"
            try fleet.create(fleet.random.below(3), kind, name)
            if fleet.random.chance(0.5) { try fleet.round() }
            guard fleet.random.chance(0.6) else { continue }
            // Only what a replica sees can it delete; a burial or a recall needs no row.
            let replica = fleet.random.below(3)
            guard try fleet.isSeen(replica, kind, name) else { continue }
            try fleet.kill(replica, kind, name)
            dead[kind, default: []].append(name)
        }
        fleet.setFaults(.none)
        for (kind, names) in dead { try fleet.expectRest(dead: kind, names) }
    }

    /// Frames that no longer open are passed over by name, change nothing, and the delete in them comes with the next.
    @Test(arguments: Mortal.allCases) func N6_damagedFramesChangeNothing(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "N6 \(kind)")
        let link = try fleet.connect(0, 1)
        try fleet.create(0, kind, "x")
        try fleet.runUntilQuiet(within: 5)
        let before = try fleet.replicas[1].summary()
        link.faults = LinkFaults(corrupt: 1)
        try fleet.kill(0, kind, "x")
        for _ in 0..<5 { try fleet.round() }
        #expect(try fleet.replicas[1].summary() == before)
        #expect(
            fleet.events.contains {
                if case .dropped = $0.event { $0.replica == 1 } else { false }
            })
        link.faults = .none
        try fleet.expectRest(dead: kind, ["x"])
    }
}
