import Cenotaph
import CenotaphTesting
import Testing

/// A row may come in pieces, in any order, any number of times (Spec WIRE-054).
@Suite struct PieceTests {
    /// Cuts a row into pieces with at least one part each, some parts more than once.
    static func pieces(_ row: Row, _ random: inout SeededRandom) -> [Row] {
        var pieces: [Row] = []
        switch row {
        case .logMarker, .lastWriter: pieces = [row]
        case .causal(let row):
            for entry in row.entries {
                let others = row.entries.filter { $0 != entry && random.below(3) == 0 }
                if let piece = CausalRow(key: row.key, entries: [entry] + others) {
                    pieces.append(.causal(piece))
                }
            }
        case .logEvents(let row):
            for event in row.events {
                let others = row.events.filter { _ in random.below(3) == 0 }
                if let piece = LogRow(key: row.key, events: [event] + others) {
                    pieces.append(.logEvents(piece))
                }
            }
        }
        return pieces.shuffled(using: &random)
    }

    @Test(arguments: policies) func piecesJoinToTheRow(_ policy: Policy) {
        var random = SeededRandom(for: "piecesJoinToTheRow \(policy)")
        for schedule in 0..<Environment.schedules(or: 1_000) {
            let before = RowDictionary((0..<3).map { _ in random.row(policy) }, policy)
            let rows = (0..<3).map { _ in random.row(policy) }
            var whole = before
            for row in rows { whole.take(row, policy) }
            let cut = rows.flatMap { PieceTests.pieces($0, &random) }
            var pieced = before
            for piece in (cut + cut).shuffled(using: &random) { pieced.take(piece, policy) }
            guard whole == pieced else {
                Issue.record("seed \(random.seed), schedule \(schedule): \(rows)")
                return
            }
        }
    }
}
