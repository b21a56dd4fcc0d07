import Cenotaph
import CenotaphTesting
import Testing

/// Class R: a second life is above the first.
@Suite struct SecondLifeTests {
    static let names: [NamespaceName] = ["notes", "devices"]

    /// B49 under lastWriter: create, delete, create again with one id; old frames change nothing.
    @Test func b49_aSecondLifeUnderLastWriter() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "B49 lastWriter")
        fleet.isRecording = true
        try fleet.connect(0, 1)
        try fleet.put(0, "devices", "x", "1")
        try fleet.runUntilQuiet(within: 5)
        try fleet.delete(0, "devices", "x")
        try fleet.runUntilQuiet(within: 5)
        #expect(throws: GateError.refused(.rowDeleted("x"))) {
            try fleet.put(1, "devices", "x", "2")
        }
        try fleet.revive(0, "devices", "x", "2")
        try fleet.runUntilQuiet(within: 5)
        #expect(try fleet.seen(1, "devices", "x") == ["2"])
        try fleet.write(1) { tx in
            try tx.delete("devices", "x")
            try tx.revive("devices", "x", Array("3".utf8))
        }
        try fleet.runUntilQuiet(within: 5)
        for frame in fleet.recorded.shuffled(using: &fleet.random) { try fleet.redeliver(frame) }
        try fleet.expectRest("devices", ["x": ["3"]])
    }

    /// Undo on a device whose clock is behind the deleter's: the new life still is the later write.
    @Test(arguments: names) func R1_undoByADeviceWhoseClockIsBehind(_ name: NamespaceName) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "R1 \(name)")
        try fleet.put(0, name, "x", "1")
        fleet.replicas[0].milliseconds += 86_400_000
        try fleet.delete(0, name, "x")
        for other in [1, 2] { try fleet.sync(0, other) }
        fleet.replicas[1].milliseconds -= 86_400_000
        try fleet.revive(1, name, "x", "undone")
        try fleet.sync(1, 2)
        #expect(try fleet.seen(2, name, "x") == ["undone"])
        try fleet.expectRest(name, ["x": ["undone"]])
    }

    /// An import over dead keys does nothing at all by itself, and all of it or nothing when it may revive.
    @Test(arguments: names) func R2_anImportOverDeadKeysIsWholeOrNothing(_ name: NamespaceName)
        throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "R2 \(name)")
        fleet.isRecording = true
        try fleet.connect(0, 1)
        for number in 0..<10 { try fleet.put(0, name, try Key("row \(number)"), "first") }
        for number in 0..<5 { try fleet.delete(0, name, try Key("row \(number)")) }
        try fleet.runUntilQuiet(within: 5)
        let before = try fleet.replicas[0].summary()
        #expect(throws: GateError.self) {
            try fleet.write(0) { tx in
                for number in (0..<10).reversed() {
                    try tx.put(name, try Key("row \(number)"), Array("imported".utf8))
                }
            }
        }
        #expect(try fleet.replicas[0].summary() == before)
        try fleet.write(0) { tx in
            for number in 0..<10 {
                try tx.revive(name, try Key("row \(number)"), Array("imported".utf8))
            }
        }
        for frame in fleet.recorded { try fleet.redeliver(frame) }
        let all = try (0..<10).map { (try Key("row \($0)"), ["imported"]) }
        try fleet.expectRest(name, Dictionary(uniqueKeysWithValues: all))
        for replica in 0...1 { #expect(try fleet.tombstones(replica, name) == 0) }
    }

    /// Lives and deaths of one key on two devices in turn, each frame ever sent handed to a third in any order.
    @Test(arguments: names) func R3_manyLivesInAnyOrder(_ name: NamespaceName) throws {
        for lives in 1...6 {
            let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "R3 \(name) \(lives)")
            var states: [Row] = []
            for life in 0..<lives {
                try fleet.revive(life % 2, name, "x", "life \(life)")
                states += try fleet.rows(life % 2, name)
                try fleet.sync(0, 1)
                guard life < lives - 1 || lives.isMultiple(of: 2) else { continue }
                try fleet.delete((life / 2) % 2, name, "x")
                states += try fleet.rows((life / 2) % 2, name)
                try fleet.sync(0, 1)
            }
            states.shuffle(using: &fleet.random)
            _ = try fleet.replicas[2].gate.write { tx in
                for row in states { _ = try tx.merge(name, row) }
            }
            let expected = lives.isMultiple(of: 2) ? [] : ["life \(lives - 1)"]
            #expect(try fleet.seen(2, name, "x") == expected)
            try fleet.expectRest(name, ["x": expected])
        }
    }

    /// One device deletes the first life while another has deleted it and begun a second.
    @Test(arguments: [true, false]) func R4_aDeleteOfTheFirstLifeBesideTheSecond(_ late: Bool)
        throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "R4")
        for name in SecondLifeTests.names { try fleet.put(0, name, "x", "1") }
        try fleet.sync(0, 1)
        fleet.replicas[0].milliseconds += 10
        for name in SecondLifeTests.names {
            try fleet.delete(0, name, "x")
            try fleet.revive(0, name, "x", "2")
        }
        fleet.replicas[1].milliseconds += late ? 20 : 5
        for name in SecondLifeTests.names { try fleet.delete(1, name, "x") }
        try fleet.expectRest("notes", ["x": ["2"]])
        try fleet.expectRest("devices", ["x": late ? [] : ["2"]])
    }

    /// What is dead for ever has no second life under its id: a buried group, a recalled message.
    @Test(arguments: [Mortal.event, .hiddenEvent, .message])
    func R5_someDeathsAreForEver(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "R5 \(kind)")
        try fleet.create(0, kind, "x")
        try fleet.kill(0, kind, "x")
        try fleet.sync(0, 1)
        for replica in 0...1 {
            fleet.replicas[replica].milliseconds += 1_000
            #expect(try fleet.write(replica) { try kind.refusesToWrite("x", $0) })
        }
        try fleet.create(1, kind, "another id")
        try fleet.expectRest(dead: kind, ["x"])
        #expect(try fleet.isSeen(0, kind, "another id"))
    }
}
