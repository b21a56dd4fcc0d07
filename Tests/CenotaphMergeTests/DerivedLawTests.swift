import Cenotaph
import CenotaphTesting
import Testing

/// The law of `derived`: whatever is done to such rows, no frame, digest, tombstone or stamp of any replica is another.
@Suite struct DerivedLawTests {
    private static let schema = Schema {
        Namespace("notes", .causal)
        Namespace("devices", .lastWriter)
        Namespace("cache", .derived)
    }

    /// What can be told from outside: frames by kind, rows, sealed bytes, digests, summaries.
    private struct Outside: Equatable {
        let traffic: SimulatedTraffic
        let digests: [[NamespaceDigest]]
        let summaries: [ID16]
    }

    /// Runs one schedule of writes, with or without those to derived rows, and says what can be seen of it.
    private func outside(_ seed: UInt64, replicas: Int, withDerived: Bool) throws -> Outside {
        let fleet = try SimulatedFleet(
            replicas, schema: DerivedLawTests.schema, random: SeededRandom(seed: seed))
        var random = SeededRandom(seed: seed)
        var generator = OperationGenerator(schema: DerivedLawTests.schema)
        try fleet.connectAll()
        // What a device derived, by the model: a dictionary of its own that nobody else writes to.
        var derived = [[Key: [UInt8]]](repeating: [:], count: replicas)
        for _ in 0..<24 {
            let at = random.below(replicas)
            let operation = generator.next(using: &random)
            let isDrained = random.chance(0.3)
            switch operation {
            case .put("cache", let key, let body), .revive("cache", let key, let body):
                guard withDerived else { continue }
                derived[at][key] = body
            case .delete("cache", let key):
                guard withDerived else { continue }
                derived[at][key] = nil
            default: if isDrained { try fleet.drain() }
            }
            try fleet.write(at) { _ = try operation.apply(to: $0) }
        }
        try fleet.runUntilQuiet(within: 12)
        for (number, replica) in fleet.replicas.enumerated() {
            let view = try replica.view()["cache"] ?? [:]
            #expect(view == derived[number].mapValues { [$0] }, "seed \(seed)")
            let stones = try fleet.read(number) { snapshot in
                var count = 0
                try snapshot.forEachLeaf("cache", .tombstones, .all) { _, _ in
                    count += 1
                    return true
                }
                return count
            }
            #expect(stones == 0, "seed \(seed)")
        }
        return Outside(
            traffic: fleet.traffic, digests: try fleet.replicas.map { try $0.digests() },
            summaries: try fleet.replicas.map { try $0.summary() })
    }

    @Test(arguments: [3, 4]) func derivedRowsChangeNothingOutside(_ replicas: Int) throws {
        var random = SeededRandom(for: "derivedRowsChangeNothingOutside \(replicas)")
        // A whole fleet costs what hundreds of merges cost.
        for _ in 0..<max(20, Environment.schedules(or: 2_000) / 1_000) {
            let seed = random.next()
            let with = try outside(seed, replicas: replicas, withDerived: true)
            let without = try outside(seed, replicas: replicas, withDerived: false)
            guard with == without else {
                Issue.record("seed \(seed): derived rows show outside")
                return
            }
        }
    }
}
