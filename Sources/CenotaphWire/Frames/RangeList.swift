/// A half-open range of keys; an absent bound is open (Spec 00, "Notation").
public struct KeyRange: Hashable, Sendable {
    /// The first key, or `nil` for the beginning.
    public var low: Key?
    /// The end, not in the range, or `nil` for the end of all keys.
    public var high: Key?

    /// Makes a range.
    public init(from low: Key? = nil, to high: Key? = nil) {
        self.low = low
        self.high = high
    }

    /// The range of all keys.
    public static let all = KeyRange()

    /// Whether the key lies inside.
    public func contains(_ key: Key) -> Bool {
        if let low, key < low { return false }
        if let high, !(key < high) { return false }
        return true
    }
}

/// A row named by its key and the first 16 bytes of its leaf.
public struct RangeItem: Hashable, Sendable {
    /// The row's key.
    public let key: Key
    /// The first 16 bytes of its leaf.
    public let tag: ID16

    /// Makes an item.
    public init(key: Key, tag: ID16) {
        self.key = key
        self.tag = tag
    }
}

/// What is said of one range.
///
/// The wire's mode numbers are the order of the cases (Spec 03, "Range lists").
public enum RangeContent: Hashable, Sendable {
    /// Nothing is said.
    case skip
    /// The first 16 bytes of the range's fingerprint.
    case fingerprint(ID16)
    /// Every row that the sender holds in the range, ascending.
    case items([RangeItem])
    /// Rows that the sender wants, ascending; at least one.
    case keys([Key])
    /// The answer stopped before this range.
    case unanswered
    /// Every row of the range is wanted.
    case all

    /// The mode's number.
    public var mode: UInt8 {
        switch self {
        case .skip: 0
        case .fingerprint: 1
        case .items: 2
        case .keys: 3
        case .unanswered: 4
        case .all: 5
        }
    }

    /// The mode's name in the specification.
    public var name: String {
        switch self {
        case .skip: "skip"
        case .fingerprint: "fingerprint"
        case .items: "items"
        case .keys: "keys"
        case .unanswered: "unanswered"
        case .all: "all"
        }
    }
}

/// Ranges that touch, from the beginning of the key space on, and what is said of each.
///
/// Wire form: uvarint count, then for each entry bytes hi (empty: open), mode (1) and the mode's payload.
public struct RangeList: Hashable, Sendable {
    /// A range and what is said of it.
    public struct Entry: Hashable, Sendable {
        /// The end of the range, not in it; `nil` for the end of all keys.
        public let high: Key?
        /// What is said.
        public let content: RangeContent

        /// Makes an entry.
        public init(to high: Key?, _ content: RangeContent) {
            self.high = high
            self.content = content
        }
    }

    /// The entries as they are on the wire.
    public private(set) var entries: [Entry] = []

    /// A list that speaks of nothing.
    public init() {}

    /// Whether nothing is spoken of.
    public var isEmpty: Bool { entries.isEmpty }

    /// Whether another range, with the skip that may go before it, still fits (Spec WIRE-033).
    public var hasRoom: Bool { entries.count + 2 <= Limits.maxRanges }

    /// Says something of a range that begins at or after the end of the last one; the gap becomes a skip.
    public mutating func append(_ range: KeyRange, _ content: RangeContent) {
        let reached = entries.last?.high
        if let low = range.low, low != reached { entries.append(Entry(to: low, .skip)) }
        entries.append(Entry(to: range.high, content))
    }

    /// Every range that is spoken of, with its content, skips left out.
    public var ranges: [(range: KeyRange, content: RangeContent)] {
        var low: Key?
        var ranges: [(range: KeyRange, content: RangeContent)] = []
        for entry in entries {
            if entry.content != .skip {
                ranges.append((KeyRange(from: low, to: entry.high), entry.content))
            }
            low = entry.high
        }
        return ranges
    }
}

