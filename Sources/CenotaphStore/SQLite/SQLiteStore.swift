internal import Synchronization

/// A store in one SQLite file, with a write-ahead log beside it while it is open.
///
/// A commit is on the disk when it returns (`synchronous=FULL`). What is removed is overwritten where it lay
/// (`secure_delete`); `checkpoint` and `scrub` say what that reaches. Several instances, in one process or in many,
/// may have one file open. A reader that may write neither the file nor its folder reads a file without a log as it lies
/// there, and throws `locked` from the moment that another process writes it. Nothing that is read from the file is trusted: what the format does not allow is
/// `StoreError.corrupt`.
public final class SQLiteStore: Store {
    private enum Phase { case idle, reading, writing, closed }

    /// One opening at a time in this process: making a file goes through a descriptor of its own, and closing that
    /// one would drop the locks that another opening of the same file holds by then.
    private static let opening = Mutex<Void>(())

    /// Whether writing transactions are refused.
    public let isReadOnly: Bool

    let connection: Connection
    /// The format that this store reads and writes.
    private let version: Int64
    private var phase = Phase.idle
    /// Why the open transaction can no longer be committed.
    private var spoiled: StoreError?
    /// Statements that nobody uses, by the number of their query.
    private var idle = [[Statement]](repeating: [], count: Query.allCases.count)
    private var seenVersion: Int64 = 0
    /// Scans whose visitor is running.
    var openScans = 0
    /// Places that wait until they are sorted in: of more, each would cost as much, and reading transactions pass them.
    package var maxFresh: Int64 = 262_144
    /// Counts changes of rows, so that a scan notices what its visitor wrote.
    var rowChanges: UInt64 = 0

    /// Opens the store at a path.
    ///
    /// A new file gets mode 0600. A file that is not a store is left as it is, byte for byte. One of an older format is
    /// brought to the newest, step by step; what interrupts a step leaves the file as it was.
    /// - Parameters:
    ///   - path: The file's path; the log lies beside it, with `-wal` and `-shm` after its name.
    ///   - mode: Whether the file must be there, and whether it may be written.
    ///   - busyTimeout: How long `begin` waits for another connection before it throws `StoreError.locked`.
    /// - Throws: `notFound`, `notAStore`, `newerFormat`, `olderFormat` to read only, `corrupt`, `readOnly` for a file
    ///   that the system does not let be written, `locked`, `full`, `failed`.
    public convenience init(
        path: String, mode: OpenMode, busyTimeout: Duration = .seconds(5)
    ) throws(StoreError) {
        try self.init(
            path: path, mode: mode, busyTimeout: busyTimeout, migrations: Format.migrations)
    }

    /// Opens the store at a path by other migrations than the library's own, for tests of them.
    package init(
        path: String, mode: OpenMode, busyTimeout: Duration, migrations: [Migration]
    ) throws(StoreError) {
        guard !path.isEmpty else { throw .notFound }
        guard !path.utf8.contains(0) else {
            throw .failed(code: 0, "a path contains no zero byte")
        }
        // Some relative names, such as ":memory:", mean something else to SQLite.
        let place = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        let milliseconds = busyTimeout.clampedMilliseconds
        connection = try SQLiteStore.opening.withLock { (_) throws(StoreError) in
            try Connection.openStore(place, mode, migrations, busyMilliseconds: milliseconds)
        }
        isReadOnly = mode == .readOnly
        version = Migration.version(after: migrations)
        seenVersion = try connection.number(Query.dataVersion.sql)
    }

    deinit { if phase != .closed { shut() } }

    /// Ends what is open, moves the log into the file as far as others allow, and closes the file.
    ///
    /// An open transaction is rolled back. Nothing but `close` and `rollback` may be called afterwards.
    public func close() {
        precondition(openScans == 0, "a store cannot be closed by a visitor")
        if phase != .closed { shut() }
    }

    private func shut() {
        rollback()
        // Whoever still uses the file moves the log later, so nothing is waited for.
        connection.setBusyTimeout(milliseconds: 0)
        if !isReadOnly { try? connection.emptyLog() }
        phase = .closed
        idle = []
        connection.close()
    }

    /// Whether the open transaction may write.
    var isWriting: Bool { phase == .writing }

    // MARK: Transactions

    /// Begins a transaction; see `Store.begin(writing:)`.
    public func begin(writing: Bool) throws(StoreError) {
        precondition(phase == .idle, "a transaction is open, or the store is closed")
        guard !(writing && isReadOnly) else { throw .readOnly }
        try connection.checkFrozen()
        try run(writing ? .beginWriting : .beginReading)
        phase = writing ? .writing : .reading
        do {
            // The snapshot is taken by the first read, so that is done here. A newer program may have migrated the file.
            let format = try with(.format) { (statement) throws(StoreError) in
                guard try statement.step() else { throw .corrupt("the file has no format") }
                return try statement.number(0, "the format")
            }
            try Connection.check(format: format, version)
        } catch {
            rollback()
            throw error
        }
    }

    /// Ends the transaction; see `Store.commit()`.
    public func commit() throws(StoreError) {
        precondition(phase == .reading || phase == .writing, "no transaction is open")
        precondition(openScans == 0, "a transaction cannot be ended by a visitor")
        do throws(StoreError) {
            if let spoiled { throw spoiled }
            try run(.commit)
        } catch {
            rollback()
            throw error
        }
        phase = .idle
    }

