internal import CSQLite
internal import CenotaphWire

/// A prepared statement.
///
/// The one place where bytes go to SQLite and come back.
///
/// Whatever comes back is checked: a value of another type or length is `corrupt`.
@safe final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection

    /// Takes over a statement that SQLite made for `connection`.
    init(owning handle: OpaquePointer, of connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Moves to the next row of the answer; false at its end.
    func step() throws(StoreError) -> Bool {
        try isRow(unsafe sqlite3_step(handle))
    }

    private func isRow(_ code: Int32) throws(StoreError) -> Bool {
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Ends the answer and forgets what was bound, also after a failure.
    func reset() {
        // What this returns is the failure that `step` has reported already.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Steps of SQLite's machine since this was last asked: a scan takes some for each row that it passes.
    func takeSteps() -> Int {
        Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    // MARK: Binding

    /// Binds a number.
    func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
        try connection.check(unsafe sqlite3_bind_int64(handle, index, value))
    }

    /// Binds bytes.
    ///
    /// No bytes are an empty value, not a missing one.
    func bind(_ index: Int32, _ bytes: [UInt8]) throws(StoreError) {
        guard !bytes.isEmpty else {
            return try connection.check(unsafe sqlite3_bind_zeroblob(handle, index, 0))
        }
        guard let count = Int32(exactly: bytes.count) else {
            throw connection.failure(SQLITE_TOOBIG)
        }
        // Safety: SQLite copies `count` bytes of the array before the call returns.
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cenotaph_bind_blob_copy(handle, index, buffer.baseAddress, count)
        }
        try connection.check(code)
    }

    /// Binds a key.
    func bind(_ index: Int32, _ key: Key) throws(StoreError) {
        // Safety: SQLite copies the bytes before the call returns; a key is short.
        let code = unsafe key.withBytes { buffer in
            unsafe cenotaph_bind_blob_copy(
                handle, index, buffer.baseAddress, Int32(truncatingIfNeeded: buffer.count))
        }
        try connection.check(code)
    }

    /// Binds a text as its UTF-8 bytes.
    func bind(_ index: Int32, text: String) throws(StoreError) {
        guard let count = Int32(exactly: text.utf8.count) else {
            throw connection.failure(SQLITE_TOOBIG)
        }
        // Safety: SQLite copies `count` bytes of the text before the call returns.
        try connection.check(unsafe cenotaph_bind_text_copy(handle, index, text, count))
    }

    /// Binds an address and a row in the order of the columns, runs the statement to its end and resets it.
    func run(_ address: RowAddress, _ row: StoredRow) throws(StoreError) {
        let leaf = row.leaf
        let words = (
            leaf.w0.bigEndian, leaf.w1.bigEndian, leaf.w2.bigEndian, leaf.w3.bigEndian
        )
        let content = row.content.span
        guard let count = Int32(exactly: content.count) else {
            throw connection.failure(SQLITE_TOOBIG)
        }
        // Safety: the four words are 32 bytes; all three buffers outlive the call, which keeps none of them.
        let code = unsafe withUnsafeBytes(of: words) { leaf in
            unsafe address.key.withBytes { key in
                unsafe content.withUnsafeBytes { content in
                    unsafe cenotaph_run_row(
                        handle, address.namespace, Int64(address.shelf.rawValue), key.baseAddress,
                        Int32(truncatingIfNeeded: key.count), leaf.baseAddress,
                        Int64(row.type.rawValue), content.baseAddress, count)
                }
            }
        }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    /// Binds an address and moves to its row, which is looked at before the statement is reset; false if there is none.
    func find(_ address: RowAddress) throws(StoreError) -> Bool {
        // Safety: what stays bound is the key's address, and nothing reads it after the step: the statement does not step
        // again before it is reset, which forgets the address.
        let code = unsafe address.key.withBytes { key in
            unsafe cenotaph_find_row(
                handle, address.namespace, Int64(address.shelf.rawValue), key.baseAddress,
                Int32(truncatingIfNeeded: key.count))
        }
        return try isRow(code)
    }

    /// Starts afresh with a place, and moves to its first key; false if it has none.
    func find(_ namespace: Int64, _ place: UInt32) throws(StoreError) -> Bool {
        try isRow(unsafe cenotaph_find_place(handle, namespace, Int64(place)))
    }

    /// Binds a namespace, a place and a key, runs the statement to its end and resets it.
    func run(_ namespace: Int64, _ place: UInt32, _ key: Key) throws(StoreError) {
        // Safety: the bytes outlive the call, which keeps none of them.
        let code = unsafe key.withBytes { bytes in
            unsafe cenotaph_run_place(
                handle, namespace, Int64(place), bytes.baseAddress,
                Int32(truncatingIfNeeded: bytes.count))
        }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    // MARK: Columns

    /// The number in a column.
    func number(_ column: Int32, _ what: String) throws(StoreError) -> Int64 {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else {
            throw .corrupt("\(what) is no number")
        }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// The bytes in a column, if their number is in `lengths`.
    func bytes(
        _ column: Int32, _ lengths: ClosedRange<Int>, _ what: String
    ) throws(StoreError) -> [UInt8] {
        try unsafe withBytes(column, lengths, what) { buffer in unsafe [UInt8](buffer) }
    }

    /// The text in a column; `nil` for a missing value.
    func text(_ column: Int32, _ what: String) throws(StoreError) -> String? {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT: break
        default: throw .corrupt("\(what) is no text")
        }
        guard let text = unsafe sqlite3_column_text(handle, column) else {
            throw connection.failure(SQLITE_NOMEM)
        }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        // Safety: SQLite keeps `count` bytes at `text` until the next step or reset.
        let buffer = unsafe UnsafeBufferPointer(start: text, count: count)
        return unsafe String(decoding: buffer, as: UTF8.self)
    }

    /// The key in a column.
    func key(_ column: Int32) throws(StoreError) -> Key {
        try unsafe withBytes(column, 1...Limits.maxKey, "a key") { buffer in
            unsafe Key(uncheckedCopy: buffer)
        }
    }

    /// The hash in a column.
    func hash(_ column: Int32) throws(StoreError) -> Hash256 {
        try unsafe withBytes(column, 32...32, "a leaf") { buffer in
            // Safety: there are 32 bytes, and the loads have no alignment demand.
            func word(_ index: Int) -> UInt64 {
                let word = unsafe buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                return UInt64(bigEndian: word)
            }
            return Hash256(word(0), word(1), word(2), word(3))
        }
    }

    private func withBytes<Value>(
        _ column: Int32, _ lengths: ClosedRange<Int>, _ what: String,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) throws(StoreError) -> Value {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else {
            throw .corrupt("\(what) has another type than bytes")
        }
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard lengths.contains(count) else { throw .corrupt("\(what) has \(count) bytes") }
        guard unsafe start != nil || count == 0 else { throw connection.failure(SQLITE_NOMEM) }
        // Safety: SQLite keeps `count` bytes at `start` until the next step or reset, and `body` keeps none.
        return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
