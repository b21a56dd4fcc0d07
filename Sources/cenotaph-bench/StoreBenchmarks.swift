import CSQLite
import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Glibc

/// Applying new rows in batches of 1,000 through the gate, against prepared statements on a table of the same shape.
func storeBenchmarks(rows: Int, _ rounds: Int) throws -> [Measurement] {
    let folder = "/tmp/cenotaph-bench-\(getpid())"
    unsafe _ = mkdir(folder, 0o700)
    defer {
        for name in ["gate", "raw"] {
            for ending in ["", "-wal", "-shm"] { unsafe _ = unlink("\(folder)/\(name)\(ending)") }
        }
        unsafe _ = rmdir(folder)
    }
    let samples = (0..<rows).map { Row.causal(Samples.row($0, bodyBytes: 150)) }
    var gate: Gate?
    var table: RawTable?
    let measurement = try measure(
        "apply, 1,000 rows a transaction", against: "raw SQLite, same columns", n: rows,
        bytes: rows * 200, rounds: rounds, repetitions: 1,
        prepare: {
            (gate, table) = (nil, nil)
            gate = try? openGate("\(folder)/gate")
            table = try? RawTable("\(folder)/raw")
        },
        ours: {
            guard let gate else { throw StoreError.notFound }
            try apply(samples, through: gate)
        },
        raw: { table?.apply(samples) })
    return [measurement]
}

private func removeStore(_ path: String) {
    for ending in ["", "-wal", "-shm"] { unsafe _ = unlink(path + ending) }
}

private func openGate(_ path: String) throws -> Gate {
    removeStore(path)
    var random = SystemRandomNumberGenerator()
    return try Gate(
        store: SQLiteStore(path: path, mode: .create),
        schema: Schema { Namespace("notes", .causal) }, keys: FleetKeys.generate(),
        milliseconds: { 1 }, random: &random)
}

private func apply(_ rows: [Row], through gate: Gate) throws {
    for start in stride(from: 0, to: rows.count, by: 1_000) {
        _ = try gate.write { tx in
            for row in rows[start..<min(start + 1_000, rows.count)] {
                _ = try tx.merge("notes", row)
            }
        }
    }
}

/// A SQLite table with the store's columns and settings, and no rules.
@safe private final class RawTable {
    private let database: OpaquePointer

    init(_ path: String) throws {
        removeStore(path)
        var opened: OpaquePointer?
        guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let database = unsafe opened else {
            throw StoreError.notFound
        }
        unsafe self.database = unsafe database
        run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;")
        run(
            """
            CREATE TABLE row(namespace INTEGER, "set" INTEGER, key BLOB, leaf BLOB, type INTEGER,
            content BLOB, PRIMARY KEY(namespace, "set", key)) WITHOUT ROWID, STRICT;
            """)
    }

    private func run(_ sql: String) { unsafe _ = sqlite3_exec(database, sql, nil, nil, nil) }

    func apply(_ rows: [Row]) {
        var prepared: OpaquePointer?
        unsafe sqlite3_prepare_v2(
            database, "INSERT INTO row VALUES(1, 0, ?1, ?2, 3, ?3)", -1, &prepared, nil)
        let leaf = Samples.bytes(32)
        for start in stride(from: 0, to: rows.count, by: 1_000) {
            run("BEGIN IMMEDIATE")
            for row in rows[start..<min(start + 1_000, rows.count)] {
                let content = row.encoded()
                unsafe bind(prepared, 1, row.key.bytes)
                unsafe bind(prepared, 2, leaf)
                unsafe bind(prepared, 3, content)
                unsafe sqlite3_step(prepared)
                unsafe sqlite3_reset(prepared)
            }
            run("COMMIT")
        }
        unsafe sqlite3_finalize(prepared)
    }

    deinit { unsafe sqlite3_close(database) }

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: [UInt8]) {
        unsafe _ = cenotaph_bind_blob_copy(statement, index, bytes, Int32(bytes.count))
    }
}
