import Cenotaph
import CenotaphTesting
import Testing

/// A replica id that a small number stands for.
func replica(_ number: UInt64) -> ReplicaID {
    guard let id = ReplicaID(ID16(high: number << 56, low: ~number)) else {
        preconditionFailure("not all zero")
    }
    return id
}

let policies: [Policy] = [.causal, .lastWriter, .log(buried: .erase), .log(buried: .hide)]
let merging: [Key] = ["k", "k\u{0}", "l"]
let groups: [Key] = ["g", "h", "i"]
/// Bodies of which one is a prefix of another, and the empty one.
let bodies: [[UInt8]] = [[], [0], [1], [1, 0]]

extension RowDictionary {
    /// A namespace that rows were merged into, one after the other.
    init(_ rows: [Row], _ policy: Policy) {
        self.init()
        for row in rows { take(row, policy) }
    }

    /// Merges a row, whatever comes of it.
    mutating func take(_ row: Row, _ policy: Policy) { _ = merge(row, under: policy) }

    /// All rows of both sets.
    var all: [Row] { RowSet.allCases.flatMap { rows($0) } }

    /// This namespace after the rows of another one were merged into it in random order.
    func merged(
        with other: RowDictionary, _ policy: Policy, _ random: inout SeededRandom
    ) -> RowDictionary {
        var result = self
        for row in other.all.shuffled(using: &random) { result.take(row, policy) }
        return result
    }
}

extension SeededRandom {
    /// An element of a list that is not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// Any row of a policy, whether or not a history leads to it: few times and bodies, so that many tie.
    mutating func row(_ policy: Policy) -> Row {
        switch policy {
        case .causal: return .causal(causalRow(pick(merging)))
        case .lastWriter, .derived:
            let value = below(3) == 0 ? nil : pick(bodies)
            return .lastWriter(LastWriterRow(key: pick(merging), stamp: stamp(), value: value))
        case .log:
            if below(4) == 0 { return .logMarker(LogMarker(group: pick(groups), stamp: stamp())) }
            let events = (0...below(3)).map { _ in
                LogEvent(stamp: stamp(), group: pick(groups), body: pick(bodies))
            }
            guard let row = LogRow(key: pick(merging), events: events) else {
                preconditionFailure("at least one event")
            }
            return .logEvents(row)
        }
    }

    mutating func stamp() -> Stamp {
        Stamp(time: UInt64(1 + below(3)), replica: replica(UInt64(below(4))))
    }

    /// Any causal state of a key over four replicas.
    mutating func causalRow(_ key: Key) -> CausalRow {
        let writers = (0..<4).shuffled(using: &self).prefix(1 + below(4))
        let entries = writers.map { number in
            CausalRow.Entry(
                replica: replica(UInt64(number)), time: UInt64(1 + below(3)),
                value: below(3) == 0 ? nil : pick(bodies))
        }
        guard let row = CausalRow(key: key, entries: entries) else {
            preconditionFailure("writers differ")
        }
        return row
    }
}
