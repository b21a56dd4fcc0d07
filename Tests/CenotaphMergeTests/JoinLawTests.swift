import Cenotaph
import CenotaphTesting
import Testing

/// Merging is a join: commutative, associative, idempotent (Spec 07), over arbitrary states of four replicas.
@Suite struct JoinLawTests {
    /// Which law a group of states breaks, or `nil`.
    static func brokenLaw(
        _ states: [RowDictionary], _ policy: Policy, _ random: inout SeededRandom
    ) -> String? {
        let (a, b, c) = (states[0], states[1], states[2])
        let ab = a.merged(with: b, policy, &random)
        guard ab == b.merged(with: a, policy, &random) else { return "commutative" }
        let bc = b.merged(with: c, policy, &random)
        guard ab.merged(with: c, policy, &random) == a.merged(with: bc, policy, &random) else {
            return "associative"
        }
        guard a.merged(with: a, policy, &random) == a else { return "idempotent" }
        guard ab.merged(with: a, policy, &random) == ab,
            b.merged(with: ab, policy, &random) == ab
        else { return "absorbing" }
        // All groupings and orders of all states, drawn at random, have one result.
        let joined = (0..<2).map { _ in anyTree(states, policy, &random) }
        guard joined[0] == joined[1] else { return "any grouping" }
        guard joined[0].view == joined[1].view else { return "the view is a function of the state" }
        return nil
    }

    private static func anyTree(
        _ states: [RowDictionary], _ policy: Policy, _ random: inout SeededRandom
    ) -> RowDictionary {
        var left = states
        while left.count > 1 {
            let taken = left.remove(at: random.below(left.count))
            let place = random.below(left.count)
            left[place] = left[place].merged(with: taken, policy, &random)
        }
        return left[0]
    }

    @Test(arguments: policies) func arbitraryStates(_ policy: Policy) {
        var random = SeededRandom(for: "arbitraryStates \(policy)")
        for schedule in 0..<Environment.schedules(or: 2_500) {
            let states = (0..<(3 + schedule % 2)).map { _ in
                RowDictionary((0..<random.below(5)).map { _ in random.row(policy) }, policy)
            }
            guard let law = JoinLawTests.brokenLaw(states, policy, &random) else { continue }
            Issue.record("seed \(random.seed), schedule \(schedule): \(law) fails for \(states)")
            return
        }
    }

    /// The join of single causal rows, without a table.
    @Test func causalRows() {
        var random = SeededRandom(for: "causalRows")
        for schedule in 0..<Environment.schedules(or: 4_000) {
            let (a, b, c) = (random.causalRow("k"), random.causalRow("k"), random.causalRow("k"))
            let ab = a.merged(with: b)
            guard ab == b.merged(with: a), a.merged(with: a) == a, ab.merged(with: b) == ab,
                ab.merged(with: c) == a.merged(with: b.merged(with: c))
            else {
                Issue.record("seed \(random.seed), schedule \(schedule): \(a), \(b), \(c)")
                return
            }
        }
    }

    /// What merging reports is what it did.
    @Test(arguments: policies) func outcomes(_ policy: Policy) {
        var random = SeededRandom(for: "outcomes \(policy)")
        for schedule in 0..<2_000 {
            var state = RowDictionary((0..<4).map { _ in random.row(policy) }, policy)
            let before = state
            let row = random.row(policy)
            let outcome = state.merge(row, under: policy)
            let grew = state != before
            let isRight =
                switch outcome {
                case .changed: grew
                case .unchanged: !grew
                case .buried: !grew && policy == .log(buried: .erase)
                case .refused: false
                }
            guard isRight, state.merge(row, under: policy) != .changed else {
                Issue.record("seed \(random.seed), schedule \(schedule): \(outcome), \(row)")
                return
            }
        }
    }
}
