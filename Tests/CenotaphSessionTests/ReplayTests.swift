import Cenotaph
import CenotaphTesting
import Testing

/// Every frame of a whole history, sent again in any order after the deletes, brings nothing back.
@Suite struct ReplayTests {
    @Test(arguments: 2...4) func wholeHistories(_ count: Int) throws {
        var seeds = SeededRandom(for: "wholeHistories \(count)")
        for _ in 0..<Environment.schedules(or: 4) {
            let fleet = try SimulatedFleet(count, schema: allPolicies, random: seeds.fork())
            fleet.isRecording = true
            var generator = OperationGenerator(schema: allPolicies)
            generator.burials = 0.3
            try fleet.connectAll(faults: LinkFaults(drop: 0.1, duplicate: 0.1, reorder: 0.5))
            for _ in 0..<40 {
                let operation = generator.next(using: &fleet.random)
                try fleet.write(fleet.random.below(count)) { try operation.apply(to: $0) }
                for _ in 0..<4 { try fleet.step() }
            }
            try fleet.runUntilQuiet(within: 100)
            // Then everything dies: all rows are deleted, all groups buried.
            try fleet.write(0) { transaction in
                for row in try transaction.list("notes") {
                    try transaction.delete("notes", row.key)
                }
                for name in ["journal", "archive"] as [NamespaceName] {
                    for group in Set(
                        try transaction.list(name).flatMap(\.values).compactMap(\.group))
                    {
                        try transaction.bury(name, group: group)
                    }
                }
            }
            fleet.setFaults(.none)
            try fleet.runUntilQuiet(within: 20)
            try fleet.expectEqual()
            let dead = try fleet.replicas[0].view()
            guard dead.values.allSatisfy(\.isEmpty) else {
                Issue.record("seed \(fleet.random.seed): something lives")
                return
            }
            let before = try fleet.replicas.map {
                try $0.digests().map { [$0.live, $0.tombstones] }
            }
            fleet.isRecording = false
            for frame in fleet.recorded.shuffled(using: &fleet.random) {
                try fleet.redeliver(frame)
                guard try fleet.replicas[frame.recipient].view() == dead else {
                    Issue.record("seed \(fleet.random.seed): a row came back")
                    return
                }
            }
            try fleet.runUntilQuiet(within: 20)
            let after = try fleet.replicas.map {
                try $0.digests().map { [$0.live, $0.tombstones] }
            }
            #expect(after == before, "seed \(fleet.random.seed)")
            // An old error that says "I had no hello" is answered with one at the next round.
            try fleet.round()
            try fleet.expectSilence()
        }
    }

    /// Frames of old connections, to processes that were started again since.
    @Test func afterRestarts() throws {
        let fleet = try SimulatedFleet(3, for: "afterRestarts")
        fleet.isRecording = true
        try fleet.connectAll()
        for (number, key) in (["a", "b", "c"] as [Key]).enumerated() {
            try fleet.put(number, key, "body")
            try fleet.write(number) { try $0.append("journal", key, group: key, [1]) }
        }
        try fleet.runUntilQuiet(within: 10)
        for (number, key) in (["a", "b", "c"] as [Key]).enumerated() {
            try fleet.write((number + 1) % 3) { transaction in
                try transaction.delete("notes", key)
                try transaction.bury("journal", group: key)
            }
            try fleet.crash(number)
        }
        try fleet.runUntilQuiet(within: 10)
        try fleet.put(0, "d", "alive")
        try fleet.runUntilQuiet(within: 10)
        for replica in 0..<3 { try fleet.crash(replica) }
        try fleet.runUntilQuiet(within: 10)
        fleet.isRecording = false
        for _ in 0..<2 {
            for frame in fleet.recorded.shuffled(using: &fleet.random) {
                try fleet.redeliver(frame)
            }
        }
        try fleet.runUntilQuiet(within: 10)
        try fleet.expectEqual()
        #expect(
            try fleet.replicas[1].view() == [
                "notes": ["d": [Array("alive".utf8)]], "journal": [:], "archive": [:],
            ])
    }
}