    /// Ends the transaction and forgets what it wrote; see `Store.rollback()`.
    public func rollback() {
        guard phase == .reading || phase == .writing else { return }
        precondition(openScans == 0, "a transaction cannot be ended by a visitor")
        // SQLite ends a transaction by itself after some failures; then there is nothing left to do.
        if connection.inTransaction { try? run(.rollback) }
        phase = .idle
        spoiled = nil
    }

    /// Whether another connection committed since this was last asked, or since the store was opened.
    ///
    /// See `Store.changedElsewhere()`.
    public func changedElsewhere() throws(StoreError) -> Bool {
        let version = try read(.dataVersion) { (statement) throws(StoreError) in
            guard try statement.step() else { throw .corrupt("the file has no version") }
            return try statement.number(0, "the data version")
        }
        defer { seenVersion = version }
        return version != seenVersion
    }

    // MARK: Files

    /// Moves the log into the file and empties it: afterwards no removed row is in the log.
    ///
    /// Outside a transaction only.
    /// - Throws: `locked` while another connection reads or writes, and any failure of the file.
    public func checkpoint() throws(StoreError) {
        precondition(phase == .idle, "a transaction is open, or the store is closed")
        guard !isReadOnly else { throw .readOnly }
        try connection.emptyLog()
    }

    /// Rewrites the whole file from the rows that it has, then empties the log.
    ///
    /// SQLite overwrites a removed row where it lies, but it does not overwrite the copies that it left behind when
    /// it moved the row between pages; those stay until the space is used again. After this there are none. Takes
    /// time, memory and log space in proportion to the file. Outside a transaction only.
    /// - Throws: `locked` while another connection reads or writes, `full`, and any failure of the file.
    public func scrub() throws(StoreError) {
        precondition(phase == .idle, "a transaction is open, or the store is closed")
        guard !isReadOnly else { throw .readOnly }
        try connection.run("VACUUM")
        try connection.emptyLog()
    }

    /// Lets the file grow to that many pages at most, for tests of a full disk.
    package func limitPages(_ count: Int) throws(StoreError) {
        try connection.run("PRAGMA max_page_count=\(count)")
    }

    /// The number of pages of the file, for tests of a full disk.
    package func pageCount() throws(StoreError) -> Int {
        Int(try connection.number("PRAGMA page_count"))
    }

    /// Steps that all statements took since this was last asked, for tests of what a scan passes.
    package func takeSteps() -> Int {
        idle.reduce(0) { $0 + $1.reduce(0) { $0 + $1.takeSteps() } }
    }

    // MARK: Statements

    /// Runs a reading statement in the open transaction.
    ///
    /// It is reset when `body` ends, however it ends.
    func read<Value>(
        _ query: Query, _ body: (Statement) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        precondition(phase == .reading || phase == .writing, "no transaction is open")
        if let spoiled { throw spoiled }
        do {
            return try with(query, body)
        } catch {
            // Some failures end the whole transaction; what follows must not run outside of it.
            if !connection.inTransaction { spoiled = error }
            throw error
        }
    }

    /// Runs a writing statement in the open transaction; a failure spoils the transaction.
    func write(
        _ query: Query, _ bind: (Statement) throws(StoreError) -> Void
    ) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        if let spoiled { throw spoiled }
        do {
            try with(query) { (statement) throws(StoreError) in
                try bind(statement)
                while try statement.step() {}
            }
        } catch {
            spoiled = error
            throw error
        }
    }

    /// Runs a statement that writes a row, and returns how many rows it wrote; a failure spoils the transaction.
    @discardableResult
    func write(
        _ query: Query, _ address: RowAddress, _ row: StoredRow
    ) throws(StoreError) -> Int64 {
        try run(query) { (statement) throws(StoreError) in try statement.run(address, row) }
        return connection.changeCount
    }

    /// Lends a statement that writes to a body that binds, runs and resets it; a failure spoils the transaction.
    func run(
        _ query: Query, _ body: (Statement) throws(StoreError) -> Void
    ) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        if let spoiled { throw spoiled }
        do {
            let statement = try take(query)
            defer { idle[query.rawValue].append(statement) }
            try body(statement)
        } catch {
            spoiled = error
            throw error
        }
    }

    private func run(_ query: Query) throws(StoreError) {
        try with(query) { (statement) throws(StoreError) in while try statement.step() {} }
    }

    /// Lends a statement that nobody uses; scans inside scans get one each.
    private func with<Value>(
        _ query: Query, _ body: (Statement) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let statement = try take(query)
        defer {
            statement.reset()
            idle[query.rawValue].append(statement)
        }
        return try body(statement)
    }

    private func take(_ query: Query) throws(StoreError) -> Statement {
        if let kept = idle[query.rawValue].popLast() { return kept }
        return try connection.prepare(query.sql)
    }
}

extension Connection {
    /// Moves the log into the file and cuts it to nothing.
    fileprivate func emptyLog() throws(StoreError) {
        // The answer's first number says whether another connection was in the way.
        guard try number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { throw .locked }
    }
}

extension Duration {
    /// Whole milliseconds, from 0 to what SQLite can wait.
    fileprivate var clampedMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        guard self < .milliseconds(Int64(Int32.max)) else { return Int32.max }
        return Int32(self / .milliseconds(1))
    }
}
