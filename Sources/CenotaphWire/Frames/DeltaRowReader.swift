/// Reads the replica table of a body and the rows that refer to it (Spec WIRE-051 to WIRE-053).
struct DeltaRowReader {
    private let replicas: [ReplicaID]
    private var used: [Bool]

    init(from reader: inout WireReader) throws(WireError) {
        var replicas: [ReplicaID] = []
        let count = try reader.count(limit: Limits.maxVector, size: 16)
        replicas.reserveCapacity(count)
        for _ in 0..<count {
            let start = reader.offset
            let replica = try reader.replica()
            try reader.ascends(replicas.last, replica, at: start)
            replicas.append(replica)
        }
        self.replicas = replicas
        used = [Bool](repeating: false, count: count)
    }

    /// Throws `noncanonical` if a replica of the table is in no row.
    func checkTable(_ reader: borrowing WireReader) throws(WireError) {
        guard used.allSatisfy({ $0 }) else { throw reader.fail(.noncanonical, .tableUsed) }
    }

    private mutating func replica(_ reader: inout WireReader) throws(WireError) -> ReplicaID {
        let start = reader.offset
        let ref = try reader.uvarint()
        guard ref < UInt64(replicas.count) else {
            throw reader.fail(.range, .deltaNumbers, at: start)
        }
        used[Int(ref)] = true
        return replicas[Int(ref)]
    }

    private mutating func stamp(_ reader: inout WireReader) throws(WireError) -> Stamp {
        let replica = try replica(&reader)
        return Stamp(time: try reader.time(), replica: replica)
    }

    /// Reads one event; events of one key become one row.
    mutating func readEvent(
        _ reader: inout WireReader, into rows: inout [Row]
    ) throws(WireError) {
        let start = reader.offset
        let key = try reader.key()
        let event = LogEvent(
            stamp: try stamp(&reader), group: try reader.key(),
            body: try reader.byteString(0, Limits.maxBody))
        guard case .logEvents(var row) = rows.last, row.key == key else {
            try reader.ascends(rows.last?.key, key, .rowsAscend, at: start)
            rows.append(.logEvents(LogRow(key: key, event: event)))
            return
        }
        try reader.ascends(row.events.last, event, .rowsAscend, at: start)
        rows.removeLast()
        row.append(event)
        rows.append(.logEvents(row))
    }

    /// Reads one marker.
    mutating func readMarker(
        _ reader: inout WireReader, after previous: Key?
    ) throws(WireError) -> Row {
        let start = reader.offset
        let group = try reader.key()
        let stamp = try stamp(&reader)
        try reader.ascends(previous, group, .rowsAscend, at: start)
        return .logMarker(LogMarker(group: group, stamp: stamp))
    }

    /// Reads one causal row or a piece of one.
    mutating func readCausal(
        _ reader: inout WireReader, after previous: Key?
    ) throws(WireError) -> Row {
        let start = reader.offset
        let key = try reader.key()
        let count = try reader.count(
            least: 1, limit: Limits.maxVector, size: 10, below: .limits)
        var entries: [CausalRow.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let entryStart = reader.offset
            let stamp = try stamp(&reader)
            let value = try reader.value()
            try reader.ascends(
                entries.last?.replica, stamp.replica, .rowsAscend, at: entryStart)
            entries.append(.init(replica: stamp.replica, time: stamp.time, value: value))
        }
        try reader.ascends(previous, key, .rowsAscend, at: start)
        return .causal(CausalRow(key: key, ascending: entries))
    }

    /// Reads one last-writer row.
    mutating func readLastWriter(
        _ reader: inout WireReader, after previous: Key?
    ) throws(WireError) -> Row {
        let start = reader.offset
        let key = try reader.key()
        let stamp = try stamp(&reader)
        let value = try reader.value()
        try reader.ascends(previous, key, .rowsAscend, at: start)
        return .lastWriter(LastWriterRow(key: key, stamp: stamp, value: value))
    }
}
