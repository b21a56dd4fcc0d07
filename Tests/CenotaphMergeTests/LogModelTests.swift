import Cenotaph
import CenotaphTesting
import Testing

/// Histories of three and four replicas under `log`, step by step against a model made from the text (Spec 07, "log").
@Suite struct LogModelTests {
    fileprivate struct Append: Hashable {
        let key: Key
        let event: LogEvent
    }

    /// What one replica knows, as sets: appends that came and were not refused, and groups that are buried.
    fileprivate struct Known {
        var appends: Set<Append> = []
        var buried: Set<Key> = []

        var view: [Key: [[UInt8]]] {
            var view: [Key: [LogEvent]] = [:]
            for append in appends where !buried.contains(append.event.group) {
                view[append.key, default: []].append(append.event)
            }
            return view.mapValues { events in events.sorted().map(\.body) }
        }
    }

    fileprivate struct Message {
        let row: Row
        let appends: Set<Append>
        let buried: Set<Key>
    }

    fileprivate struct World: ModelWorld {
        var random: SeededRandom
        let policy: Policy
        var tables: [RowDictionary]
        var known: [Known]
        var messages: [Message] = []
        var time: UInt64 = 1

        init(replicas: Int, _ policy: Policy, _ random: SeededRandom) {
            self.random = random
            self.policy = policy
            tables = [RowDictionary](repeating: RowDictionary(), count: replicas)
            known = [Known](repeating: Known(), count: replicas)
        }

        var erases: Bool { policy == .log(buried: .erase) }

        mutating func write(_ at: Int) {
            // Some times come twice: two events of one key and stamp are two events.
            if random.below(4) != 0 { time += 1 }
            let stamp = Stamp(time: time, replica: replica(UInt64(at)))
            let group = random.pick(groups)
            if random.below(4) == 0 {
                guard !known[at].buried.contains(group) else { return }
                let marker = LogMarker(group: group, stamp: stamp)
                tables[at].take(.logMarker(marker), policy)
                known[at].buried.insert(group)
                return
            }
            guard !known[at].buried.contains(group) else { return }
            let key = random.pick(merging)
            let event = LogEvent(stamp: stamp, group: group, body: random.pick(bodies))
            tables[at].take(.logEvents(LogRow(key: key, event: event)), policy)
            known[at].appends.insert(Append(key: key, event: event))
        }

        func message(_ row: Row) -> Message {
            switch row {
            case .logMarker(let marker): Message(row: row, appends: [], buried: [marker.group])
            case .logEvents(let events):
                Message(
                    row: row, appends: Set(events.events.map { Append(key: row.key, event: $0) }),
                    buried: [])
            case .causal, .lastWriter, .message: preconditionFailure("a log holds no such rows")
            }
        }

        mutating func exchange(_ at: Int) {
            let rows = tables[at].all
            if !rows.isEmpty { messages.append(message(random.pick(rows))) }
            guard !messages.isEmpty else { return }
            take(random.pick(messages), random.below(tables.count))
        }

        mutating func take(_ message: Message, _ at: Int) {
            let outcome = tables[at].merge(message.row, under: policy)
            let refused = message.appends.filter { known[at].buried.contains($0.event.group) }
            if erases {
                known[at].appends.formUnion(message.appends.subtracting(refused))
            } else {
                known[at].appends.formUnion(message.appends)
            }
            known[at].buried.formUnion(message.buried)
            let allRefused = erases && !message.appends.isEmpty && refused == message.appends
            guard allRefused == (outcome == .buried) else {
                Issue.record("seed \(random.seed): \(outcome) for \(message.row)")
                return
            }
        }

        /// Whether a replica shows what the model shows, and holds what the burial mode says.
        func agrees(_ at: Int) -> Bool {
            guard tables[at].view == known[at].view else { return false }
            var held: Set<Append> = []
            for case .logEvents(let row) in tables[at].rows(.live) {
                for event in row.events { held.insert(Append(key: row.key, event: event)) }
            }
            let expected =
                erases
                ? known[at].appends.filter { !known[at].buried.contains($0.event.group) }
                : known[at].appends
            let markers = Set(tables[at].rows(.tombstones).map(\.key))
            return held == expected && markers == known[at].buried
        }

        mutating func step(_ at: Int) {
            if random.below(2) == 0 { write(at) } else { exchange(at) }
        }

        mutating func mergeAll() {
            let all = messages + tables.flatMap { $0.all.map(message) }
            for at in tables.indices {
                for message in all.shuffled(using: &random) { take(message, at) }
            }
        }
    }

    @Test(arguments: [Policy.log(buried: .erase), .log(buried: .hide)], [3, 4])
    func viewsEqualTheModel(_ policy: Policy, _ replicas: Int) throws {
        let name = "\(policy) viewsEqualTheModel \(replicas)"
        try expectModel(name, policy, schedules: 1_000, steps: 14) { random in
            World(replicas: replicas, policy, random)
        }
    }
}
