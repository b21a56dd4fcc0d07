/// The format of a store's file: what marks it, and its tables.
///
/// | Table    | Columns                                      | Ordered by          |
/// |----------|----------------------------------------------|---------------------|
/// | `record` | name, value                                  | name                |
/// | `row`    | namespace, set, key, leaf, type, content     | namespace, set, key |
/// | `member` | namespace, grp, key                          | namespace, grp, key |
///
/// The leaf stands before the content, so a walk over leaves reads no page that only holds content.
enum Format {
    /// Marks the file as a store: "Cnth".
    static let applicationID: Int64 = 0x436e_7468
    /// The format that this library writes.
    static let version: Int64 = 1

    /// A table's name and the text that makes it, which SQLite keeps as it is.
    static let tables: [(name: String, sql: String)] = [
        (
            "record",
            """
            CREATE TABLE record(name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) \
            WITHOUT ROWID, STRICT
            """
        ),
        (
            "row",
            """
            CREATE TABLE row(namespace INTEGER NOT NULL, "set" INTEGER NOT NULL, \
            key BLOB NOT NULL, leaf BLOB NOT NULL, type INTEGER NOT NULL, content BLOB NOT NULL, \
            PRIMARY KEY(namespace, "set", key)) WITHOUT ROWID, STRICT
            """
        ),
        (
            "member",
            """
            CREATE TABLE member(namespace INTEGER NOT NULL, grp BLOB NOT NULL, \
            key BLOB NOT NULL, PRIMARY KEY(namespace, grp, key)) WITHOUT ROWID, STRICT
            """
        ),
    ]
}

extension Connection {
    /// Opens a store, or makes one.
    ///
    /// Whatever is not a store is left as it is, byte for byte.
    static func openStore(
        _ path: String, _ mode: OpenMode, busyMilliseconds: Int32
    ) throws(StoreError) -> Connection {
        if mode == .create { try createFile(path) }
        let connection = try Connection(path: path, readOnly: mode == .readOnly)
        let header = try connection.header()
        let isEmpty = header.size == 0
        // The power failed while a store was made, before its front was written; the journal takes back the rest.
        let isUnfinished = header.isBlank && connection.hasLog
        guard isEmpty || isUnfinished ? mode == .create : header.isStore else { throw .notAStore }
        try refuseNewer(header.userVersion)
        // SQLite takes a last page that was cut off for zeros; only a log may still hold the rest of it.
        guard isEmpty || header.isWhole || connection.hasLog else {
            throw .corrupt("the file ends within a page")
        }
        // From here on the file is ours, and SQLite may touch it.
        guard mode == .readOnly || !connection.isReadOnly else { throw .readOnly }
        connection.setBusyTimeout(milliseconds: busyMilliseconds)
        try connection.harden(readOnly: mode == .readOnly)
        for pragma in ["secure_delete=ON", "synchronous=FULL", "temp_store=MEMORY", "mmap_size=0"] {
            try connection.run("PRAGMA \(pragma)")
        }
        if mode == .create { try connection.initialise() }
        try connection.verify()
        if mode != .readOnly { try connection.enterLog(busyMilliseconds) }
        return connection
    }

    /// Makes the tables where there is nothing yet, in one transaction, and marks the file in the same one.
    private func initialise() throws(StoreError) {
        guard try isBlank() else { return }
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            // Another process may have been faster.
            if try isBlank() {
                for table in Format.tables { try run(table.sql) }
                try run("PRAGMA application_id=\(Format.applicationID)")
                try run("PRAGMA user_version=\(Format.version)")
            }
            try run("COMMIT")
        } catch {
            if inTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    private func isBlank() throws(StoreError) -> Bool {
        guard try number("SELECT count(*) FROM sqlite_schema") == 0 else { return false }
        guard try number("PRAGMA application_id") == 0 else { return false }
        return try number("PRAGMA user_version") == 0
    }

    /// Checks in one snapshot that the file is a store of this format and that its tables are there.
    private func verify() throws(StoreError) {
        try run("BEGIN")
        do throws(StoreError) {
            guard try number("PRAGMA application_id") == Format.applicationID else {
                throw .notAStore
            }
            let version = try number("PRAGMA user_version")
            try Connection.refuseNewer(version)
            guard version == Format.version else {
                throw .corrupt("format \(version) does not exist")
            }
            for table in Format.tables {
                let entry = "type='table' AND name='\(table.name)'"
                guard try text("SELECT sql FROM sqlite_schema WHERE \(entry)") == table.sql else {
                    throw .corrupt("the table '\(table.name)' is missing or another one")
                }
                try run("SELECT 1 FROM \"\(table.name)\" LIMIT 1")
            }
            try run("COMMIT")
        } catch {
            if inTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    private static func refuseNewer(_ version: Int64) throws(StoreError) {
        guard version > Format.version else { return }
        throw .newerFormat(found: version, known: Format.version)
    }

    /// Switches the file to write-ahead logging, for ever.
    ///
    /// Waits by itself, as SQLite does not here.
    private func enterLog(_ busyMilliseconds: Int32) throws(StoreError) {
        var attempts = busyMilliseconds / 5 + 1
        while true {
            attempts -= 1
            do throws(StoreError) {
                guard try text("PRAGMA journal_mode=WAL") == "wal" else {
                    throw .failed(code: 0, "the file system has no write-ahead logging")
                }
                return
            } catch {
                guard error == .locked, attempts > 0 else { throw error }
                Connection.pause()
            }
        }
    }
}

extension Connection.Header {
    fileprivate var isStore: Bool { isDatabase && applicationID == Format.applicationID }

    /// Whether the file ends where a page ends.
    ///
    /// A page size of 1 stands for 65536.
    fileprivate var isWhole: Bool { size % (pageSize > 1 ? pageSize : 65_536) == 0 }
}
