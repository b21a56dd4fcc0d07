import Cenotaph
import CenotaphTesting
import Testing

/// Replicas of one namespace beside a model of what they should show.
protocol ModelWorld {
    var tables: [RowDictionary] { get }
    var random: SeededRandom { get set }

    /// Writes on a replica, or brings it something that was sent.
    mutating func step(_ at: Int) throws
    /// Whether a replica shows what the model shows.
    func agrees(_ at: Int) -> Bool
    /// Sends all that all hold to all, in an order of its own for each.
    mutating func mergeAll()
}

extension ModelWorld {
    private var agree: Bool { tables.indices.allSatisfy { agrees($0) } }

    /// Runs a random schedule, and then the laws of a join on the states that it led to.
    ///
    /// Returns what went wrong first.
    mutating func run(
        steps: Int, _ policy: Policy, lawsBy lawRandom: inout SeededRandom
    ) throws -> String? {
        for number in 0..<steps {
            try step(random.below(tables.count))
            guard agree else { return "step \(number)" }
        }
        let states = tables
        mergeAll()
        guard agree, tables.allSatisfy({ $0 == tables[0] }) else { return "the end differs" }
        return JoinLawTests.brokenLaw(states, policy, &lawRandom).map { "\($0) fails" }
    }
}

/// Runs many schedules of one kind of world; the first that goes wrong fails the test and names its seed.
func expectModel(
    _ name: String, _ policy: Policy, schedules: Int, steps: Int,
    _ makeWorld: (SeededRandom) -> some ModelWorld
) throws {
    var random = SeededRandom(for: name)
    for schedule in 0..<Environment.schedules(or: schedules) {
        var world = makeWorld(random.fork())
        if let failure = try world.run(steps: steps, policy, lawsBy: &random) {
            Issue.record("seed \(random.seed), schedule \(schedule): \(failure)")
            return
        }
    }
}
