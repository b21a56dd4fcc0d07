public import CenotaphWire

/// A row as it lies in a store: its leaf, its type and its canonical content (Spec 04).
public struct StoredRow: Hashable, Sendable {
    /// The leaf, 32 bytes.
    public var leaf: Hash256
    /// The row's type.
    public var type: RowType
    /// The canonical content, at most `Limits.maxRowContent` bytes.
    public var content: [UInt8]

    /// Makes a stored row.
    public init(leaf: Hash256, type: RowType, content: [UInt8]) {
        self.leaf = leaf
        self.type = type
        self.content = content
    }
}

/// A part of a namespace's rows: the tombstones, and the live set in two parts, of which an app reads one.
///
/// Raw values are in files.
public enum Shelf: UInt8, Hashable, Sendable, CaseIterable {
    /// Rows of the live set that an app may see.
    case live = 0
    /// Records of deletes.
    case tombstones = 1
    /// Rows of the live set whose groups are all buried: no read of an app passes them (Spec MERGE-005).
    case buried = 2
}

/// Where a row lies: its namespace's number in the store, its shelf and its key.
public struct RowAddress: Hashable, Sendable {
    /// The number that the store gave the namespace.
    public var namespace: Int64
    /// The shelf.
    public var shelf: Shelf
    /// The key.
    public var key: Key

    /// Makes an address.
    public init(_ namespace: Int64, _ shelf: Shelf, _ key: Key) {
        self.namespace = namespace
        self.shelf = shelf
        self.key = key
    }
}

/// Ordered rows, small records, and indexes by group and by place, with transactions.
///
/// Knows nothing of policies or merges.
///
/// One instance is one connection, used from one isolation domain at a time. Every read sees one snapshot
/// between `begin` and its end, and what the transaction itself wrote. Nothing outside a transaction may be read or
/// written, and nothing may be written in a reading one: that stops the program, as does a second `begin`. The rules
/// of rows are the gate's (`Gate`), the only caller that writes.
///
/// A write that throws spoils its transaction: from then on every call throws the same, `commit` too, until the
/// transaction ends. So a caller that overlooks a failure cannot commit a part.
///
/// A visitor may read, write and scan, but not end the transaction. The scan goes on from the key that was visited
/// last: what a visitor writes or removes at a greater key counts, what it writes at that key or a lesser one is not
/// visited again.
public protocol Store: AnyObject {
    /// Whether every writing transaction is refused with `StoreError.readOnly`.
    var isReadOnly: Bool { get }

    /// Begins a transaction. A writing one excludes other writers of the same file, in any process, until its end.
    /// - Throws: `StoreError.locked` after waiting for another writer, and any failure of the file.
    func begin(writing: Bool) throws(StoreError)

    /// Ends the transaction; what it wrote is on the disk when this returns. On failure nothing of it is, and the
    /// transaction has ended all the same.
    /// - Throws: `StoreError.full` and any failure of the file.
    func commit() throws(StoreError)

    /// Ends the transaction and forgets what it wrote. Does nothing outside a transaction.
    func rollback()

    /// Whether another connection committed since this one last asked, or since it was opened.
    ///
    /// To be asked in a transaction, right after `begin`: the answer is about the snapshot that the transaction sees.
    /// What this connection commits does not count. A store may answer true when nothing was changed, never false
    /// when something was.
    func changedElsewhere() throws(StoreError) -> Bool

    /// The record of that name, or `nil`. Names are compared as UTF-8 bytes. O(log n).
    func record(_ name: String) throws(StoreError) -> [UInt8]?

    /// Writes or, with `nil`, removes the record of that name: at most `Limits.maxRowContent` bytes. O(log n).
    func setRecord(_ name: String, _ value: [UInt8]?) throws(StoreError)

    /// The row at an address, or `nil`. O(log n).
    func row(at address: RowAddress) throws(StoreError) -> StoredRow?

    /// Writes or, with `nil`, removes the row at an address. O(log n).
    func setRow(at address: RowAddress, _ row: StoredRow?) throws(StoreError)

    /// Writes a row at an address where none is; where one is, nothing changes. Returns whether it was written.
    /// O(log n).
    func insertRow(at address: RowAddress, _ row: StoredRow) throws(StoreError) -> Bool

    /// Visits the keys and leaves of a range of one shelf, or of two as if they were one, in key order until `visit`
    /// returns false. Reads no contents.
    /// - Throws: `StoreError.corrupt` for a key that lies on both shelves, and any failure of the file.
    func scanLeaves(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError)

    /// Visits the rows of a range of one shelf, or of two as if they were one, in key order until `visit` returns
    /// false.
    /// - Throws: `StoreError.corrupt` for a key that lies on both shelves, and any failure of the file.
    func scanRows(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError)

    /// Adds a key to a group, or takes it out. Doing so twice is doing so once. O(log n).
    func setMember(
        _ namespace: Int64, _ group: Key, _ key: Key, _ isMember: Bool
    ) throws(StoreError)

    /// Notes the place of a key of a namespace, or forgets it. Doing so twice is doing so once. O(log n).
    ///
    /// A place is of the key, whichever shelves the key lies on, and whether or not it lies on one.
    func setPlace(
        _ namespace: Int64, _ place: UInt32, _ key: Key, _ isHeld: Bool
    ) throws(StoreError)

    /// The keys of some places, each once, in any order. O(log n) for each place, and the keys; in a reading
    /// transaction also the keys that were noted last.
    ///
    /// Cheapest for places that ascend. A place that is listed twice may give its keys twice.
    func keys(
        _ namespace: Int64, places: [UInt32]
    ) throws(StoreError) -> [(key: Key, place: UInt32)]

    /// Rewrites what lies in files so that no removed byte is left in them. Outside a transaction only.
    ///
    /// Takes time in proportion to the store; a store without files does nothing.
    /// - Throws: `StoreError.locked` while another connection reads or writes, and any failure of the file.
    func scrub() throws(StoreError)

    /// The keys of a group, ascending. O(log n + keys).
    func members(_ namespace: Int64, _ group: Key) throws(StoreError) -> [Key]
}

extension Store {
    /// Visits the keys and leaves of a range of one shelf.
    public func scanLeaves(
        _ namespace: Int64, _ shelf: Shelf, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try scanLeaves(namespace, shelf, and: nil, range, visit)
    }

    /// Visits the rows of a range of one shelf.
    public func scanRows(
        _ namespace: Int64, _ shelf: Shelf, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try scanRows(namespace, shelf, and: nil, range, visit)
    }
}

/// What a store reports.
///
/// Each case says what the file, the disk or the system did; none is a trap.
public enum StoreError: Error, Hashable, Sendable {
    /// The file is there and is not a Cenotaph store.
    case notAStore
    /// The file was written by a later format than this library knows.
    case newerFormat(found: Int64, known: Int64)
    /// The file was written by an earlier format and was opened to read only, which cannot bring it to the newest.
    case olderFormat(found: Int64, known: Int64)
    /// The file's contents contradict themselves or the format.
    case corrupt(String)
    /// Another process held the file for too long.
    case locked
    /// The disk is full, or the file may not grow.
    case full
    /// The file may be read only.
    case readOnly
    /// No store is at the path, and none was to be made.
    case notFound
    /// Another failure of the system, with SQLite's extended code and its words.
    case failed(code: Int32, String)

    /// Whether the same call may succeed later without anybody mending the file.
    public var mayPass: Bool { self == .locked || self == .full }
}
