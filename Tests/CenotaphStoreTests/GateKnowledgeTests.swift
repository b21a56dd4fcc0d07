import Cenotaph
import CenotaphTesting
import Testing

/// Knowledge grows by own writes and by joins that the session allows, and in no other way (Spec MODEL-010).
@Suite struct GateKnowledgeTests {
    private func vector(_ count: Int, seed: UInt64 = 5) -> VersionVector {
        var random = SeededRandom(seed: seed)
        var vector = VersionVector()
        for _ in 0..<count { vector.raise(.random(using: &random), to: 7) }
        return vector
    }

    private func knowledge(_ bench: GateBench, _ name: NamespaceName) throws -> VersionVector {
        try #require(try bench.gate.read { $0.digests.first { $0.name == name } }).knowledge
    }

    @Test(arguments: StoreKind.allCases) func ownWrites(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            let me = bench.gate.replica
            #expect(try knowledge(bench, "notes").entries.isEmpty)
            try bench.write { try $0.put("notes", "k", [1]) }
            let row = try #require(try bench.gate.read { try $0.get("notes", "k") })
            let stamp = try #require(row.values[0].stamp)
            #expect(try knowledge(bench, "notes")[me] == stamp.time)
            #expect(try knowledge(bench, "journal")[me] == 0)
            try bench.write { try $0.delete("notes", "k") }
            #expect(try knowledge(bench, "notes")[me] > stamp.time)
            try bench.write { try $0.bury("journal", group: "g") }
            let buried = try knowledge(bench, "journal")[me]
            #expect(try buried > knowledge(bench, "notes")[me])
            // Nothing changes, so nothing is known anew.
            let before = try bench.dump()
            try bench.write { try $0.bury("journal", group: "g") }
            try bench.write { try $0.delete("notes", "k") }
            #expect(try bench.dump() == before)
        }
    }

    @Test(arguments: StoreKind.allCases) func rowsFromPeersTeachNothing(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            var world = GateSteps(random: SeededRandom(for: "rowsFromPeersTeachNothing"))
            for _ in 0..<100 {
                guard case .merge(let name, let row) = world.next() else { continue }
                try bench.write { _ = try $0.merge(name, row) }
            }
            for digest in try bench.gate.read({ $0.digests }) {
                #expect(digest.knowledge.entries.isEmpty)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func joins(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { try $0.put("notes", "k", [1]) }
            let own = try knowledge(bench, "notes")
            let other = vector(3)
            #expect(try bench.write { try $0.joinKnowledge("notes", other) })
            var joined = own
            joined.join(other)
            #expect(try knowledge(bench, "notes") == joined)
            #expect(try bench.write { try !$0.joinKnowledge("notes", other) })
            #expect(try GateBench(store).dump() == bench.dump())
        }
    }

    /// A join that would exceed 1,024 entries is left out, and one's own writes always find room.
    @Test(arguments: StoreKind.allCases) func limit(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { try $0.joinKnowledge("notes", vector(1_024)) }
            try bench.write { try $0.joinKnowledge("journal", vector(1_023)) }
            try bench.write { transaction in
                try transaction.put("notes", "k", [1])
                try transaction.bury("journal", group: "g")
            }
            #expect(try knowledge(bench, "journal").entries.count == 1_024)
            for name in ["notes", "journal"] as [NamespaceName] {
                let own = try knowledge(bench, name)
                #expect(own[bench.gate.replica] > 0)
                #expect(own.entries.count <= Limits.maxVector)
                #expect(try bench.write { try !$0.joinKnowledge(name, vector(1_024, seed: 6)) })
                #expect(try knowledge(bench, name) == own)
            }
            // What was written can be read again.
            #expect(try GateBench(store).dump() == bench.dump())
        }
    }
}
