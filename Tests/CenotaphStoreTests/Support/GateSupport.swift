import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

let gateSchema = Schema {
    Namespace("notes", .causal)
    Namespace("journal", .log(buried: .erase))
    Namespace("archive", .log(buried: .hide))
}

/// A gate over a store, with keys, ids and a clock that a seed and a test set.
final class GateBench {
    let store: any Store
    let keys: FleetKeys
    let gate: Gate
    private let clock = Clock()

    private final class Clock { var milliseconds: UInt64 = 1_000 }

    init(_ store: any Store, schema: Schema = gateSchema, seed: UInt64 = 1) throws {
        var random = SeededRandom(seed: seed)
        keys = try FleetKeys.seeded(using: &random)
        self.store = store
        gate = try Gate(
            store: store, schema: schema, keys: keys,
            milliseconds: { [clock] in clock.milliseconds }, random: &random)
    }

    var milliseconds: UInt64 {
        get { clock.milliseconds }
        set { clock.milliseconds = newValue }
    }

    @discardableResult
    func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try gate.write(body).result
    }

    func bodies(_ name: NamespaceName, _ key: Key) throws -> [[UInt8]] {
        try gate.read { try $0.get(name, key) }?.values.map(\.body) ?? []
    }

    /// Everything in the store and everything that the gate says of it.
    func dump() throws -> GateDump {
        let names = gate.schema.namespaces.map(\.name)
        return GateDump(
            store: try StoreDump(store, names), digests: try gate.read { $0.digests },
            summary: try gate.read { $0.summary })
    }

    /// Expects a refusal that leaves every record, row and digest as it was, byte for byte.
    func expectRefusal(
        _ refusal: WriteRefusal, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (WriteTransaction) throws -> Void
    ) throws {
        let before = try dump()
        #expect(throws: GateError.refused(refusal), sourceLocation: sourceLocation) {
            try gate.write(body)
        }
        #expect(try dump() == before, sourceLocation: sourceLocation)
    }

    /// Which sums and index entries differ from ones made anew from all rows; `nil` if none do.
    func inconsistency() throws -> String? {
        try gate.read { snapshot in
            for digest in snapshot.digests {
                let name = digest.name
                let key = try snapshot.key(of: name)
                var members: [Key: [Key]] = [:]
                for set in RowSet.allCases {
                    var sum = SetSum()
                    var wrong = false
                    var ids: [(key: Key, leaf: Hash256)] = []
                    try snapshot.forEachRow(name, set, .all) { row, leaf in
                        wrong = wrong || key.leaf(of: row) != leaf || row.set != set
                        sum.add(key.leaf(of: row))
                        ids.append((row.key, leaf))
                        if case .logEvents(let row) = row {
                            for group in Set(row.events.map(\.group)) {
                                members[group, default: []].append(row.key)
                            }
                        }
                        return true
                    }
                    guard !wrong else { return "\(name): a leaf or a set" }
                    guard try snapshot.sum(name, set, .all) == sum,
                        digest[set].count == sum.count,
                        digest[set].fingerprint == sum.fingerprint(set, key)
                    else { return "\(name): the sum of \(set)" }
                    if let wrong = try snapshot.inconsistency(name, set, ids) { return wrong }
                }
                let number = try StoreDump.number(of: name, in: store)
                for group in ["a", "b", "c", "g", "h", "i"] as [Key] {
                    guard try store.members(number, group) == members[group] ?? [] else {
                        return "\(name): the keys of group \(group)"
                    }
                }
            }
            return nil
        }
    }
}

extension ReadTransaction {
    /// Whether the sketches and the places of a set are those of its rows; if not, which are others.
    func inconsistency(
        _ name: NamespaceName, _ set: RowSet, _ rows: [(key: Key, leaf: Hash256)]
    ) throws -> String? {
        let key = try key(of: name)
        var whole = Sketch(size: 1_000)
        for row in rows {
            let id = RowID(place: key.place(of: row.key), leaf: row.leaf)
            whole.add(id)
            guard try keys(name, set, places: [id.place], ids: [id]).contains(row.key) else {
                return "\(name): the place of \(row.key)"
            }
        }
        for size in [1, 24, 64, 1_000] where try sketch(name, set, size: size) != whole.prefix(size)
        {
            return "\(name): \(size) cells of \(set)"
        }
        return nil
    }
}

extension ReadTransaction {
    /// The keys of rows of some places that have one of some ids.
    func keys(
        _ name: NamespaceName, _ set: RowSet, places: [UInt32], ids: [RowID]
    ) throws -> [Key] {
        var keys: [Key] = []
        try forEachRow(name, set, places: places) { row, id in
            if ids.contains(id) { keys.append(row.key) }
            return true
        }
        return keys
    }
}

struct GateDump: Equatable {
    let store: StoreDump
    let digests: [NamespaceDigest]
    let summary: ID16
}

/// All bytes of a store that a gate made.
struct StoreDump: Equatable {
    private struct Place: Hashable {
        let number: Int64
        let shelf: Shelf
        let key: Key
    }

    private var records: [String: [UInt8]] = [:]
    private var rows: [Place: StoredRow] = [:]

    init(_ store: any Store, _ names: [NamespaceName]) throws {
        try store.read {
            let all = ["fleet", "replica", "clock", "namespaces"] + names.map(StoreDump.record)
            for name in all { records[name] = try store.record(name) }
            for number in 1...Int64(names.count) {
                for shelf in Shelf.allCases {
                    try store.scanRows(number, shelf, .all) { (key, row) throws(StoreError) in
                        rows[Place(number: number, shelf: shelf, key: key)] = row
                        return true
                    }
                }
            }
        }
    }

    /// The name of the record of a namespace.
    static func record(_ name: NamespaceName) -> String { "namespace/" + Hex.string(name.bytes) }

    /// The number of a namespace, in an open transaction.
    static func number(of name: NamespaceName, in store: any Store) throws -> Int64 {
        let record = try #require(try store.record(record(name)))
        return record.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
