import Cenotaph
import CenotaphTesting
import Testing

/// Random histories over bad links end with one state everywhere, in bounded rounds.
@Suite struct ConvergenceTests {
    /// A run: replicas write while links lose, repeat and reorder; now and then a process stops.
    static func run(_ count: Int, _ random: SeededRandom, _ faults: LinkFaults) throws {
        let fleet = try SimulatedFleet(count, schema: allPolicies, random: random)
        var generator = OperationGenerator(schema: allPolicies)
        // Sets large enough for sketches in some runs, and replicas that take none in some.
        if fleet.random.chance(0.5) {
            try fleet.share(0..<40)
            try fleet.share(40..<80, bodyBytes: nil)
        }
        let sketches = (0..<count).map { _ in fleet.random.chance(0.7) }
        fleet.takesSketches = { sketches[$0] }
        fleet.isRecording = true
        try fleet.connectAll(faults: faults)
        for _ in 0..<60 {
            let replica = fleet.random.below(count)
            switch fleet.random.below(20) {
            case 0: try fleet.crash(replica)
            case 1: fleet.replicas[replica].milliseconds &-= 5_000
            case 2: fleet.replicas[replica].milliseconds += 60_000
            case 3:
                try fleet.round()
                try fleet.expectKnowledgeHolds()
            case 4..<12: for _ in 0..<fleet.random.below(6) { try fleet.step() }
            default:
                let operations = (0...fleet.random.below(3)).map { _ in
                    generator.next(using: &fleet.random)
                }
                try fleet.write(replica) { transaction in
                    for operation in operations { try operation.apply(to: transaction) }
                }
            }
        }
        let rounds = try fleet.runUntilQuiet(within: 200)
        guard rounds <= 200 else { return }
        try fleet.expectEqual()
        try fleet.expectKnowledgeHolds()
        // Ends that still lack a hello, or wait for an answer that was lost, find out in a round or two.
        fleet.setFaults(.none)
        for _ in 0..<2 { try fleet.round() }
        try fleet.expectSilence()
    }

    @Test(arguments: 2...5) func badLinks(_ count: Int) throws {
        var seeds = SeededRandom(for: "badLinks \(count)")
        for _ in 0..<Environment.schedules(or: 10) {
            let random = seeds.fork()
            do {
                try ConvergenceTests.run(count, random, .hostile)
            } catch {
                Issue.record("\(count) replicas, schedule \(random.seed): \(error)")
                return
            }
        }
    }

    @Test(arguments: 2...5) func goodLinksInFewRounds(_ count: Int) throws {
        var seeds = SeededRandom(for: "goodLinks \(count)")
        for _ in 0..<Environment.schedules(or: 4) {
            let fleet = try SimulatedFleet(count, schema: allPolicies, random: seeds.fork())
            var generator = OperationGenerator(schema: allPolicies)
            for _ in 0..<40 {
                let operation = generator.next(using: &fleet.random)
                try fleet.write(fleet.random.below(count)) { try operation.apply(to: $0) }
            }
            try fleet.connectAll()
            let rounds = try fleet.runUntilQuiet(within: 6)
            #expect(rounds <= 6, "seed \(fleet.random.seed)")
            try fleet.expectEqual()
            try fleet.expectSilence()
        }
    }

    /// A chain: rows reach the far end through replicas that did not write them.
    @Test func chain() throws {
        let fleet = try SimulatedFleet(5, for: "chain")
        for replica in 0..<4 { try fleet.connect(replica, replica + 1) }
        try fleet.put(0, "a", "from the first")
        try fleet.put(4, "b", "from the last")
        let rounds = try fleet.runUntilQuiet(within: 20)
        #expect(rounds <= 12)
        try fleet.expectEqual()
        #expect(try fleet.bodies(4, "a") == ["from the first"])
        #expect(try fleet.bodies(0, "b") == ["from the last"])
        try fleet.expectSilence()
    }

    /// The same seed gives the same run, frame for frame, in every process.
    @Test func aSeedRepeatsItself() async {
        func run() async -> [UInt8]? {
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let fleet = try SimulatedFleet(
                    3, schema: allPolicies, random: SeededRandom(seed: 42))
                var generator = OperationGenerator(schema: allPolicies)
                try fleet.connectAll(faults: .hostile)
                for _ in 0..<50 {
                    let operation = generator.next(using: &fleet.random)
                    try fleet.write(fleet.random.below(3)) { try operation.apply(to: $0) }
                    for _ in 0..<5 { try fleet.step() }
                }
                let rounds = try fleet.runUntilQuiet(within: 200)
                let traffic = fleet.traffic
                print("rounds \(rounds), rows \(traffic.rows), bytes \(traffic.bytes)")
                print("next \(fleet.random.next()), events \(fleet.events.count)")
            }?.standardOutputContent
        }
        let first = await run()
        #expect(first?.isEmpty == false)
        #expect(await run() == first)
        #expect(await run() == first)
    }
}
