import Cenotaph
import CenotaphTesting
import Testing

/// Local writes do what Spec 07 says, over both stores.
@Suite struct GateWriteTests {
    @Test(arguments: StoreKind.allCases) func causal(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { try $0.put("notes", "k", [1]) }
            #expect(try bench.bodies("notes", "k") == [[1]])
            try bench.write { try $0.put("notes", "k", []) }
            #expect(try bench.bodies("notes", "k") == [[]])
            #expect(try bench.write { try $0.delete("notes", "k") })
            #expect(try bench.bodies("notes", "k").isEmpty)
            #expect(try bench.gate.read { try $0.list("notes") }.isEmpty)
            // A delete of what is dead, and of what never was, changes nothing (Spec MERGE-014).
            let before = try bench.dump()
            #expect(try bench.write { try !$0.delete("notes", "k") })
            #expect(try bench.write { try !$0.delete("notes", "never") })
            #expect(try bench.dump() == before)
            try bench.write { try $0.revive("notes", "k", [2]) }
            try bench.write { try $0.revive("notes", "new", [3]) }
            try bench.write { try $0.revive("notes", "new", [4]) }
            let rows = try bench.gate.read { try $0.list("notes") }
            #expect(rows.map(\.key) == ["k", "new"])
            #expect(rows.map(\.body) == [[2], [4]])
            #expect(rows[0].values[0].stamp?.replica == bench.gate.replica)
            #expect(try bench.inconsistency() == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func conflicts(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { try $0.put("notes", "k", [1]) }
            var random = SeededRandom(seed: 9)
            let other = CausalRow.Entry(
                replica: .random(using: &random), time: Limits.maxTime, value: [2])
            let row = try #require(CausalRow(key: "k", entries: [other]))
            #expect(try bench.write { try $0.merge("notes", .causal(row)) } == .changed)
            #expect(try bench.bodies("notes", "k") == [[2], [1]])
            // The next write covers both, though its stamp is far below one of them.
            try bench.write { try $0.put("notes", "k", [3]) }
            #expect(try bench.bodies("notes", "k") == [[3]])
            #expect(try bench.write { try $0.delete("notes", "k") })
            #expect(try bench.bodies("notes", "k").isEmpty)
            #expect(try bench.write { try $0.merge("notes", .causal(row)) } == .unchanged)
            #expect(try bench.bodies("notes", "k").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases, ["journal", "archive"] as [NamespaceName])
    func log(_ kind: StoreKind, _ name: NamespaceName) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            let erases = name == "journal"
            #expect(try bench.write { try $0.append(name, "k", group: "g", [1]) })
            let before = try bench.dump()
            // The same event again changes nothing (Spec MERGE-007).
            #expect(try bench.write { try !$0.append(name, "k", group: "g", [1]) })
            #expect(try bench.dump() == before)
            try bench.write { try $0.append(name, "l", group: "h", [2]) }
            #expect(try bench.write { try $0.bury(name, group: "g") })
            #expect(try bench.write { try !$0.bury(name, group: "g") })
            #expect(try bench.write { try $0.bury(name, group: "unknown") })
            #expect(try bench.gate.read { try $0.isBuried(name, group: "g") })
            #expect(try bench.gate.read { try !$0.isBuried(name, group: "h") })
            #expect(try bench.bodies(name, "k").isEmpty)
            #expect(try bench.bodies(name, "l") == [[2]])
            #expect(try bench.gate.read { try $0.list(name) }.map(\.key) == ["l"])
            #expect(try bench.gate.read { try $0.row(name, .live, "k") } == nil || !erases)
            #expect(try bench.inconsistency() == nil)
            // Under `erase` the key is free again, under `hide` its event is still there.
            if erases {
                #expect(try bench.write { try $0.append(name, "k", group: "h", [3]) })
            } else {
                try bench.expectRefusal(.eventExists("k")) {
                    try $0.append(name, "k", group: "h", [3])
                }
            }
            #expect(try bench.inconsistency() == nil)
        }
    }

    /// A transaction sees what it wrote, and commits it together.
    @Test(arguments: StoreKind.allCases) func oneTransaction(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            let committed = try bench.gate.write { transaction in
                try transaction.put("notes", "x", [1])
                try transaction.delete("notes", "x")
                try transaction.put("notes", "z", [1])
                try transaction.delete("notes", "z")
                try transaction.revive("notes", "z", [2])
                try transaction.append("journal", "k", group: "g", [3])
                #expect(try transaction.get("notes", "z")?.body == [2])
                #expect(try transaction.get("notes", "x") == nil)
            }
            #expect(try bench.bodies("notes", "x").isEmpty)
            #expect(try bench.bodies("notes", "z") == [[2]])
            #expect(committed.localRows.count == 6)
            #expect(committed.changes.last?.kind == .updated)
            #expect(try bench.inconsistency() == nil)
        }
    }

    /// What is buried under `erase` in the transaction that wrote it goes to no peer (Spec MERGE-003).
    @Test func buriedRowsAreNotPushed() throws {
        let bench = try GateBench(MemoryStore())
        let committed = try bench.gate.write { transaction in
            try transaction.append("journal", "k", group: "g", [1])
            try transaction.append("journal", "l", group: "h", [2])
            try transaction.append("archive", "k", group: "g", [3])
            try transaction.bury("journal", group: "g")
            try transaction.bury("archive", group: "g")
        }
        let pushed = committed.localRows.map { "\($0.namespace) \($0.row.key) \($0.row.type)" }
        #expect(
            pushed == [
                "journal l logEvents", "archive k logEvents", "journal g logMarker",
                "archive g logMarker",
            ])
    }

    /// Stamps of one replica rise whatever the clock shows, across restarts too.
    @Test(arguments: StoreKind.allCases) func stampsRise(_ kind: StoreKind) throws {
        try kind.with { store in
            var bench = try GateBench(store)
            var last: UInt64 = 0
            for step in 0..<40 {
                bench.milliseconds = [5_000, 3, 0, 4_999][step % 4]
                if step % 7 == 0 { bench = try GateBench(store) }
                try bench.write { try $0.put("notes", "k", [UInt8(step)]) }
                let stamp = try bench.gate.read { try $0.get("notes", "k") }?.values[0].stamp
                #expect(try #require(stamp).time > last)
                last = stamp?.time ?? 0
            }
        }
    }
}
