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

    @Test func restWritesNothing() throws {
        let count = Count()
        let fleet = try SimulatedFleet(
            3, schema: allPolicies, random: SeededRandom(for: "restWritesNothing"),
            makeStore: { _, old in
                if let old { return old }
                let store = FaultyStore(MemoryStore())
                store.willCall = { call in
                    if call.isWrite { count.writes += 1 }
                    return nil
                }
                return store
            })
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
