/// The state of one key under the `causal` policy: what is known of each replica's writes (Spec 07, "causal").
///
/// Content: bytes key, uvarint count, then for each entry replica (16), time (8), state (1: 0 covered, 1 value)
/// and, for a value, bytes body; strictly ascending by replica.
public struct CausalRow: Hashable, Sendable {
    /// One replica's entry.
    public struct Entry: Hashable, Sendable {
        /// The replica that wrote.
        public let replica: ReplicaID
        /// Its writes up to this time are seen.
        public let time: UInt64
        /// The body of its write at `time` while nothing merged here has covered it; `nil` once covered.
        public let value: [UInt8]?

        /// Makes an entry.
        public init(replica: ReplicaID, time: UInt64, value: [UInt8]?) {
            self.replica = replica
            self.time = time
            self.value = value
        }

        /// The entry's stamp.
        public var stamp: Stamp { Stamp(time: time, replica: replica) }
    }

    /// The key.
    public let key: Key
    /// The entries, strictly ascending by replica; at least one.
    public private(set) var entries: Entries

    /// Makes a row of ascending entries, at least one.
    package init(key: Key, ascending entries: [Entry]) {
        self.key = key
        self.entries = Entries(entries[0], then: Array(entries.dropFirst()))
    }

    /// Makes a row of entries in any order; `nil` if there are none or two of one replica.
    public init?(key: Key, entries: [Entry]) {
        let sorted = entries.sorted { $0.replica < $1.replica }
        let distinct = zip(sorted, sorted.dropFirst()).allSatisfy { $0.replica != $1.replica }
        guard !sorted.isEmpty, distinct else { return nil }
        self.init(key: key, ascending: sorted)
    }

    package init(key: Key, _ entries: Entries) {
        self.key = key
        self.entries = entries
    }

    /// Whether any value is left: a row with none is a tombstone (Spec MERGE-011).
    public var isLive: Bool { entries.contains { $0.value != nil } }
}

extension CausalRow: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int {
        key.wireSize + WireSize.uvarint(entries.count)
            + 24 * entries.count + entries.valueSize
    }

    /// Appends the canonical content.
    public func write(to writer: inout WireWriter) {
        key.write(to: &writer)
        writer.uvarint(entries.count)
        entries.visit { entry in
            writer.id16(entry.replica.id)
            writer.u64(entry.time)
            writer.value(entry.value)
        }
    }

    /// Reads a canonical content.
    /// - Throws: `truncated`, `noncanonical`, `range`, `order`, `duplicate` (Spec LEAF-004).
    public init(from reader: inout WireReader) throws(WireError) {
        key = try reader.key()
        let count = try reader.count(
            least: 1, limit: Limits.maxVector, size: 25, below: .contentForm)
        entries = Entries(try Entry(from: &reader))
        entries.reserveCapacity(count)
        for _ in 1..<count {
            let start = reader.offset
            let entry = try Entry(from: &reader)
            try reader.ascends(entries.last.replica, entry.replica, .contentForm, at: start)
            entries.append(entry)
        }
    }
}

extension CausalRow.Entry {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        replica = try reader.replica()
        time = try reader.time()
        value = try reader.value()
    }
}
