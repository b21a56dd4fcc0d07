import Cenotaph
import CenotaphTesting

/// A store's life in steps, each one transaction: every kind of write that a replica makes.
///
/// Ids, keys, times and peers are the same in every run, so a store that did the same steps holds the same bytes.
final class CrashScript {
    /// What ids and keys are drawn from.
    static let seed: UInt64 = 0x6365_6e6f

    /// The namespaces of the first steps.
    static let schema = Schema {
        Namespace("notes", .causal)
        Namespace("pages", .causal, childrenOf: "notes")
        Namespace("table", .causal)
        Namespace("devices", .lastWriter)
        Namespace("journal", .log(buried: .erase))
        Namespace("archive", .log(buried: .hide))
        Namespace("chat", .messages)
        Namespace("cache", .derived)
    }

    /// The namespaces since the step that adds one.
    static let widerSchema: Schema = {
        do {
            return try Schema(schema.namespaces + [Namespace("tags", .lastWriter)])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static let storage = ID16(high: 7, low: 7)

    private final class Clock { var milliseconds: UInt64 = 0 }

    private let makeStore: () throws -> SQLiteStore
    private let clock = Clock()
    private var opened: (store: SQLiteStore, gate: Gate)?
    /// The fleet's keys.
    let keys: FleetKeys

    /// Makes a life whose store is opened by `makeStore`, once or more often.
    init(_ makeStore: @escaping () throws -> SQLiteStore) throws {
        self.makeStore = makeStore
        var random = SeededRandom(seed: CrashScript.seed)
        keys = try FleetKeys.seeded(using: &random)
    }

    /// The number of steps.
    static var count: Int { steps.count }

    /// Does one step; the steps before it were done.
    func run(_ step: Int) throws {
        clock.milliseconds = 1_700_000_000_000 + UInt64(step) * 1_000
        switch CrashScript.steps[step] {
        case .open(let schema):
            opened?.store.close()
            opened = nil
            let store = try makeStore()
            opened = (store, try gate(over: store, schema, of: 0))
        case .write(let body): _ = try opened?.gate.write { try body($0, self) }
        case .scrub: try opened?.gate.scrub()
        case .close:
            opened?.store.close()
            opened = nil
        }
    }

    /// A gate of the fleet with an id that a number stands for.
    func gate(over store: any Store, _ schema: Schema, of replica: UInt64) throws -> Gate {
        var random = SeededRandom(seed: CrashScript.seed &+ replica)
        return try Gate(
            store: store, schema: schema, keys: keys,
            milliseconds: { [clock] in clock.milliseconds }, random: &random)
    }

    /// The whole rows that a peer would send after its own writes.
    func rows(
        ofPeer number: UInt64, _ body: (WriteTransaction) throws -> Void
    ) throws -> [(namespace: NamespaceName, row: Row)] {
        let peer = try gate(over: MemoryStore(), CrashScript.schema, of: 1_000 + number)
        return try peer.write(body).localRows
    }
}
