import Cenotaph
import CenotaphTesting
import Testing

/// Rows that do not belong where they lie are typed errors, never traps.
@Suite struct GateDamageTests {
    /// Runs everything that reads or changes a key; each part may throw a typed error and nothing else.
    private func useAll(_ bench: GateBench, _ name: NamespaceName, _ key: Key) {
        func attempt(_ what: String, _ body: (WriteTransaction) throws -> Void) {
            do {
                _ = try bench.gate.write(body)
            } catch GateError.store(.corrupt), GateError.refused {
                return
            } catch {
                Issue.record("\(what): \(error)")
            }
        }
        var random = SeededRandom(seed: 11)
        let peer = ReplicaID.random(using: &random)
        let stamp = Stamp(time: 9, replica: peer)
        attempt("get") { _ = try $0.get(name, key) }
        attempt("list") { _ = try $0.list(name) }
        attempt("row") { _ = try $0.row(name, .live, key) }
        attempt("rows") { try $0.forEachRow(name, .live, .all) { _, _ in true } }
        attempt("describe") { transaction in
            let snapshot = GateSnapshot(transaction: transaction)
            for set in RowSet.allCases { _ = try snapshot.describe(name, set, .all) }
        }
        if name == "notes" {
            let entry = CausalRow.Entry(replica: peer, time: 9, value: [9])
            if let row = CausalRow(key: key, entries: [entry]) {
                attempt("merge") { _ = try $0.merge(name, .causal(row)) }
            }
            attempt("put") { try $0.put(name, key, [1]) }
            attempt("delete") { try $0.delete(name, key) }
            attempt("revive") { try $0.revive(name, key, [1]) }
        } else {
            let event = LogEvent(stamp: stamp, group: "h", body: [9])
            attempt("merge") {
                _ = try $0.merge(name, .logEvents(LogRow(key: key, event: event)))
            }
            attempt("append") { try $0.append(name, key, group: "h", [1]) }
            attempt("marker") {
                _ = try $0.merge(name, .logMarker(LogMarker(group: "g", stamp: stamp)))
            }
            attempt("bury") { try $0.bury(name, group: "h") }
        }
    }

    @Test(arguments: StoreKind.allCases, ["notes", "journal", "archive"] as [NamespaceName])
    func misplacedRows(_ kind: StoreKind, _ name: NamespaceName) throws {
        try kind.with { store in
            var bench = try GateBench(store)
            try bench.write { transaction in
                if name == "notes" {
                    try transaction.put(name, "k", [1])
                    try transaction.put(name, "dead", [1])
                    try transaction.delete(name, "dead")
                } else {
                    try transaction.append(name, "k", group: "g", [1])
                    try transaction.bury(name, group: "dead")
                }
            }
            let number = try store.read { try StoreDump.number(of: name, in: store) }
            let live = RowAddress(number, .live, "k")
            let dead = RowAddress(number, .tombstones, "dead")
            let rows = try store.read { (try store.row(at: live), try store.row(at: dead)) }
            let (good, tombstone) = (try #require(rows.0), try #require(rows.1))
            var bad: [StoredRow] = [tombstone]
            for type in RowType.allCases where type != good.type {
                bad.append(StoredRow(leaf: good.leaf, type: type, content: good.content))
            }
            for content in [[], Array(good.content.dropLast()), good.content + [0]] {
                bad.append(StoredRow(leaf: good.leaf, type: good.type, content: content))
            }
            // Another key, and another kind of row, each well-formed in itself.
            var other = good
            other.content[1] = UInt8(ascii: "j")
            let foreign = Row.logMarker(
                LogMarker(group: "k", stamp: Stamp(time: 1, replica: bench.gate.replica)))
            let entry = CausalRow.Entry(replica: bench.gate.replica, time: 1, value: nil)
            let causal = Row.causal(try #require(CausalRow(key: "k", entries: [entry])))
            bad.append(other)
            for row in [foreign, causal] {
                bad.append(StoredRow(leaf: good.leaf, type: row.type, content: row.encoded()))
            }
            for row in bad {
                for place in [live, dead, RowAddress(number, .live, "dead")] {
                    try store.write {
                        try store.setRow(at: live, good)
                        try store.setRow(at: dead, tombstone)
                        try store.setRow(at: RowAddress(number, .live, "dead"), nil)
                        try store.setRow(at: place, row)
                    }
                    bench = try GateBench(store)
                    for key in ["k", "dead", "j"] as [Key] { useAll(bench, name, key) }
                }
            }
        }
    }

    /// An index that names keys without such events costs nothing.
    @Test(arguments: StoreKind.allCases) func wrongIndex(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { try $0.append("journal", "k", group: "g", [1]) }
            let number = try store.read { try StoreDump.number(of: "journal", in: store) }
            try store.write {
                try store.setMember(number, "h", "k", true)
                try store.setMember(number, "h", "nothing", true)
            }
            try bench.write { try $0.bury("journal", group: "h") }
            #expect(try bench.bodies("journal", "k") == [[1]])
            try bench.write { try $0.bury("journal", group: "g") }
            #expect(try bench.bodies("journal", "k").isEmpty)
        }
    }
}
