internal import CSQLite
internal import CenotaphWire

/// An open database file: switches, pragmas, statements, and what SQLite's result codes mean for a store.
@safe final class Connection {
    /// What can be read from the front of a file without SQLite touching it.
    struct Header {
        var size: Int64
        var pageSize: Int64
        var isDatabase: Bool
        /// Whether it holds nothing but zeros.
        var isBlank: Bool
        var applicationID: Int64
        var userVersion: Int64
    }

    private var handle: OpaquePointer?
    private let path: String
    /// What the file was when it was opened without a log or a lock; `nil` for a file opened with them.
    private let frozen: Stamp?

    /// A file's time of change and size.
    private struct Stamp: Equatable { var nanoseconds, size: Int64 }

    /// Opens the file at a path, which must exist.
    ///
    /// Reads nothing and changes nothing. Where the system lets neither the file nor its folder be written, there is no
    /// place for a log; a file that has none is then read as it lies there.
    init(path: String, readOnly: Bool) throws(StoreError) {
        self.path = path
        let hasIndex = unsafe cenotaph_file_size(path + "-shm") > 0
        let mayWrite = unsafe cenotaph_may_write(path) != 0
        // While another process has the file open, the index of its log lies beside it.
        let isFrozen = readOnly && !mayWrite && !Connection.hasLog(path) && !hasIndex
        frozen = isFrozen ? Connection.stamp(path) : nil
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_URI
        // Safety: SQLite copies the path. It may hand out a connection even for a failure; `deinit` closes it.
        let code = unsafe sqlite3_open_v2(
            Connection.address(path, isFrozen: isFrozen), &handle, flags, nil)
        guard code == SQLITE_OK else {
            let isMissing = unsafe handle != nil && cenotaph_missing(handle) != 0
            throw isMissing ? .notFound : failure(code)
        }
        _ = unsafe sqlite3_extended_result_codes(handle, 1)
    }

    deinit { close() }

    /// Closes the file.
    ///
    /// Statements must be gone. Twice is once.
    func close() {
        _ = unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Whether a transaction is open.
    ///
    /// A grave failure ends one without being asked.
    var inTransaction: Bool { unsafe handle != nil && sqlite3_get_autocommit(handle) == 0 }

    /// Rows that the statement which ended last wrote.
    var changeCount: Int64 { unsafe sqlite3_changes64(handle) }

    /// The number of the row that was inserted last into a table that numbers its rows.
    var lastRowNumber: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether the system lets the file only be read.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") != 0 }

    // MARK: Files

    /// Makes an empty file with mode 0600, if there is none.
    static func createFile(_ path: String) throws(StoreError) {
        let code = unsafe cenotaph_create_file(path)
        guard code != 0 else { return }
        guard cenotaph_is_missing(code) == 0 else { throw .notFound }
        guard cenotaph_is_space_error(code) == 0 else { throw .full }
        throw .failed(code: SQLITE_CANTOPEN, "the file cannot be made, system error \(code)")
    }

    /// The file's header, read without a lock, a journal or a log.
    func header() throws(StoreError) -> Header {
        var bytes = [UInt8](repeating: 0, count: 100)
        var size: Int64 = 0
        // Safety: the array has room for 100 bytes; the shim writes that many at most.
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe cenotaph_read_header(handle, buffer.baseAddress, 100, &size)
        }
        try check(code)
        let magic = [UInt8]("SQLite format 3\0".utf8)
        let word = { (at: Int) in bytes[at..<at + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        return Header(
            size: size, pageSize: word(16) >> 16,
            isDatabase: size >= 100 && bytes.starts(with: magic),
            isBlank: bytes.allSatisfy { $0 == 0 },
            applicationID: word(68), userVersion: Int64(Int32(truncatingIfNeeded: word(60))))
    }

    /// Whether a log or a journal holds what may be missing in the file.
    var hasLog: Bool { Connection.hasLog(path) }

    private static func hasLog(_ path: String) -> Bool {
        unsafe cenotaph_file_size(path + "-wal") > 0 || cenotaph_file_size(path + "-journal") > 0
    }

    private static func stamp(_ path: String) -> Stamp {
        Stamp(
            nanoseconds: unsafe cenotaph_file_time(path), size: unsafe cenotaph_file_size(path))
    }

    /// The path as an address, in which every byte stands for itself.
    private static func address(_ path: String, isFrozen: Bool) -> String {
        let letters = path.utf8.map { byte in
            let isPlain = byte == UInt8(ascii: "/") || UnicodeScalar(byte).properties.isAlphabetic
            return isPlain && byte < 0x80
                ? String(UnicodeScalar(byte)) : "%" + Hex.string([byte])
        }
        // An empty authority before a path that begins at the root.
        return (path.hasPrefix("/") ? "file://" : "file:") + letters.joined()
            + (isFrozen ? "?immutable=1" : "")
    }

    /// Refuses to read a file that was opened without a log or a lock and that somebody has begun to write.
    /// - Throws: `locked`.
    func checkFrozen() throws(StoreError) {
        guard let frozen else { return }
        guard !hasLog, Connection.stamp(path) == frozen else { throw .locked }
    }

    // MARK: Switches

    /// How long to wait for another connection.
    func setBusyTimeout(milliseconds: Int32) {
        _ = unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Makes SQLite distrust the file, and bounds what one value may allocate.
    func harden(readOnly: Bool) throws(StoreError) {
        try check(unsafe cenotaph_set_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
        try check(unsafe cenotaph_set_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
        try check(unsafe cenotaph_set_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0))
        try check(unsafe cenotaph_set_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0))
        if readOnly {
            try check(unsafe cenotaph_set_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
        }
        let longest = Int32(Limits.maxRowContent + 65_536)
        _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest)
    }

    /// Sleeps a little before another try.
    static func pause() { _ = sqlite3_sleep(5) }

    // MARK: Statements

    /// Compiles a statement that is kept and used again.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        // Safety: SQLite reads the text up to its end and keeps a copy.
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement = unsafe statement else { throw failure(SQLITE_MISUSE) }
        return unsafe Statement(owning: statement, of: self)
    }

    /// Runs a statement to its end.
    func run(_ sql: String) throws(StoreError) {
        let statement = try prepare(sql)
        while try statement.step() {}
    }

    /// The first value of the first row of an answer, a number.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        let statement = try prepare(sql)
        guard try statement.step() else { throw .corrupt("no answer to \(sql)") }
        return try statement.number(0, sql)
    }

    /// The first value of the first row of an answer, a text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? try statement.text(0, sql) : nil
    }

    // MARK: Result codes

    /// Throws what a result code means, unless it means success.
    func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// What a result code means.
    ///
    /// To be asked right after the call that returned it.
    func failure(_ code: Int32) -> StoreError {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked
        case SQLITE_FULL: return .full
        case SQLITE_NOTADB: return .notAStore
        case SQLITE_CORRUPT: return .corrupt(message(code))
        case SQLITE_READONLY: return .readOnly
        case SQLITE_TOOBIG: return .corrupt("a value is longer than the format allows")
        case SQLITE_IOERR where unsafe handle != nil && cenotaph_out_of_space(handle) != 0:
            return .full
        default: return .failed(code: code, message(code))
        }
    }

    private func message(_ code: Int32) -> String {
        // Safety: SQLite keeps the text, which ends in a zero byte, until the next call on the connection.
        guard let handle = unsafe handle, let text = unsafe sqlite3_errmsg(handle) else {
            return "SQLite reports \(code)"
        }
        return unsafe String(cString: text)
    }
}
