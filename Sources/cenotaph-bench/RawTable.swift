import CSQLite
import CenotaphStore
import CenotaphWire

/// A SQLite table with the store's columns and its settings of safety, and no rules.
@safe final class RawTable {
    private let database: OpaquePointer

    init(_ path: String) throws {
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

    /// Writes rows that are new, or rows that are there, in transactions of 1,000.
    func apply(_ rows: [Row], areNew: Bool) {
        var prepared: OpaquePointer?
        let insert = "INSERT INTO row VALUES(1, 0, ?1, ?2, 3, ?3)"
        let update = "ON CONFLICT DO UPDATE SET leaf=excluded.leaf, content=excluded.content"
        let sql = areNew ? insert : "\(insert) \(update)"
        unsafe sqlite3_prepare_v2(database, sql, -1, &prepared, nil)
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
