import Cenotaph
import CenotaphTesting
import Testing

/// Histories of three and four replicas under `causal`, step by step against the model.
@Suite struct CausalModelTests {
    /// The state of one key that a replica once had, on its way to others.
    fileprivate struct Message {
        let row: CausalRow
        let key: Int
        let history: UInt64
    }

    fileprivate struct World: ModelWorld {
        var random: SeededRandom
        let keys: [Key] = ["k", "k\u{0}"]
        var tables: [RowDictionary]
        var models: [CausalModel]
        var messages: [Message] = []
        var clocks: [HybridClock]

        init(replicas: Int, _ random: SeededRandom) {
            self.random = random
            tables = [RowDictionary](repeating: RowDictionary(), count: replicas)
            models = [CausalModel](repeating: CausalModel(replicas: replicas), count: 2)
            clocks = [HybridClock](repeating: HybridClock(), count: replicas)
        }

        func row(_ at: Int, _ key: Int) -> CausalRow? {
            for set in RowSet.allCases {
                if case .causal(let row)? = tables[at].row(set, keys[key]) { return row }
            }
            return nil
        }

        /// Writes by the rules for local writes; the model knows nothing of them but what is dead.
        mutating func write(_ at: Int, _ key: Int) throws {
            // Wall clocks that disagree and go back: order by stamps is not order by cause.
            let milliseconds = UInt64(random.below(4))
            let row = row(at, key)
            let isDelete = random.below(3) == 0
            if isDelete, row?.isLive != true { return }
            let time = try clocks[at].next(milliseconds: milliseconds)
            let stamp = Stamp(time: time, replica: replica(UInt64(at)))
            let body = isDelete ? nil : random.pick(bodies)
            let written: CausalRow
            if let body {
                written = CausalRow.putting(body, at: stamp, key: keys[key], over: row)
            } else {
                guard let row else { return }
                written = row.deleting(at: stamp)
            }
            tables[at].take(.causal(written), .causal)
            models[key].write(at, stamp, body)
        }

        /// Sends a state, or lets one arrive that is late, old or a repetition.
        mutating func exchange(_ at: Int, _ key: Int) {
            if let row = row(at, key) {
                messages.append(Message(row: row, key: key, history: models[key].seen[at]))
            }
            guard !messages.isEmpty else { return }
            take(messages[random.below(messages.count)], random.below(tables.count))
        }

        mutating func take(_ message: Message, _ at: Int) {
            tables[at].take(.causal(message.row), .causal)
            models[message.key].seen[at] |= message.history
        }

        /// Whether a replica shows what the model shows, and holds it in the right set.
        func agrees(_ at: Int) -> Bool {
            var expected: [Key: [[UInt8]]] = [:]
            for (number, key) in keys.enumerated() {
                let values = models[number].values(models[number].seen[at])
                if !values.isEmpty { expected[key] = values }
                let isDead = models[number].isDead(at)
                guard (tables[at].row(.tombstones, key) != nil) == isDead else { return false }
            }
            return tables[at].view == expected
        }

        mutating func step(_ at: Int) throws {
            let key = random.below(2)
            if random.below(2) == 0 { try write(at, key) } else { exchange(at, key) }
        }

        mutating func mergeAll() {
            var all: [Message] = messages
            for at in tables.indices {
                for key in keys.indices {
                    guard let row = row(at, key) else { continue }
                    all.append(Message(row: row, key: key, history: models[key].seen[at]))
                }
            }
            for at in tables.indices {
                for message in all.shuffled(using: &random) { take(message, at) }
            }
        }
    }

    @Test(arguments: [3, 4]) func viewsEqualTheModel(_ replicas: Int) throws {
        let name = "causal viewsEqualTheModel \(replicas)"
        try expectModel(name, .causal, schedules: 2_000, steps: 16) { random in
            World(replicas: replicas, random)
        }
    }
}
