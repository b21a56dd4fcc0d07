import Cenotaph
import CenotaphTesting
import Testing

/// What is refused is refused with its reason, and changes nothing.
@Suite struct GateRefusalTests {
    /// A gate with rows of every kind.
    private func filled(_ store: any Store) throws -> GateBench {
        let bench = try GateBench(store)
        try bench.write { transaction in
            try transaction.put("notes", "live", [1])
            try transaction.put("notes", "dead", [1])
            try transaction.delete("notes", "dead")
            for name in ["journal", "archive"] as [NamespaceName] {
                try transaction.append(name, "k", group: "g", [1])
                try transaction.append(name, "l", group: "h", [1])
                try transaction.bury(name, group: "h")
            }
        }
        return bench
    }

    @Test(arguments: StoreKind.allCases) func rules(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try filled(store)
            try bench.expectRefusal(.rowDeleted("dead")) { try $0.put("notes", "dead", [2]) }
            for name in ["journal", "archive"] as [NamespaceName] {
                try bench.expectRefusal(.groupBuried("h")) {
                    try $0.append(name, "new", group: "h", [1])
                }
                try bench.expectRefusal(.eventExists("k")) {
                    try $0.append(name, "k", group: "g", [2])
                }
                try bench.expectRefusal(.eventExists("k")) {
                    try $0.append(name, "k", group: "other", [1])
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func namespacesAndPolicies(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try filled(store)
            let log = Policy.log(buried: .erase)
            try bench.expectRefusal(.unknownNamespace("no")) { try $0.put("no", "k", []) }
            try bench.expectRefusal(.unknownNamespace("no")) { try $0.revive("no", "k", []) }
            try bench.expectRefusal(.unknownNamespace("no")) { try $0.delete("no", "k") }
            try bench.expectRefusal(.unknownNamespace("no")) {
                try $0.append("no", "k", group: "g", [])
            }
            try bench.expectRefusal(.unknownNamespace("no")) { try $0.bury("no", group: "g") }
            try bench.expectRefusal(.unknownNamespace("no")) { _ = try $0.get("no", "k") }
            try bench.expectRefusal(.wrongPolicy("journal", log)) { try $0.put("journal", "k", []) }
            try bench.expectRefusal(.wrongPolicy("journal", log)) {
                try $0.revive("journal", "k", [])
            }
            try bench.expectRefusal(.wrongPolicy("journal", log)) { try $0.delete("journal", "k") }
            try bench.expectRefusal(.wrongPolicy("notes", .causal)) {
                try $0.append("notes", "k", group: "g", [])
            }
            try bench.expectRefusal(.wrongPolicy("notes", .causal)) {
                try $0.bury("notes", group: "g")
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func bodies(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try filled(store)
            let most = [UInt8](repeating: 7, count: Limits.maxBody)
            let over = most + [7]
            let refusal = WriteRefusal.bodyTooLarge(bytes: Limits.maxBody + 1)
            try bench.expectRefusal(refusal) { try $0.put("notes", "live", over) }
            try bench.expectRefusal(refusal) { try $0.revive("notes", "dead", over) }
            try bench.expectRefusal(refusal) { try $0.append("journal", "n", group: "g", over) }
            let key = try Key([UInt8](repeating: 0xff, count: Limits.maxKey))
            #expect(throws: WireError.self) {
                try Key([UInt8](repeating: 0, count: Limits.maxKey + 1))
            }
            try bench.write { transaction in
                try transaction.put("notes", key, most)
                try transaction.append("journal", key, group: key, most)
                try transaction.append("archive", key, group: key, most)
            }
            #expect(try bench.bodies("notes", key) == [most])
            #expect(try bench.bodies("journal", key) == [most])
            try bench.write { try $0.bury("journal", group: key) }
            #expect(try bench.bodies("journal", key).isEmpty)
            #expect(try bench.inconsistency() == nil)
        }
    }

    /// A row of 1,024 writers takes no further one, but every writer in it may go on (Spec MERGE-016).
    @Test(arguments: StoreKind.allCases) func writers(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            var random = SeededRandom(seed: 3)
            func row(_ key: Key, _ count: Int) throws -> Row {
                let entries = (0..<count).map { index in
                    CausalRow.Entry(
                        replica: .random(using: &random), time: 1,
                        value: index.isMultiple(of: 2) ? [1] : nil)
                }
                return .causal(try #require(CausalRow(key: key, entries: entries)))
            }
            let (full, roomy) = (try row("full", 1_024), try row("roomy", 1_023))
            try bench.write { transaction throws in
                #expect(try transaction.merge("notes", full) == .changed)
                #expect(try transaction.merge("notes", roomy) == .changed)
            }
            try bench.expectRefusal(.tooManyWriters("full")) { try $0.put("notes", "full", [2]) }
            try bench.expectRefusal(.tooManyWriters("full")) { try $0.revive("notes", "full", [2]) }
            try bench.expectRefusal(.tooManyWriters("full")) { try $0.delete("notes", "full") }
            try bench.write { try $0.put("notes", "roomy", [2]) }
            try bench.write { try $0.delete("notes", "roomy") }
            try bench.write { try $0.revive("notes", "roomy", [3]) }
            #expect(try bench.bodies("notes", "roomy") == [[3]])
            let another = try row("roomy", 1)
            let before = try bench.dump()
            #expect(try bench.write { try $0.merge("notes", another) } == .refused(.range))
            #expect(try bench.dump() == before)
        }
    }

    /// Conflicts up to 16 MiB are kept; a piece that would go beyond leaves the row (Spec CONV-009).
    @Test(arguments: StoreKind.allCases) func hugeRows(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            var random = SeededRandom(seed: 4)
            let body = [UInt8](repeating: 7, count: Limits.maxBody)
            func piece() throws -> Row {
                let entry = CausalRow.Entry(
                    replica: .random(using: &random), time: 1, value: body)
                return .causal(try #require(CausalRow(key: "k", entries: [entry])))
            }
            for _ in 0..<17 {
                #expect(try bench.write { try $0.merge("notes", piece()) } == .changed)
            }
            let before = try bench.dump()
            #expect(try bench.write { try $0.merge("notes", piece()) } == .refused(.tooLarge))
            #expect(try bench.dump() == before)
            #expect(try bench.bodies("notes", "k").count == 17)
            #expect(try bench.inconsistency() == nil)
            // A write over them is small again.
            try bench.write { try $0.put("notes", "k", body) }
            #expect(try bench.bodies("notes", "k") == [body])
            #expect(try bench.inconsistency() == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func clock(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try filled(store)
            bench.milliseconds = 1 << 47
            try bench.expectRefusal(.clockExhausted) { try $0.put("notes", "live", [2]) }
            try bench.expectRefusal(.clockExhausted) { try $0.bury("journal", group: "g") }
            bench.milliseconds = 1 << 47 - 1
            try bench.write { try $0.put("notes", "live", [2]) }
            // A row of one's own from the future, as a restored store meets it: writes go on above it.
            bench.milliseconds = 0
            let entry = CausalRow.Entry(
                replica: bench.gate.replica, time: Limits.maxTime, value: [9])
            let row = try #require(CausalRow(key: "own", entries: [entry]))
            #expect(try bench.write { try $0.merge("notes", .causal(row)) } == .changed)
            try bench.expectRefusal(.clockExhausted) { try $0.put("notes", "own", [2]) }
            try bench.write { try $0.put("notes", "live", [3]) }
        }
    }

    /// A refusal that the caller catches inside the transaction leaves the rest of it sound.
    @Test(arguments: StoreKind.allCases) func caughtInside(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try filled(store)
            try bench.write { transaction in
                try transaction.put("notes", "one", [1])
                #expect(throws: GateError.refused(.rowDeleted("dead"))) {
                    try transaction.put("notes", "dead", [1])
                }
                #expect(throws: GateError.refused(.groupBuried("h"))) {
                    try transaction.append("journal", "n", group: "h", [1])
                }
                try transaction.put("notes", "two", [2])
            }
            #expect(
                try bench.gate.read { try $0.list("notes") }.map(\.key) == ["live", "one", "two"])
            #expect(try bench.inconsistency() == nil)
        }
    }
}
