import CSQLite
import CenotaphStore
import CenotaphWire

/// A SQLite table with the store's columns and all its pragmas, and no rules.
@safe final class RawTable {
    /// A row's bytes, ready to be written.
    struct Entry {
        let key: [UInt8]
        let content: [UInt8]

        init(_ row: Row) {
            key = row.key.bytes
            content = row.encoded()
        }
    }

    private let database: OpaquePointer
    private let leaf = Samples.bytes(32)

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let database = unsafe opened else {
            throw StoreError.notFound
        }
        unsafe self.database = unsafe database
        run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;")
        run("PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;")
        run("PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=4000;")
        run(
            """
            CREATE TABLE row(namespace INTEGER, "set" INTEGER, key BLOB, leaf BLOB, type INTEGER,
            content BLOB, PRIMARY KEY(namespace, "set", key)) WITHOUT ROWID, STRICT;
            """)
    }

    private func run(_ sql: String) { unsafe _ = sqlite3_exec(database, sql, nil, nil, nil) }

    /// Writes entries that are new, or that are there, in one transaction.
    func write(_ entries: ArraySlice<Entry>, areNew: Bool) {
        var prepared: OpaquePointer?
        let insert = "INSERT INTO row VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
        let update = "ON CONFLICT DO UPDATE SET leaf=excluded.leaf, content=excluded.content"
        let sql = areNew ? insert : "\(insert) \(update)"
        unsafe sqlite3_prepare_v2(database, sql, -1, &prepared, nil)
        run("BEGIN IMMEDIATE")
        for entry in entries {
            // Safety: the three arrays outlive the call, which keeps none of them.
            unsafe _ = cenotaph_run_row(
                prepared, 1, 0, entry.key, Int32(entry.key.count), leaf, 3, entry.content,
                Int32(entry.content.count))
        }
        run("COMMIT")
        unsafe sqlite3_finalize(prepared)
    }

    deinit { unsafe sqlite3_close(database) }
}
