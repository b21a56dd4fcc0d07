/// The format of a store's file: what marks it, its tables, and the way from older formats.
///
/// | Table    | Columns                                      | Ordered by          |
/// |----------|----------------------------------------------|---------------------|
/// | `record` | name, value                                  | name                |
/// | `row`    | namespace, set, key, leaf, type, content     | namespace, set, key |
/// | `member` | namespace, grp, key                          | namespace, grp, key |
/// | `place`  | place, namespace, key                        | all three           |
/// | `fresh`  | place, namespace, key                        | arrival             |
///
/// The column `set` is the shelf. Since format 2, rows whose groups are all buried lie on one of their own. Since
/// format 3, the table `place` finds keys by their places (Spec 12). It is a table of its own because an edit or a
/// delete of a row then leaves it as it is: only a key that is new, or that is erased, changes it. It is ordered by
/// places first, which differ almost always, so that most comparisons end at the first number. Since format 4, a new
/// key's place waits in the table `fresh` until there are many of them, or until one is looked for: places are random,
/// so a few new ones at a time would each rewrite a page of their own.
///
/// The leaf stands before the content, so a walk over leaves reads no page that only holds content.
package enum Format {
    /// Marks the file as a store: "Cnth".
    static let applicationID: Int64 = 0x436e_7468
    /// The steps from the first format to the one that this library writes; see `Migration`.
    package static let migrations = [
        Migration(shelveBuried), Migration(placeTable, noteUnplaced), Migration(freshTable),
    ]
    /// The format that this library writes.
    package static let version = Migration.version(after: migrations)

    /// What makes a file of format 1 one of format 2: puts buried events on their shelf.
    ///
    /// Type 2 is a group's marker. An event row is buried when it is in no group without one.
    private static let shelveBuried = """
        UPDATE row SET "set"=2 WHERE "set"=0 AND (namespace, key) IN (\
        SELECT member.namespace, member.key FROM row JOIN member \
        ON member.namespace=row.namespace AND member.grp=row.key \
        WHERE row."set"=1 AND row.type=2 \
        EXCEPT SELECT namespace, key FROM member WHERE NOT EXISTS(\
        SELECT 1 FROM row WHERE row.namespace=member.namespace AND row."set"=1 \
        AND row.key=member.grp))
        """

    /// What makes a file of format 2 one of format 3, with a note for each namespace that its keys have no places yet.
    ///
    /// Places need the namespace's key, so the gate fills them in when it opens the namespace, and takes the note away
    /// in the same transaction. A record's name begins with "namespace/".
    private static let noteUnplaced = """
        INSERT INTO record SELECT 'unplaced/' || substr(name, 11), x'' FROM record \
        WHERE substr(name, 1, 10)='namespace/'
        """

    private static let placeTable = """
        CREATE TABLE place(place INTEGER NOT NULL, namespace INTEGER NOT NULL, \
        key BLOB NOT NULL, PRIMARY KEY(place, namespace, key)) WITHOUT ROWID, STRICT
        """

    private static let freshTable = """
        CREATE TABLE fresh(place INTEGER NOT NULL, namespace INTEGER NOT NULL, \
        key BLOB NOT NULL) STRICT
        """

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
        ("place", placeTable),
        ("fresh", freshTable),
    ]
}

extension Connection {
    /// Opens a store, or makes one.
    ///
    /// Whatever is not a store is left as it is, byte for byte.
    static func openStore(
        _ path: String, _ mode: OpenMode, _ migrations: [Migration], busyMilliseconds: Int32
    ) throws(StoreError) -> Connection {
        let version = Migration.version(after: migrations)
        if mode == .create { try createFile(path) }
        let connection = try Connection(path: path, readOnly: mode == .readOnly)
        let header = try connection.header()
        let isEmpty = header.size == 0
        // The power failed while a store was made, before its front was written; the journal takes back the rest.
        let isUnfinished = header.isBlank && connection.hasLog
        guard isEmpty || isUnfinished ? mode == .create : header.isStore else { throw .notAStore }
        try refuseNewer(header.userVersion, than: version)
        // SQLite takes a last page that was cut off for zeros; only a log may still hold the rest of it.
        guard isEmpty || header.isWhole || connection.hasLog else {
            throw .corrupt("the file ends within a page")
        }
        // From here on the file is ours, and SQLite may touch it.
        guard mode == .readOnly || !connection.isReadOnly else { throw .readOnly }
        connection.setBusyTimeout(milliseconds: busyMilliseconds)
        try connection.harden(readOnly: mode == .readOnly)
        let safety = ["secure_delete=ON", "synchronous=FULL", "temp_store=MEMORY", "mmap_size=0"]
        // Eight MiB of pages at most, and the log goes into the file every 4,000 pages: a batch rewrites pages that
        // the last one wrote.
        let speed = ["cache_size=-8192", "wal_autocheckpoint=4000"]
        for pragma in safety + speed { try connection.run("PRAGMA \(pragma)") }
        if mode == .create { try connection.initialise(version) }
        if mode != .readOnly { try connection.migrate(migrations) }
        try connection.verify(version)
        if mode != .readOnly { try connection.enterLog(busyMilliseconds) }
        return connection
    }

    /// Makes the tables where there is nothing yet, in one transaction, and marks the file in the same one.
    private func initialise(_ version: Int64) throws(StoreError) {
        guard try isBlank() else { return }
        try transact("BEGIN IMMEDIATE") { () throws(StoreError) in
            // Another process may have been faster.
            guard try isBlank() else { return }
            for table in Format.tables { try run(table.sql) }
            try run("PRAGMA application_id=\(Format.applicationID)")
            try run("PRAGMA user_version=\(version)")
        }
    }

    private func isBlank() throws(StoreError) -> Bool {
        guard try number("SELECT count(*) FROM sqlite_schema") == 0 else { return false }
        guard try number("PRAGMA application_id") == 0 else { return false }
        return try number("PRAGMA user_version") == 0
    }

    /// Checks in one snapshot that the file is a store of this format and that its tables are there.
    private func verify(_ version: Int64) throws(StoreError) {
        try transact("BEGIN") { () throws(StoreError) in
            guard try number("PRAGMA application_id") == Format.applicationID else {
                throw .notAStore
            }
            try Connection.check(format: try formatNumber(), version)
            for table in Format.tables {
                let entry = "type='table' AND name='\(table.name)'"
                guard try text("SELECT sql FROM sqlite_schema WHERE \(entry)") == table.sql else {
                    throw .corrupt("the table '\(table.name)' is missing or another one")
                }
                try run("SELECT 1 FROM \"\(table.name)\" LIMIT 1")
            }
        }
    }

    /// The file's format.
    func formatNumber() throws(StoreError) -> Int64 { try number("PRAGMA user_version") }

    /// Refuses a file of another format than `version`.
    static func check(format found: Int64, _ version: Int64) throws(StoreError) {
        try refuseNewer(found, than: version)
        guard found >= 1 else { throw .corrupt("format \(found) does not exist") }
        guard found == version else { throw .olderFormat(found: found, known: version) }
    }

    private static func refuseNewer(
        _ found: Int64, than version: Int64
    ) throws(StoreError) {
        guard found > version else { return }
        throw .newerFormat(found: found, known: version)
    }

    /// Runs `body` in a transaction and commits it; what throws leaves the file as it was.
    func transact(
        _ begin: String, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(begin)
        do throws(StoreError) {
            try body()
            try run("COMMIT")
        } catch {
            if inTransaction { try? run("ROLLBACK") }
            throw error
        }
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
