extension CausalRow {
    /// The entries of a row, at least one.
    ///
    /// Nearly every row has one, and that one needs no memory of its own.
    public struct Entries: Hashable, Sendable {
        private let first: Entry
        private var rest: [Entry]

        package init(_ first: Entry, then rest: [Entry] = []) {
            self.first = first
            self.rest = rest
        }

        /// The last entry.
        var last: Entry { rest.last ?? first }

        /// Bytes of the states and values of all entries.
        var valueSize: Int {
            var size = 0
            visit { size += WireSize.value($0.value) }
            return size
        }

        mutating func reserveCapacity(_ count: Int) {
            if count > 1 { rest.reserveCapacity(count - 1) }
        }

        /// Visits the entries in order, without making copies of them.
        @inline(__always)
        func visit(_ body: (borrowing Entry) -> Void) {
            body(first)
            for index in rest.indices { body(rest[index]) }
        }

        mutating func append(_ entry: Entry) { rest.append(entry) }
    }
}

extension CausalRow.Entries: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { 1 + rest.count }
    /// An entry by its number; another number stops the program.
    public subscript(index: Int) -> CausalRow.Entry { index == 0 ? first : rest[index - 1] }
}
