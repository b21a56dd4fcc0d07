import Cenotaph
import CenotaphTesting
import Testing

/// Sums, sets and indexes that are kept up to each change equal ones made from all rows anew.
@Suite struct GateDigestTests {
    /// The same random steps on both stores and in the model: the same bytes after every step.
    @Test func storesAndModelAgree() throws {
        let folder = try TempFolder()
        let random = SeededRandom(for: "storesAndModelAgree")
        let sqlite = try folder.store()
        let benches = [
            try GateBench(MemoryStore(), seed: random.seed),
            try GateBench(sqlite, seed: random.seed),
        ]
        var world = GateSteps(random: random)
        for step in 0..<250 {
            let act = world.next()
            for bench in benches { bench.milliseconds = world.milliseconds }
            let outcomes = try benches.map { bench in
                try bench.gate.write { try act.apply(to: $0) }
            }
            for row in outcomes[0].localRows { world.model(row.namespace).take(row.row) }
            if case .merge(let name, let row) = act { world.model(name).take(row) }
            guard outcomes[0].result == outcomes[1].result,
                outcomes[0].changes == outcomes[1].changes
            else {
                Issue.record("seed \(random.seed), step \(step): \(act)")
                return
            }
            if let wrong = try benches.compactMap({ try $0.inconsistency() }).first {
                Issue.record("seed \(random.seed), step \(step): \(wrong) after \(act)")
                return
            }
            guard try benches[0].dump() == benches[1].dump(), try world.equals(benches[0].gate)
            else {
                Issue.record("seed \(random.seed), step \(step): stores differ after \(act)")
                return
            }
        }
        // What was kept in memory is what the records say.
        let reopened = try GateBench(sqlite, seed: random.seed)
        #expect(try reopened.dump() == benches[1].dump())
        sqlite.close()
    }

    /// The longer run, in memory only.
    @Test func longRun() throws {
        let random = SeededRandom(for: "gate longRun")
        let bench = try GateBench(MemoryStore(), seed: random.seed)
        var world = GateSteps(random: random)
        for step in 0..<Environment.schedules(or: 2_000) {
            let act = world.next()
            bench.milliseconds = world.milliseconds
            let committed = try bench.gate.write { try act.apply(to: $0) }
            for row in committed.localRows { world.model(row.namespace).take(row.row) }
            if case .merge(let name, let row) = act { world.model(name).take(row) }
            guard try bench.inconsistency() == nil, try world.equals(bench.gate) else {
                Issue.record("seed \(random.seed), step \(step): \(act)")
                return
            }
        }
    }
}

/// Random steps of a gate: local writes and rows from peers, with a model beside them.
struct GateSteps {
    enum Step {
        case local(RandomOperation)
        case merge(NamespaceName, Row)

        func apply(to transaction: WriteTransaction) throws -> String {
            switch self {
            case .local(let operation): "\(try operation.apply(to: transaction))"
            case .merge(let name, let row): "\(try transaction.merge(name, row))"
            }
        }
    }

    /// A namespace in memory, with its policy.
    final class Model {
        let policy: Policy
        private(set) var rows = RowDictionary()

        init(_ policy: Policy) { self.policy = policy }

        func take(_ row: Row) { _ = rows.merge(row, under: policy) }
    }

    private var random: SeededRandom
    private var generator = OperationGenerator(schema: gateSchema)
    private let peers: [ReplicaID]
    private var models: [NamespaceName: Model] = [:]
    private(set) var milliseconds: UInt64 = 1_000
    private let keys: [Key] = ["a", "a\u{0}", "b", "c"]
    private let groups: [Key] = ["a", "b", "c", "g"]

    init(random: SeededRandom) {
        var random = random
        peers = (0..<3).map { _ in .random(using: &random) }
        self.random = random
        for namespace in gateSchema.namespaces { models[namespace.name] = Model(namespace.policy) }
    }

    func model(_ name: NamespaceName) -> Model { models[name] ?? Model(.causal) }

    mutating func next() -> Step {
        milliseconds = UInt64(1_000 + random.below(1_000))
        if random.chance(0.5) { return .local(generator.next(using: &random)) }
        let namespace = gateSchema.namespaces[random.below(gateSchema.namespaces.count)]
        return .merge(namespace.name, row(namespace.policy))
    }

    private mutating func stamp() -> Stamp {
        Stamp(time: UInt64(1 + random.below(4)), replica: peers[random.below(peers.count)])
    }

    private mutating func row(_ policy: Policy) -> Row {
        let key = keys[random.below(keys.count)]
        guard case .log = policy else {
            let entries = peers.shuffled(using: &random).prefix(1 + random.below(3)).map { peer in
                CausalRow.Entry(
                    replica: peer, time: UInt64(1 + random.below(4)),
                    value: random.chance(0.4) ? nil : [UInt8(random.below(3))])
            }
            guard let row = CausalRow(key: key, entries: entries) else {
                preconditionFailure("peers differ")
            }
            return .causal(row)
        }
        if random.chance(0.1) {
            return .logMarker(LogMarker(group: groups[random.below(4)], stamp: stamp()))
        }
        let events = (0...random.below(2)).map { _ in
            LogEvent(
                stamp: stamp(), group: groups[random.below(4)], body: [UInt8(random.below(3))])
        }
        guard let row = LogRow(key: key, events: events) else {
            preconditionFailure("at least one event")
        }
        return .logEvents(row)
    }

    /// Whether a gate holds and shows what the models do.
    func equals(_ gate: Gate) throws -> Bool {
        try gate.read { snapshot in
            for (name, model) in models {
                for set in RowSet.allCases {
                    var rows: [Row] = []
                    try snapshot.forEachRow(name, set, .all) { row, _ in
                        rows.append(row)
                        return true
                    }
                    guard rows == model.rows.rows(set) else { return false }
                }
                let view = try snapshot.list(name).map { ($0.key, $0.values.map(\.body)) }
                guard Dictionary(uniqueKeysWithValues: view) == model.rows.view else {
                    return false
                }
            }
            return true
        }
    }
}
