import Cenotaph

/// The causal policy from its text alone, with explicit histories (Spec 07, "causal").
///
/// Every write is remembered with the set of all writes of its key that its author had seen. A value is live where no
/// write that had seen it exists. No entries, no joins: sets of write numbers and nothing else.
struct CausalModel {
    struct Write {
        let stamp: Stamp
        let body: [UInt8]?
        /// The writes that its author had seen, as bits.
        let seen: UInt64
    }

    /// The writes of one key, by number.
    private(set) var writes: [Write] = []
    /// Which writes each replica has seen, as bits.
    var seen: [UInt64]

    init(replicas: Int) { seen = [UInt64](repeating: 0, count: replicas) }

    /// The values that a history holds, the greatest stamp first.
    func values(_ history: UInt64) -> [[UInt8]] {
        let known = writes.indices.filter { history & (1 << UInt64($0)) != 0 }
        let live = known.filter { number in
            writes[number].body != nil
                && !known.contains { writes[$0].seen & (1 << UInt64(number)) != 0 }
        }
        return live.sorted { writes[$1].stamp < writes[$0].stamp }.compactMap { writes[$0].body }
    }

    /// Whether a replica has seen writes of the key, and none of them is live.
    func isDead(_ replica: Int) -> Bool { seen[replica] != 0 && values(seen[replica]).isEmpty }

    /// A write by a replica over all that it has seen.
    mutating func write(_ replica: Int, _ stamp: Stamp, _ body: [UInt8]?) {
        writes.append(Write(stamp: stamp, body: body, seen: seen[replica]))
        seen[replica] |= 1 << UInt64(writes.count - 1)
    }
}
