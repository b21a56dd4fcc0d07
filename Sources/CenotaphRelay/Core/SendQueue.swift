internal import CenotaphWire

/// Bytes that wait to be sent to one connection: a status, then records.
struct SendQueue {
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the record begins that is to be sent next, or is being sent.
    private var record = 0

    var count: Int { buffer.count - start }
    var waiting: ArraySlice<UInt8> { buffer[start...] }

    mutating func append(status: RelayStatus) {
        buffer.append(status.rawValue)
        record = buffer.count
    }

    mutating func append(_ new: RelayRecord) { buffer += new.bytes }

    /// Forgets what was sent.
    mutating func sent(_ count: Int) {
        start += count
        while let next = end(of: record), next <= start { record = next }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
            (start, record) = (0, 0)
        } else if start > 65_536, start > buffer.count / 2 {
            let gone = min(start, record)
            buffer.removeFirst(gone)
            start -= gone
            record -= gone
        }
    }

    /// Drops every record of which nothing was sent.
    mutating func dropUnsent() {
        let keep = record >= start ? record : end(of: record) ?? buffer.count
        buffer.removeSubrange(min(keep, buffer.count)...)
    }

    private func end(of record: Int) -> Int? {
        guard record + RelayRecord.header <= buffer.count else { return nil }
        let length = buffer[record..<record + 4].reduce(0) { $0 << 8 | Int($1) }
        return record + RelayRecord.header + length
    }
}
