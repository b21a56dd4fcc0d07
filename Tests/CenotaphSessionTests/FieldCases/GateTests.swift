import Cenotaph
import CenotaphTesting
import Testing

/// Class U: every write path passes the same gate.
///
/// Writers of live objects are in `CenotaphTests/FieldCases`.
@Suite struct GateTests {
    /// No path writes a dead row of any policy: not a plain write, not an old frame, not a row based on what it was.
    @Test(arguments: Mortal.allCases) func U1_noPathWritesADeadRow(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "U1 \(kind)")
        fleet.isRecording = true
        try fleet.connect(0, 1)
        try fleet.create(0, kind, "x")
        try fleet.runUntilQuiet(within: 4)
        let key = try fleet.read(0) { try kind.key("x", in: $0) }
        let old = try fleet.rows(0, kind.namespace)
        let base = try fleet.read(0) { try $0.version(kind.namespace, key) }
        try fleet.kill(0, kind, "x")
        try fleet.runUntilQuiet(within: 4)
        let dead = try fleet.replicas.map { try $0.summary() }
        for replica in 0...1 {
            #expect(try fleet.write(replica) { try kind.refusesToWrite("x", $0) })
            for row in old {
                let outcome = try fleet.replicas[replica].gate.write {
                    try $0.merge(kind.namespace, row)
                }.result
                #expect(outcome != .changed)
            }
        }
        if kind == .note || kind == .device {
            let version = try #require(base)
            #expect(throws: GateError.refused(.rowDeleted("x"))) {
                try fleet.write(0) { try $0.put(kind.namespace, key, [1], basedOn: version) }
            }
            let update = try fleet.write(0) {
                try $0.update(kind.namespace, key, [1], basedOn: version)
            }
            #expect(update == nil)
        }
        for frame in fleet.recorded { try fleet.redeliver(frame) }
        #expect(try fleet.replicas.map { try $0.summary() } == dead)
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// An app whose table still shows a dead row is told so, whatever it did to its copy; nothing is written.
    @Test func U2_aListingRevivesNothing() throws {
        for name in ["notes", "devices"] as [NamespaceName] {
            let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "U2 \(name)")
            let storage = ID16(high: 1, low: 1)
            func show(_ body: String) throws -> ObserveReport {
                try fleet.write(0) { tx in
                    let row = Listing.Row("x", Array(body.utf8))
                    return try tx.observe(
                        name, Listing.complete([row], expectedCount: 1, storage: storage))
                }
            }
            _ = try show("v1")
            try fleet.sync(0, 1)
            try fleet.delete(1, name, "x")
            try fleet.sync(0, 1)
            for body in ["v1", "v2", "v2"] {
                let report = try show(body)
                #expect(report.dead == ["x"] && report.written.isEmpty)
            }
            try fleet.expectRest(name, ["x": []])
        }
    }

    /// What one wrote oneself comes back over a third device after it was deleted: it is no write.
    @Test(arguments: Mortal.allCases) func U3_anEchoIsNoWrite(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "U3 \(kind)")
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 1)
        try fleet.sync(1, 2)
        try fleet.kill(0, kind, "x")
        // The echo comes by digests, from those who still have the row, before the delete went out.
        let link = try fleet.connect(0, 2)
        fleet.holdBackRows(of: 0, on: link)
        for _ in 0..<3 { try fleet.round() }
        // A hidden event is on both disks already.
        #expect(kind == .hiddenEvent || link.counts(of: 0)?.rowsReceived ?? 0 > 0)
        #expect(try !fleet.isSeen(0, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// A second process on the same file asks the tombstones that the first one wrote.
    @Test(arguments: Mortal.allCases) func U4_aSecondProcessAsksTheSameTombstones(_ kind: Mortal)
        throws
    {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "U4 \(kind)"),
            makeStore: folder.makeStore)
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 1)
        var random = SeededRandom(seed: 1)
        let other = try Gate(
            store: SQLiteStore(path: folder.path(0), mode: .open), schema: everyPolicy,
            keys: fleet.keys, milliseconds: { SimulatedFleet.startMilliseconds }, random: &random)
        #expect(try other.read { try $0.list(kind.namespace) }.count == 1)
        try fleet.kill(0, kind, "x")
        #expect(try other.write { try kind.refusesToWrite("x", $0) }.result)
        for row in try fleet.rows(1, kind.namespace) {
            #expect(try other.write { try $0.merge(kind.namespace, row) }.result != .changed)
        }
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// A parked row, an old copy set aside, comes back only by an explicit act, and then as a write of its own.
    @Test func U5_aParkedRowWaitsForAnExplicitAct() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "U5")
        let extra = try fleet.crowd("x", on: 0)
        try fleet.delete(0, "notes", "x")
        try fleet.sync(0, 1)
        #expect(try fleet.seen(0, "notes", "x") == [])
        try fleet.crash(0)
        let parked = try #require(try fleet.read(0) { try $0.parked() }.first)
        #expect(parked.row == extra)
        #expect(try fleet.write(0) { try $0.putParked(parked.id) })
        try fleet.expectRest("notes", ["x": ["one too many"]])
        #expect(try fleet.read(0) { try $0.parked() }.isEmpty)
    }

    /// A parked row with several values gives them back one by one: what is not written yet stays parked.
    @Test func U10_aParkedRowGivesEachOfItsValues() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(1, for: "U10")
        _ = try fleet.crowd("x", on: 0)
        let entries = try (1...3).map { number in
            CausalRow.Entry(
                replica: try #require(ReplicaID(ID16(high: 6, low: UInt64(number)))),
                time: UInt64(number), value: Array("value \(number)".utf8))
        }
        let row = try #require(CausalRow(key: "x", entries: entries))
        let outcome = try fleet.replicas[0].gate.write { try $0.merge("notes", .causal(row)) }
            .result
        #expect(outcome == .refused(.range))
        let other = try #require(try fleet.read(0) { try $0.parked() }.first)
        try fleet.write(0) { _ = try $0.dropParked(other.id) }
        for body in ["value 3", "value 2", "value 1"] {
            let parked = try fleet.read(0) { try $0.parked() }
            #expect(parked.count == 1)
            #expect(try fleet.write(0) { try $0.putParked(parked[0].id) })
            #expect(try fleet.seen(0, "notes", "x") == [body])
        }
        #expect(try fleet.read(0) { try $0.parked() }.isEmpty)
    }
}

extension SimulatedFleet {
    /// Fills a row of `notes` with as many writers as it can have, and merges one more, which is set aside.
    func crowd(_ key: Key, on replica: Int) throws -> Row {
        func row(_ numbers: Range<UInt64>, _ body: String) throws -> Row {
            let entries = try numbers.map { number in
                let writer = try #require(ReplicaID(ID16(high: 9, low: number)))
                return CausalRow.Entry(replica: writer, time: number + 1, value: Array(body.utf8))
            }
            return .causal(try #require(CausalRow(key: key, entries: entries)))
        }
        let most = UInt64(Limits.maxVector)
        // One place is left for this replica's own entry, so that it can delete the row.
        let extra = try row(most..<most + 1, "one too many")
        let outcome = try replicas[replica].gate.write { tx in
            try tx.put("notes", key, [0])
            #expect(try tx.merge("notes", row(0..<most - 1, "one of many")) == .changed)
            return try tx.merge("notes", extra)
        }.result
        #expect(outcome == .refused(.range))
        return extra
    }
}
