public import CenotaphWire

/// Why a list of rows is no listing.
public enum ListingError: Error, Hashable, Sendable {
    /// Two rows have one key.
    case duplicate(Key)
    /// The rows are not as many as were counted beforehand: some were not read, or some were added meanwhile.
    case count(expected: Int, found: Int)
}

/// The rows that an app's own table, folder or list shows now: what `observe` compares with what it showed before.
///
/// Absence is evidence only if nothing can be missing by accident. So a listing that may delete needs two witnesses
/// beside the rows: their number, obtained by other means than reading them (`SELECT count(*)`), and the id of the
/// storage they came from. Make the id when you make the storage, and keep it where the rows are, so that it is lost
/// with them: a wiped, restored or exchanged table has another one, or none. A read that fails half-way throws
/// before there is a listing; what was read until then makes a `partial` one, which adds and edits and deletes nothing.
public struct Listing: Sendable {
    /// A row of the app's.
    public struct Row: Hashable, Sendable {
        /// The key.
        public let key: Key
        /// The body; `nil` for a row that is there and was not read, which is then taken to be as it was.
        public let body: [UInt8]?
        /// Up to 1,024 bytes that the bookkeeping keeps with the row, such as a file's time of change.
        public let note: [UInt8]

        /// A row that was read.
        ///
        /// A note over 1,024 bytes stops the program.
        public init(_ key: Key, _ body: [UInt8], note: [UInt8] = []) {
            self.init(key: key, body: body, note: note)
        }

        /// A row that is there and was not read.
        public static func unread(_ key: Key) -> Row { Row(key: key, body: nil, note: []) }

        private init(key: Key, body: [UInt8]?, note: [UInt8]) {
            precondition(note.count <= ObservedRow.maxNote, "a note is at most 1,024 bytes")
            self.key = key
            self.body = body
            self.note = note
        }
    }

    /// The rows, ascending by key.
    public let rows: [Row]
    /// The id of the storage that the rows are from.
    public let storage: ID16
    /// Whether a row that is not here is a row that was deleted.
    public let isComplete: Bool

    /// Every row that the storage has.
    ///
    /// - Parameters:
    ///   - rows: The rows, in any order.
    ///   - expectedCount: Their number, obtained by other means than counting `rows`.
    ///   - storage: The id that is kept with the rows and lost with them.
    /// - Returns: A listing that may delete.
    /// - Throws: `ListingError`.
    public static func complete(
        _ rows: some Sequence<Row>, expectedCount: Int, storage: ID16
    ) throws(ListingError) -> Listing {
        let sorted = try sorted(rows)
        guard sorted.count == expectedCount else {
            throw .count(expected: expectedCount, found: sorted.count)
        }
        return Listing(rows: sorted, storage: storage, isComplete: true)
    }

    /// Some rows of the storage.
    ///
    /// - Parameters:
    ///   - rows: The rows, in any order.
    ///   - storage: The id that is kept with the rows and lost with them.
    /// - Returns: A listing that deletes nothing.
    /// - Throws: `ListingError.duplicate`.
    public static func partial(
        _ rows: some Sequence<Row>, storage: ID16
    ) throws(ListingError) -> Listing {
        Listing(rows: try sorted(rows), storage: storage, isComplete: false)
    }

    private static func sorted(_ rows: some Sequence<Row>) throws(ListingError) -> [Row] {
        let sorted = rows.sorted { $0.key < $1.key }
        for (a, b) in zip(sorted, sorted.dropFirst()) where a.key == b.key {
            throw .duplicate(a.key)
        }
        return sorted
    }
}