extension RangeList: WireEncodable {
    /// Bytes of the count and the entries.
    public var wireSize: Int {
        entries.reduce(WireSize.uvarint(entries.count)) { size, entry in
            let payload =
                switch entry.content {
                case .skip, .unanswered, .all: 0
                case .fingerprint: 16
                case .items(let items):
                    items.reduce(WireSize.uvarint(items.count)) {
                        $0 + $1.key.wireSize + 16
                    }
                case .keys(let keys):
                    keys.reduce(WireSize.uvarint(keys.count)) {
                        $0 + $1.wireSize
                    }
                }
            return size + WireSize.byteString(entry.high?.bytes ?? []) + 1 + payload
        }
    }

    /// Appends the count and the entries.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(entries.count)
        for entry in entries {
            writer.byteString(entry.high?.bytes ?? [])
            writer.u8(entry.content.mode)
            switch entry.content {
            case .skip, .unanswered, .all: break
            case .fingerprint(let tag): writer.id16(tag)
            case .items(let items):
                writer.uvarint(items.count)
                for item in items {
                    item.key.write(to: &writer)
                    writer.id16(item.tag)
                }
            case .keys(let keys):
                writer.uvarint(keys.count)
                for key in keys { key.write(to: &writer) }
            }
        }
    }

    /// Reads a list of `least` entries or more whose modes are all in `modes`.
    /// - Throws: `truncated` and every value class (Spec WIRE-030 to WIRE-035).
    init(
        from reader: inout WireReader, least: Int, modes: Set<UInt8>
    ) throws(WireError) {
        let count = try reader.count(
            least: least, limit: Limits.maxRanges, size: 2, below: .requestRange)
        for index in 0..<count {
            let start = reader.offset
            let bytes = try reader.byteString(0, Limits.maxKey)
            let low = entries.last?.high
            let high = bytes.isEmpty ? nil : Key(unchecked: bytes)
            let isLast = index == count - 1
            guard let high else {
                guard isLast else { throw reader.fail(.order, .boundsAscend, at: start) }
                try read(&reader, KeyRange(from: low), modes, isLast)
                return
            }
            try reader.ascends(low, high, .boundsAscend, at: start)
            try read(&reader, KeyRange(from: low, to: high), modes, isLast)
        }
    }

    private mutating func read(
        _ reader: inout WireReader, _ range: KeyRange, _ modes: Set<UInt8>, _ isLast: Bool
    ) throws(WireError) {
        let start = reader.offset
        let mode = try reader.u8()
        guard mode <= 5 else { throw reader.fail(.range, .listedChoice, at: start) }
        guard modes.contains(mode) else { throw reader.fail(.range, .modeAllowed, at: start) }
        let content: RangeContent
        switch mode {
        case 0:
            guard !isLast, entries.last?.content != .skip else {
                throw reader.fail(.noncanonical, .skipsCanonical, at: start)
            }
            content = .skip
        case 1: content = .fingerprint(try reader.id16())
        case 2:
            var items: [RangeItem] = []
            for _ in 0..<(try reader.count(size: 18)) {
                let key = try RangeList.key(&reader, range, after: items.last?.key)
                items.append(RangeItem(key: key, tag: try reader.id16()))
            }
            content = .items(items)
        case 3:
            var keys: [Key] = []
            for _ in 0..<(try reader.count(least: 1, size: 2, below: .keysNotEmpty)) {
                keys.append(try RangeList.key(&reader, range, after: keys.last))
            }
            content = .keys(keys)
        case 4: content = .unanswered
        default: content = .all
        }
        entries.append(Entry(to: range.high, content))
    }

    private static func key(
        _ reader: inout WireReader, _ range: KeyRange, after previous: Key?
    ) throws(WireError) -> Key {
        let start = reader.offset
        let key = try reader.key()
        guard range.contains(key) else { throw reader.fail(.range, .keyInRange, at: start) }
        try reader.ascends(previous, key, at: start)
        return key
    }
}
