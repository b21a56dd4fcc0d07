/// Which of a namespace's two sets a row is in (Spec DIG-001).
///
/// Raw values are the codes on the wire.
public enum RowSet: UInt8, Hashable, Sendable, CaseIterable {
    /// Rows that are seen.
    case live = 0
    /// Records of deletes.
    case tombstones = 1
}

/// What a row is.
///
/// Raw values are the codes on the wire and in leaves (Spec LEAF-002).
public enum RowType: UInt8, Hashable, Sendable, CaseIterable {
    /// The events under one key of a log.
    case logEvents = 1
    /// The burial of a group of a log.
    case logMarker = 2
    /// A causal key, with or without values.
    case causal = 3
    /// A key with its last write.
    case lastWriter = 4
    /// A message.
    case message = 5
}

/// The state of one key, of any type.
public enum Row: Hashable, Sendable {
    /// The events under one key of a log.
    case logEvents(LogRow)
    /// The burial of a group of a log.
    case logMarker(LogMarker)
    /// A causal key.
    case causal(CausalRow)
    /// A key with its last write.
    case lastWriter(LastWriterRow)
    /// A message.
    case message(MessageRow)

    /// The row's type.
    public var type: RowType {
        switch self {
        case .logEvents: .logEvents
        case .logMarker: .logMarker
        case .causal: .causal
        case .lastWriter: .lastWriter
        case .message: .message
        }
    }

    /// The stamps of the writes that the row holds, one for each place where it names a replica on the wire.
    public var stamps: [Stamp] {
        var stamps: [Stamp] = []
        forEachStamp { stamps.append($0) }
        return stamps
    }

    /// Visits `stamps` without making an array of them.
    @inline(__always)
    func forEachStamp(_ visit: (Stamp) -> Void) {
        switch self {
        case .logEvents(let row): for event in row.events { visit(event.stamp) }
        case .logMarker(let marker): visit(marker.stamp)
        case .causal(let row): row.entries.visit { visit($0.stamp) }
        case .lastWriter(let row): visit(row.stamp)
        case .message: break
        }
    }

    /// The number of `stamps`.
    public var stampCount: Int {
        switch self {
        case .logEvents(let row): row.events.count
        case .logMarker, .lastWriter: 1
        case .causal(let row): row.entries.count
        case .message: 0
        }
    }

    /// The key in its set; for a marker its group.
    public var key: Key {
        switch self {
        case .logEvents(let row): row.key
        case .logMarker(let marker): marker.group
        case .causal(let row): row.key
        case .lastWriter(let row): row.key
        case .message(let row): row.key
        }
    }

    /// The set that the row is in (Spec DIG-001).
    public var set: RowSet {
        switch self {
        case .logEvents: .live
        case .logMarker: .tombstones
        case .causal(let row): row.isLive ? .live : .tombstones
        case .lastWriter(let row): row.value == nil ? .tombstones : .live
        case .message(let row): row.isTombstone ? .tombstones : .live
        }
    }
}

extension Row: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int {
        switch self {
        case .logEvents(let row): row.wireSize
        case .logMarker(let marker): marker.wireSize
        case .causal(let row): row.wireSize
        case .lastWriter(let row): row.wireSize
        case .message(let row): row.wireSize
        }
    }

    /// Appends the canonical content (Spec LEAF-002).
    public func write(to writer: inout WireWriter) {
        switch self {
        case .logEvents(let row): row.write(to: &writer)
        case .logMarker(let marker): marker.write(to: &writer)
        case .causal(let row): row.write(to: &writer)
        case .lastWriter(let row): row.write(to: &writer)
        case .message(let row): row.write(to: &writer)
        }
    }

    /// Decodes a whole canonical content of the given type.
    /// - Throws: `truncated`, `trailing`, `noncanonical`, `range`, `order`, `duplicate`, and `too-large` over
    ///   `Limits.maxRowContent` (Spec LEAF-004, LEAF-005).
    public init(type: RowType, content: [UInt8]) throws(WireError) {
        guard content.count <= Limits.maxRowContent else {
            throw WireError(.tooLarge, .contentLimit)
        }
        self = try decodeWhole(content) { (reader) throws(WireError) in
            switch type {
            case .logEvents: .logEvents(try LogRow(from: &reader))
            case .logMarker: .logMarker(try LogMarker(from: &reader))
            case .causal: .causal(try CausalRow(from: &reader))
            case .lastWriter: .lastWriter(try LastWriterRow(from: &reader))
            case .message: .message(try MessageRow(from: &reader))
            }
        }
    }
}
