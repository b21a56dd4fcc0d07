import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// Ordinary deletes and edits, and ids that hide each other: no sketch fails, and no row goes twice (Spec SYNC-046,
/// SYNC-050).
@Suite struct SketchWasteTests {
    /// Joins both until they agree, and gives what was sent by kind.
    @discardableResult
    private func join(_ fleet: SimulatedFleet) throws -> [FrameKind: Int] {
        fleet.isRecording = true
        fleet.recorded = []
        for link in fleet.links { fleet.cut(link) }
        fleet.traffic = SimulatedTraffic()
        try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 3)
        try fleet.expectEqual()
        return fleet.traffic.frames
    }

    /// The number of the replica with the lesser id, which asks.
    private func asker(_ fleet: SimulatedFleet) -> Int {
        fleet.replicas[0].id < fleet.replicas[1].id ? 0 : 1
    }

    @Test(arguments: [true, false]) func deletes(_ byAsker: Bool) throws {
        // Of this seed the opening tells, for both sets.
        let fleet = try SimulatedFleet(2, schema: allPolicies, random: SeededRandom(seed: 1))
        try fleet.share(0..<100)
        try fleet.share(1_000..<1_050, bodyBytes: nil)
        let deleter = byAsker ? asker(fleet) : 1 - asker(fleet)
        try fleet.write(deleter) { tx in
            for number in 0..<10 { _ = try tx.delete("notes", Key("\(number)")) }
        }
        let frames = try join(fleet)
        #expect(!fleet.hasFailedSketch)
        #expect(fleet.rangeRequests.isEmpty)
        #expect(
            frames == [
                .hello: 2, .digest: 5, .sketchRequest: 3, .reconcileResponse: 3,
            ])
        #expect(fleet.traffic.rows <= 20, "the tombstones, and the rows that they replace")
    }

    /// Two versions of a row with one id: found by ranges, of both, and reported by nobody.
    @Test func equalIDs() throws {
        let fleet = try SimulatedFleet.pair(rows: 60)
        for (replica, row) in try fleet.colliding("7").enumerated() {
            try fleet.take([row], replica)
        }
        try join(fleet)
        #expect(fleet.sketchAnswers == [.tooMany(estimate: 0)])
        #expect(Set(fleet.rangeRequests.map(\.sender)) == [0, 1])
        #expect(!fleet.hasFailedSketch)
        #expect(try fleet.bodies(0, "7").count == 3, "the shared version, and the two that came")
        // Sketches go on.
        try fleet.put(0, "new", "body")
        try join(fleet)
        #expect(!fleet.sketchQuestions.isEmpty)
        #expect(fleet.rangeRequests.isEmpty)
    }

    /// Equal ids among other differences: the others go by sketch, then ranges find what is left.
    @Test func equalIDsAmongOthers() throws {
        let fleet = try SimulatedFleet.pair(rows: 60)
        for (replica, row) in try fleet.colliding("7").enumerated() {
            try fleet.take([row], replica)
            for number in 0..<5 { try fleet.put(replica, try Key("\(replica) \(number)"), "new") }
        }
        try join(fleet)
        #expect(!fleet.hasFailedSketch)
        #expect(try fleet.bodies(1, "7").count == 3)
    }

    /// Edits on one side cost a row each, whichever side it is and whether the opening tells.
    @Test(arguments: [true, false], [8, 300]) func edits(_ byAsker: Bool, _ count: Int) throws {
        let fleet = try SimulatedFleet(2, for: "edits \(byAsker) \(count)")
        for number in 0..<1_000 { try fleet.put(number & 1, try Key("\(number)"), "first") }
        try fleet.sync(0, 1)
        let editor = byAsker ? asker(fleet) : 1 - asker(fleet)
        for number in 0..<count { try fleet.put(editor, try Key("\(number)"), "second") }
        try join(fleet)
        #expect(!fleet.sketchQuestions.isEmpty)
        #expect(fleet.rangeRequests.isEmpty)
        // Rows are asked for by the first byte of their leaves: one in 256 edits looks like the version before.
        #expect((count...(count + 2 + count / 20)).contains(fleet.traffic.rows))
        #expect(try fleet.bodies(1 - editor, "7") == ["second"])
        try fleet.expectSilence()
    }

    /// Rows that both edited are not held back, and each side ends with both versions.
    @Test func editsOnBothSides() throws {
        let fleet = try SimulatedFleet(2, for: "editsOnBothSides")
        for number in 0..<100 { try fleet.put(0, try Key("\(number)"), "first") }
        try fleet.sync(0, 1)
        for number in 0..<8 {
            for replica in 0...1 { try fleet.put(replica, try Key("\(number)"), "by \(replica)") }
        }
        try join(fleet)
        #expect(fleet.rangeRequests.isEmpty)
        for replica in 0...1 {
            #expect(Set(try fleet.bodies(replica, "3")) == ["by 0", "by 1"])
        }
    }
}

extension SimulatedFleet {
    /// Two rows of `notes` under a key with bodies by two writers, and one row id (Spec SKETCH-002).
    func colliding(_ key: Key) throws -> [Row] {
        let writers = try (1...2).map { try #require(ReplicaID(ID16(high: 2, low: $0))) }
        let namespace = try replicas[0].gate.read { try $0.key(of: "notes") }
        let held = try read(0) { try $0.row("notes", .live, key) }
        guard case .causal(let before)? = held else {
            throw WireError(.unexpected, .namespaceKnown)
        }
        var seen: [RowID: (writer: Int, row: Row)] = [:]
        for number in 0..<200_000 {
            let writer = number & 1
            let entry = CausalRow.Entry(
                replica: writers[writer], time: UInt64(number + 1), value: [1])
            let row = Row.causal(
                before.merged(with: try #require(CausalRow(key: key, entries: [entry]))))
            let id = RowID(place: namespace.place(of: key), leaf: namespace.leaf(of: row))
            if let other = seen[id], other.writer != writer {
                return [other.row, row]
            }
            seen[id] = (writer, row)
        }
        throw WireError(.unexpected, .namespaceKnown)
    }
}
