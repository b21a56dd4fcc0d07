import CenotaphDigest
import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire

/// Rows of a store's benchmark transactions.
private let batch = 1_000
/// Bytes of a benchmark row's body.
let storeBodyBytes = 150

/// Applying rows in batches of 1,000 through the gate, against prepared statements on a table of the same shape: rows
/// that are new, then an edit of each.
func storeBenchmarks(rows: Int, _ rounds: Int) throws -> [Measurement] {
    let folder = try BenchFolder()
    let samples = (0..<rows).map { Row.causal(Samples.row($0, bodyBytes: storeBodyBytes)) }
    let edits = (0..<rows).map {
        Row.causal(Samples.row($0, bodyBytes: storeBodyBytes, edition: 2))
    }
    var gate: Gate?
    var table: RawTable?
    func reopen(with rows: [Row]) {
        (gate, table) = (nil, nil)
        gate = try? openGate(folder.freshPath("gate"))
        table = try? RawTable(folder.freshPath("raw"))
        if let gate, !rows.isEmpty { try? apply(rows, through: gate) }
        if let table { write(rows.map(RawTable.Entry.init), to: table, areNew: true) }
    }
    func measureApplying(_ name: String, _ applied: [Row], over held: [Row]) throws -> Measurement {
        let entries = applied.map(RawTable.Entry.init)
        return try measure(
            name, against: "raw SQLite, same columns and pragmas", n: rows, bytes: rows * 200,
            rounds: rounds,
            repetitions: 1, prepare: { reopen(with: held) },
            ours: {
                guard let gate else { throw StoreError.notFound }
                try apply(applied, through: gate)
            },
            raw: { if let table { write(entries, to: table, areNew: held.isEmpty) } })
    }
    return [
        try measureApplying("apply, 1,000 rows a transaction", samples, over: []),
        try measureApplying("apply edits, 1,000 rows a transaction", edits, over: samples),
    ]
}

/// Writes entries to a table, in batches.
private func write(_ entries: [RawTable.Entry], to table: RawTable, areNew: Bool) {
    for start in stride(from: 0, to: entries.count, by: batch) {
        table.write(entries[start..<min(start + batch, entries.count)], areNew: areNew)
    }
}

/// What the leaf and the sums add to one edit: the new leaf, the old one out of its sum, the new one in.
///
/// Against one microsecond.
func upkeepBenchmark(_ rounds: Int) -> Measurement {
    let key = FleetKeys.generate().namespaceKey("notes")
    let row = Row.causal(Samples.row(7, bodyBytes: storeBodyBytes))
    let content = row.encoded()
    var sum = SetSum()
    var held = key.leaf(of: row)
    sum.add(held)
    let repetitions = repetitions(forBytes: content.count)
    let time = cpuTime(rounds: rounds, repetitions: repetitions) {
        let leaf = key.leaf(row.type, content: content)
        sum.remove(held)
        sum.add(leaf)
        held = leaf
    }
    keep(sum)
    return Measurement(
        name: "digest and leaf of an edit", baseline: "1 microsecond", n: storeBodyBytes,
        bytes: content.count, ours: time, raw: 1_000)
}

/// Opens a gate on a store of one causal namespace, "notes", and two logs.
func openGate(_ path: String) throws -> Gate {
    var random = SystemRandomNumberGenerator()
    return try Gate(
        store: SQLiteStore(path: path, mode: .create),
        schema: Schema {
            Namespace("notes", .causal)
            Namespace("events", .log(buried: .erase))
            Namespace("history", .log(buried: .hide))
        },
        keys: Samples.fleetKeys(), milliseconds: { 1 }, random: &random)
}

/// Merges rows as a session does, in batches.
func apply(_ rows: [Row], to name: NamespaceName = "notes", through gate: Gate) throws {
    for start in stride(from: 0, to: rows.count, by: batch) {
        _ = try gate.write { tx in
            try tx.merge(name, Array(rows[start..<min(start + batch, rows.count)]))
        }
    }
}
