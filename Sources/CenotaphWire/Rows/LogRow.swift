/// One immutable event of a log: everything but its key.
public struct LogEvent: Hashable, Sendable {
    /// The write that appended it.
    public let stamp: Stamp
    /// The group that it belongs to, such as a conversation.
    public let group: Key
    /// Its body, 0 to 983,040 bytes.
    public let body: [UInt8]

    /// Makes an event.
    public init(stamp: Stamp, group: Key, body: [UInt8]) {
        self.stamp = stamp
        self.group = group
        self.body = body
    }
}

extension LogEvent: Comparable {
    /// By stamp, then group, then body (Spec LEAF-002).
    public static func < (a: LogEvent, b: LogEvent) -> Bool {
        if a.stamp != b.stamp { return a.stamp < b.stamp }
        if a.group != b.group { return a.group < b.group }
        return a.body.precedes(b.body)
    }
}

/// The events under one key of a log; nearly always one (Spec 07, "log").
///
/// Content: bytes key, uvarint count, then for each event stamp (24), bytes group, bytes body; ascending.
public struct LogRow: Hashable, Sendable {
    /// The key.
    public let key: Key
    /// The events, strictly ascending, at least one.
    public private(set) var events: [LogEvent]

    /// Makes a row of one event.
    public init(key: Key, event: LogEvent) {
        self.key = key
        events = [event]
    }

    /// Makes a row of events in any order; `nil` if there are none.
    ///
    /// Equal events count once.
    public init?(key: Key, events: [LogEvent]) {
        guard !events.isEmpty else { return nil }
        self.key = key
        self.events = Array(Set(events)).sorted()
    }

    /// Adds an event that is above every one here; the caller has checked the order.
    mutating func append(_ event: LogEvent) { events.append(event) }
}

extension LogRow: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int {
        key.wireSize + WireSize.uvarint(events.count)
            + events.reduce(0) {
                $0 + 24 + $1.group.wireSize + WireSize.byteString($1.body)
            }
    }

    /// Appends the canonical content.
    public func write(to writer: inout WireWriter) {
        key.write(to: &writer)
        writer.uvarint(events.count)
        for event in events {
            writer.stamp(event.stamp)
            event.group.write(to: &writer)
            writer.byteString(event.body)
        }
    }

    /// Reads a canonical content.
    /// - Throws: `truncated`, `noncanonical`, `range`, `order`, `duplicate` (Spec LEAF-004).
    public init(from reader: inout WireReader) throws(WireError) {
        key = try reader.key()
        let count = try reader.count(least: 1, size: 27, below: .contentForm)
        events = []
        for _ in 0..<count {
            let start = reader.offset
            let event = LogEvent(
                stamp: try reader.stamp(), group: try reader.key(),
                body: try reader.byteString(0, Limits.maxBody))
            try reader.ascends(events.last, event, .contentForm, at: start)
            events.append(event)
        }
    }
}

/// The record that a group of a log is buried (Spec 07, "log").
///
/// Content: bytes group, stamp (24).
public struct LogMarker: Hashable, Sendable {
    /// The buried group.
    public let group: Key
    /// The first burial.
    public let stamp: Stamp

    /// Makes a marker.
    public init(group: Key, stamp: Stamp) {
        self.group = group
        self.stamp = stamp
    }
}

extension LogMarker: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int { group.wireSize + 24 }

    /// Appends the canonical content.
    public func write(to writer: inout WireWriter) {
        group.write(to: &writer)
        writer.stamp(stamp)
    }

    /// Reads a canonical content.
    /// - Throws: `truncated`, `noncanonical`, `range`.
    public init(from reader: inout WireReader) throws(WireError) {
        group = try reader.key()
        stamp = try reader.stamp()
    }
}
