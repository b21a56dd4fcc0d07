/// A map from replicas to times: "every write by that replica up to that time" (Spec 01).
///
/// Wire form: uvarint count, then replica (16) and time (8) for each, strictly ascending by replica.
public struct VersionVector: Hashable, Sendable {
    /// One replica's time.
    public struct Entry: Hashable, Sendable, BitwiseCopyable {
        /// The replica.
        public let replica: ReplicaID
        /// Its time, at least 1.
        public let time: UInt64
    }

    /// The entries, strictly ascending by replica.
    public private(set) var entries: [Entry] = []

    /// The vector without entries.
    public init() {}

    /// The time of a replica, 0 if it has none.
    ///
    /// O(log n).
    public subscript(replica: ReplicaID) -> UInt64 {
        let index = entries.partitionIndex { $0.replica < replica }
        return index < entries.count && entries[index].replica == replica ? entries[index].time : 0
    }

    /// Raises a replica's time to at least `time`.
    ///
    /// Returns whether it changed. O(n).
    @discardableResult
    public mutating func raise(_ replica: ReplicaID, to time: UInt64) -> Bool {
        let index = entries.partitionIndex { $0.replica < replica }
        let entry = Entry(replica: replica, time: time)
        if index < entries.count, entries[index].replica == replica {
            guard entries[index].time < time else { return false }
            entries[index] = entry
        } else {
            entries.insert(entry, at: index)
        }
        return true
    }

    /// Joins entry by entry, the greater time winning.
    public mutating func join(_ other: VersionVector) {
        for entry in other.entries { raise(entry.replica, to: entry.time) }
    }
}

extension VersionVector: WireEncodable {
    /// Count and 24 bytes an entry.
    public var wireSize: Int { WireSize.uvarint(entries.count) + 24 * entries.count }

    /// Appends the count and the entries.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(entries.count)
        for entry in entries {
            writer.id16(entry.replica.id)
            writer.u64(entry.time)
        }
    }

    /// Reads a vector.
    /// - Throws: `truncated`, `noncanonical`, `range`, `order`, `duplicate` (Spec PRIM-009).
    public init(from reader: inout WireReader) throws(WireError) {
        let count = try reader.count(limit: Limits.maxVector, size: 24)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let start = reader.offset
            let replica = try reader.replica()
            let time = try reader.time()
            try reader.ascends(entries.last?.replica, replica, .vectorAscends, at: start)
            entries.append(Entry(replica: replica, time: time))
        }
    }
}

extension Array {
    /// The index of the first element for which `precedes` is false; the array is partitioned by it.
    @inline(__always)
    package func partitionIndex(_ precedes: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if precedes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
