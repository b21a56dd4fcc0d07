/// Reads the replica table of a body and the rows that refer to it (Spec WIRE-051 to WIRE-053).
struct DeltaRowReader {
    let replicas: [ReplicaID]
    private var used: [Bool]
    /// Where the bytes of the last row's key lie.
    private var lastKey: Range<Int>?

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

    /// Reads a row's key, and returns it and where its bytes lie in the input.
    private func key(_ reader: inout WireReader) throws(WireError) -> (Key, Range<Int>) {
        let key = try reader.key()
        return (key, reader.offset - key.count..<reader.offset)
    }

    /// Checks that a row's key follows the one before, and remembers it; the row begins at `start`.
    private mutating func follows(
        _ place: Range<Int>, _ reader: borrowing WireReader, at start: Int
    ) throws(WireError) {
        if let lastKey { try reader.ascends(lastKey, place, .rowsAscend, at: start) }
        lastKey = place
    }

    /// Reads one event; events of one key become one row.
    mutating func readEvent(
        _ reader: inout WireReader, into rows: inout [Row]
    ) throws(WireError) {
        let start = reader.offset
        let (key, place) = try key(&reader)
        let event = LogEvent(
            stamp: try stamp(&reader), group: try reader.key(),
            body: try reader.byteString(0, Limits.maxBody))
        guard let lastKey, reader.order(of: lastKey, place) == 0 else {
            try follows(place, reader, at: start)
            rows.append(.logEvents(LogRow(key: key, event: event)))
            return
        }
        guard case .logEvents(var row) = rows.removeLast() else { return }
        try reader.ascends(row.events.last, event, .rowsAscend, at: start)
        row.append(event)
        rows.append(.logEvents(row))
    }

    /// Reads one marker.
    mutating func readMarker(_ reader: inout WireReader) throws(WireError) -> Row {
        let start = reader.offset
        let (group, place) = try key(&reader)
        let stamp = try stamp(&reader)
        try follows(place, reader, at: start)
        return .logMarker(LogMarker(group: group, stamp: stamp))
    }

    /// Reads one causal row or a piece of one.
    mutating func readCausal(_ reader: inout WireReader) throws(WireError) -> Row {
        let start = reader.offset
        let (key, place) = try key(&reader)
        let count = try reader.count(
            least: 1, limit: Limits.maxVector, size: 10, below: .limits)
        var entries = CausalRow.Entries(try entry(&reader))
        entries.reserveCapacity(count)
        for _ in 1..<count {
            let start = reader.offset
            let entry = try entry(&reader)
            try reader.ascends(entries.last.replica, entry.replica, .rowsAscend, at: start)
            entries.append(entry)
        }
        try follows(place, reader, at: start)
        return .causal(CausalRow(key: key, entries))
    }

    private mutating func entry(_ reader: inout WireReader) throws(WireError) -> CausalRow.Entry {
        let stamp = try stamp(&reader)
        return CausalRow.Entry(
            replica: stamp.replica, time: stamp.time, value: try reader.value())
    }

    /// Reads one last-writer row.
    mutating func readLastWriter(_ reader: inout WireReader) throws(WireError) -> Row {
        let start = reader.offset
        let (key, place) = try key(&reader)
        let stamp = try stamp(&reader)
        let value = try reader.value()
        try follows(place, reader, at: start)
        return .lastWriter(LastWriterRow(key: key, stamp: stamp, value: value))
    }

    /// Reads one message, which names no replica.
    mutating func readMessage(_ reader: inout WireReader) throws(WireError) -> Row {
        let start = reader.offset
        let row = try MessageRow(from: &reader, normal: .messageRowForm)
        let end = start + row.key.wireSize
        try follows(end - row.key.count..<end, reader, at: start)
        return .message(row)
    }
}
