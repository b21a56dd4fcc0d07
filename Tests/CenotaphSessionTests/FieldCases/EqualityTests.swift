import Cenotaph
import CenotaphTesting
import Testing

/// Class E: equal digests mean equal states, and rest means silence.
@Suite struct EqualityTests {
    /// B109 for every policy: all is deleted and the push is lost; digests alone bring both to the same nothing.
    @Test(arguments: Mortal.allCases) func b109_onlyDigestsRemainForEveryPolicy(_ kind: Mortal)
        throws
    {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "B109 \(kind)")
        let link = try fleet.connect(0, 1)
        try fleet.write(0) { tx in for row in 0..<100 { try kind.create("\(row)", tx) } }
        try fleet.runUntilQuiet(within: 5)
        link.carries = { _ in false }
        try fleet.write(0) { tx in for row in 0..<100 { try kind.kill("\(row)", tx) } }
        try fleet.drain()
        #expect(try fleet.read(1) { try $0.list(kind.namespace) }.count == 100)
        link.carries = { _ in true }
        #expect(try fleet.runUntilQuiet(within: 5) <= 2)
        try fleet.expectRest()
        for replica in 0...1 {
            #expect(try fleet.read(replica) { try $0.list(kind.namespace) }.isEmpty)
            #expect(try fleet.tombstones(replica, kind.namespace) == 100)
        }
    }

    /// Derived rows are in no digest, no frame and no tombstone, whatever is done to them.
    @Test func E1_derivedRowsAreNobodyElses() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "E1")
        let link = try fleet.connect(0, 1)
        try fleet.put(0, "notes", "x", "x")
        try fleet.runUntilQuiet(within: 5)
        let before = try fleet.replicas[0].summary()
        fleet.traffic = SimulatedTraffic()
        try fleet.put(0, "cache", "k", "mine")
        try fleet.put(1, "cache", "k", "yours")
        try fleet.put(0, "cache", "gone", "gone")
        try fleet.delete(0, "cache", "gone")
        try fleet.put(0, "cache", "gone", "back without a revive")
        try fleet.delete(0, "cache", "gone")
        #expect(fleet.traffic == SimulatedTraffic())
        #expect(try fleet.replicas.map { try $0.summary() } == [before, before])
        #expect(try fleet.rows(0, "cache").count == 1)
        #expect(try !fleet.replicas[0].digests().contains { $0.name == "cache" })
        try fleet.crash(0)
        try fleet.expectRest()
        #expect(try fleet.seen(0, "cache", "k") == ["mine"])
        #expect(try fleet.seen(1, "cache", "k") == ["yours"])
        #expect(!link.isBlocked)
    }

    /// Two replicas with the same keys, of which other ones are dead, have other digests; so have other lives of one key.
    @Test(arguments: Mortal.allCases) func E2_theDigestTellsWhoIsDead(_ kind: Mortal) throws {
        var roots: Set<Hash256> = []
        for dead in 0..<4 {
            let fleet = try SimulatedFleet(1, schema: everyPolicy, random: SeededRandom(seed: 51))
            for number in 0..<2 { try fleet.create(0, kind, "\(number)") }
            for number in 0..<2 where dead >> number & 1 == 1 {
                try fleet.kill(0, kind, "\(number)")
            }
            roots.insert(try fleet.read(0) { try $0.root(kind.namespace) })
        }
        #expect(roots.count == 4)
    }

    /// Whatever route the writes took, and however often, equal writes end in equal digests.
    @Test func E3_equalWritesByAnyRoute() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "E3")
        fleet.isRecording = true
        var generator = OperationGenerator(schema: everyPolicy.withoutChildren)
        for _ in 0..<200 {
            let operation = generator.next(using: &fleet.random)
            try fleet.write(fleet.random.below(2)) { _ = try operation.apply(to: $0) }
            if fleet.random.chance(0.05) { try fleet.sync(0, 1) }
        }
        let end = fleet.written
        try fleet.sync(0, 1)
        for _ in 0..<3 {
            let replica = try fleet.addReplica()
            let rows = (end + end.prefix(50)).shuffled(using: &fleet.random)
            _ = try fleet.replicas[replica].gate.write { tx in
                for written in rows { _ = try tx.merge(written.namespace, written.row) }
            }
        }
        #expect(try fleet.isConverged())
        try fleet.expectRest()
    }

    /// A ring of four after a busy day: no write, no row, nothing but summaries, and no clock moves.
    @Test func E4_restIsSilenceInARing() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(4, for: "E4")
        var generator = OperationGenerator(schema: everyPolicy.withoutChildren)
        for first in 0..<4 {
            try fleet.connect(min(first, (first + 1) % 4), max(first, (first + 1) % 4))
        }
        for _ in 0..<150 {
            let operation = generator.next(using: &fleet.random)
            try fleet.write(fleet.random.below(4)) { _ = try operation.apply(to: $0) }
            if fleet.random.chance(0.2) { try fleet.drain() }
        }
        try fleet.runUntilQuiet(within: 20)
        #expect(try fleet.isConverged())
        try fleet.expectSilence()
        let before = try fleet.replicas.map { try $0.summary() }
        for replica in 0..<4 { try fleet.crash(replica) }
        try fleet.runUntilQuiet(within: 3)
        #expect(try fleet.replicas.map { try $0.summary() } == before)
        try fleet.expectSilence()
    }

    /// Two that differ in one tombstone alone do not hold that they agree, and do within two rounds.
    @Test(arguments: Mortal.allCases) func E5_oneTombstoneIsADifference(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "E5 \(kind)")
        let link = try fleet.connect(0, 1)
        try fleet.create(0, kind, "live")
        try fleet.runUntilQuiet(within: 5)
        try fleet.round()
        #expect(link.isAgreed)
        link.carries = { _ in false }
        // Nobody has the row: only a tombstone differs.
        try fleet.create(0, kind, "unknown")
        try fleet.kill(0, kind, "unknown")
        try fleet.drain()
        link.carries = { _ in true }
        #expect(try !fleet.isConverged())
        try fleet.round()
        try fleet.round()
        #expect(try fleet.isConverged())
        #expect(link.isAgreed)
        #expect(try fleet.tombstones(1, kind.namespace) == 1)
    }
}

extension Schema {
    /// The namespaces whose keys a generator may draw freely.
    fileprivate var withoutChildren: Schema {
        guard let schema = try? Schema(namespaces.filter { $0.parent == nil }) else { return self }
        return schema
    }
}
