import Cenotaph
import CenotaphTesting
import Testing

/// Two gates over one file: each sees what the other committed and keeps the digests right.
@Suite struct GateSharingTests {
    private func pair(_ folder: TempFolder) throws -> (GateBench, GateBench) {
        (try GateBench(folder.store()), try GateBench(folder.store()))
    }

    @Test func twoGates() throws {
        let folder = try TempFolder()
        let (first, second) = try pair(folder)
        #expect(first.gate.replica == second.gate.replica)
        try first.write { try $0.put("notes", "k", [1]) }
        #expect(try second.bodies("notes", "k") == [[1]])
        #expect(try second.dump() == first.dump())
        try second.write { try $0.delete("notes", "k") }
        try first.expectRefusal(.rowDeleted("k")) { try $0.put("notes", "k", [2]) }
        try first.write { try $0.revive("notes", "k", [3]) }
        for bench in [first, second] {
            #expect(try bench.bodies("notes", "k") == [[3]])
            #expect(try bench.inconsistency() == nil)
        }
    }

    @Test func randomSteps() throws {
        let folder = try TempFolder()
        let (first, second) = try pair(folder)
        var random = SeededRandom(for: "two gates randomSteps")
        var world = GateSteps(random: random.fork())
        var last: UInt64 = 0
        for step in 0..<120 {
            let bench = random.chance(0.5) ? first : second
            let act = world.next()
            let committed = try bench.gate.write { try act.apply(to: $0) }
            for local in committed.localRows {
                guard case .causal(let row) = local.row else { continue }
                let time = row.time(of: bench.gate.replica)
                guard time > last else {
                    Issue.record("seed \(random.seed), step \(step): a time was issued twice")
                    return
                }
                last = time
            }
            let other = bench === first ? second : first
            guard try other.inconsistency() == nil, try other.dump() == bench.dump() else {
                Issue.record("seed \(random.seed), step \(step): \(act)")
                return
            }
        }
    }

    /// A failure while reading what another gate committed is not forgotten: the next transaction reads it again.
    @Test func failureWhileCatchingUp() throws {
        let folder = try TempFolder()
        let failing = FaultyStore(try folder.store())
        let (first, second) = (try GateBench(failing), try GateBench(folder.store()))
        for call in [FaultyStore.Call.changedElsewhere, .record] {
            try second.write { try $0.put("notes", "k", [1]) }
            failing.willCall = { $0 == call ? .failed(code: 10, "I/O") : nil }
            #expect(throws: GateError.store(.failed(code: 10, "I/O"))) {
                try first.write { try $0.put("notes", "l", [1]) }
            }
            failing.willCall = { _ in nil }
            try first.write { try $0.revive("notes", "l", [2]) }
            #expect(try first.inconsistency() == nil, "\(call)")
            #expect(try first.dump() == second.dump(), "\(call)")
        }
    }
}
