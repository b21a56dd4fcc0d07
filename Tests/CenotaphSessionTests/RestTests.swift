import Cenotaph
import CenotaphTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rest means silence, in stores too; and files do what memory does.
@Suite struct RestTests {
    private final class Count { var writes = 0 }

    /// A fleet in memory whose stores count what is written to them.
    private static func fleet(
        _ size: Int, for test: String, counting count: Count
    ) throws -> SimulatedFleet {
        try SimulatedFleet(
            size, schema: allPolicies, random: SeededRandom(for: test),
            makeStore: { _, old in
                if let old { return old }
                let store = FaultyStore(MemoryStore())
                store.willCall = { call in
                    if call.isWrite { count.writes += 1 }
                    return nil
                }
                return store
            })
    }

    /// Five peers, each linked to each, write in turn for ten rounds: a write goes out once on each of its writer's four
    /// links and nowhere else, and then all is silent.
    @Test func pushesAreNotEchoed() throws {
        let count = Count()
        let fleet = try Self.fleet(5, for: "pushesAreNotEchoed", counting: count)
        try fleet.connectAll()
        try fleet.runUntilQuiet(within: 10)
        var generator = OperationGenerator(schema: allPolicies)
        for _ in 0..<10 {
            var pushes = 0
            for writer in 0..<5 {
                fleet.traffic = SimulatedTraffic()
                fleet.written = []
                fleet.isRecording = true
                let operation = generator.next(using: &fleet.random)
                try fleet.write(writer) { try operation.apply(to: $0) }
                fleet.isRecording = false
                try fleet.drain()
                // One frame for each namespace and type of row that the write touched.
                let kinds = Set(fleet.written.map { "\($0.namespace) \($0.row.type)" }).count
                #expect(
                    fleet.traffic.frames == (kinds == 0 ? [:] : [.syncDelta: 4 * kinds]),
                    "seed \(fleet.random.seed): \(fleet.traffic) for \(operation)")
                pushes += kinds
            }
            // Pushes alone brought everyone to the same rows, without a digest.
            try fleet.expectEqual()
            // What they know of each other is compared once.
            try fleet.round()
            try fleet.round()
            count.writes = 0
            try fleet.expectSilence()
            #expect(count.writes == 0, "seed \(fleet.random.seed) after \(pushes) pushes")
        }
    }

    @Test func restWritesNothing() throws {
        let count = Count()
        let fleet = try Self.fleet(3, for: "restWritesNothing", counting: count)
        var generator = OperationGenerator(schema: allPolicies)
        try fleet.connectAll()
        for _ in 0..<60 {
            let operation = generator.next(using: &fleet.random)
            try fleet.write(fleet.random.below(3)) { try operation.apply(to: $0) }
        }
        try fleet.runUntilQuiet(within: 10)
        #expect(count.writes > 100)
        // The first comparison after a change is noted: who holds what is held here.
        try fleet.round()
        count.writes = 0
        try fleet.expectSilence()
        #expect(count.writes == 0)
        // All that was ever said comes again: still nothing is written.
        fleet.isRecording = true
        try fleet.put(0, "last", "word")
        try fleet.runUntilQuiet(within: 10)
        try fleet.round()
        count.writes = 0
        fleet.isRecording = false
        for frame in fleet.recorded.shuffled(using: &fleet.random) { try fleet.redeliver(frame) }
        #expect(count.writes == 0)
    }

    /// A store that fails under a session fails the delivery; a new link goes on from what was committed.
    @Test func aFullDiskUnderASession() throws {
        var stores: [FaultyStore] = []
        let fleet = try SimulatedFleet(
            2, schema: allPolicies, random: SeededRandom(for: "aFullDiskUnderASession"),
            makeStore: { _, old in
                if let old { return old }
                stores.append(FaultyStore(MemoryStore()))
                return stores[stores.count - 1]
            })
        for number in 0..<50 { try fleet.put(0, try Key("row \(number)"), "body") }
        for failing in 0..<40 {
            let link = try fleet.connect(0, 1)
            var calls = 0
            stores[1].willCall = { call in
                if call.isWrite || call == .commit { calls += 1 }
                return calls > failing ? .full : nil
            }
            #expect(throws: GateError.store(.full)) { try fleet.runUntilQuiet(within: 10) }
            fleet.cut(link)
            stores[1].willCall = { _ in nil }
            guard try fleet.read(1, { try $0.list("notes") }).isEmpty else { break }
        }
        try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 10)
        try fleet.expectEqual()
    }

    @Test func filesConvergeToo() throws {
        let root = FileManager.default.temporaryDirectory.path
        let folder = "\(root)/cenotaph-fleet-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fleet = try SimulatedFleet(
            3, schema: allPolicies, random: SeededRandom(for: "filesConvergeToo"),
            // A restart opens the file anew, while the old connection is still there, as after a kill.
            makeStore: { number, _ in
                try SQLiteStore(path: "\(folder)/\(number).db", mode: .create)
            })
        var generator = OperationGenerator(schema: allPolicies)
        try fleet.connectAll(faults: .hostile)
        for step in 0..<40 {
            let operation = generator.next(using: &fleet.random)
            try fleet.write(fleet.random.below(3)) { try operation.apply(to: $0) }
            for _ in 0..<3 { try fleet.step() }
            if step % 10 == 9 { try fleet.crash(fleet.random.below(3)) }
        }
        #expect(try fleet.runUntilQuiet(within: 200) <= 200)
        try fleet.expectEqual()
        let view = try fleet.replicas[0].view()
        for replica in 0..<3 { try fleet.crash(replica) }
        #expect(try fleet.replicas.allSatisfy { try $0.view() == view })
    }
}
