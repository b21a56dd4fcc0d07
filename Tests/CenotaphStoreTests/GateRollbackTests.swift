import Cenotaph
import CenotaphTesting
import Testing

/// A transaction that fails anywhere leaves nothing behind, on the disk and in memory.
@Suite struct GateRollbackTests {
    private struct Stop: Error {}

    private static func everything(_ transaction: WriteTransaction) throws {
        try transaction.put("notes", "k", [2])
        try transaction.delete("notes", "l")
        try transaction.revive("notes", "dead", [3])
        for name in ["journal", "archive"] as [NamespaceName] {
            try transaction.append(name, "new", group: "a", [1])
            try transaction.bury(name, group: "g")
        }
    }

    private static func fill(_ bench: GateBench) throws {
        try bench.write { transaction in
            for key in ["k", "l", "dead"] as [Key] { try transaction.put("notes", key, [1]) }
            try transaction.delete("notes", "dead")
            for name in ["journal", "archive"] as [NamespaceName] {
                try transaction.append(name, "k", group: "g", [1])
                try transaction.append(name, "l", group: "g", [2])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func theBodyThrows(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try GateRollbackTests.fill(bench)
            let before = try bench.dump()
            #expect(throws: Stop.self) {
                try bench.write { transaction in
                    try GateRollbackTests.everything(transaction)
                    throw Stop()
                }
            }
            #expect(try bench.dump() == before)
            #expect(try bench.inconsistency() == nil)
            try bench.write { try GateRollbackTests.everything($0) }
            #expect(try bench.inconsistency() == nil)
        }
    }

    /// Every call of the store fails once, the commit too.
    @Test(arguments: StoreKind.allCases) func theStoreFails(_ kind: StoreKind) throws {
        try kind.with { store in
            let failing = FaultyStore(store)
            let bench = try GateBench(failing)
            try GateRollbackTests.fill(bench)
            let before = try bench.dump()
            var calls = 0
            for number in 0..<1_000 {
                calls = 0
                failing.willCall = { _ in
                    defer { calls += 1 }
                    return calls == number ? .full : nil
                }
                var failure: GateError?
                do {
                    try bench.write { try GateRollbackTests.everything($0) }
                } catch let error as GateError {
                    failure = error
                }
                failing.willCall = { _ in nil }
                guard let failure else { break }
                guard failure == .store(.full), try bench.dump() == before,
                    try bench.inconsistency() == nil
                else {
                    Issue.record("call \(number): \(failure)")
                    return
                }
            }
            // Calls to begin and end, and some for each of the seven writes.
            #expect(calls > 30)
            #expect(try bench.inconsistency() == nil)
            #expect(try bench.dump() != before)
        }
    }
}
