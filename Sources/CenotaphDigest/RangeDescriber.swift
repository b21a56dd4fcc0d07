public import CenotaphSeal
public import CenotaphWire

/// Describes a range from one pass over its rows: items if they are few, else sixteen fingerprints (Spec DIG-009).
///
/// Feed it the range's leaves in key order, then take the description. Memory is bounded by the fanout.
public struct RangeDescriber {
    private let range: KeyRange
    private let set: RowSet
    private let count: Int
    private let key: NamespaceKey
    private var list: RangeList
    private var seen = 0
    private var items: [RangeItem] = []
    private var part = SetSum()
    private var partLow: Key?
    private var previous: Key?

    /// Describes `range`, which holds exactly `count` rows, at the end of `list`.
    public init(
        _ range: KeyRange, _ set: RowSet, count: Int, key: NamespaceKey,
        appendingTo list: RangeList = RangeList()
    ) {
        self.range = range
        self.set = set
        self.count = count
        self.key = key
        self.list = list
        partLow = range.low
    }

    /// Entries that a description adds at most, with the skip before it.
    public static let maxEntries = Limits.rangeFanout + 1

    private var isList: Bool { count <= Limits.rangeFanout }

    /// Takes the next row of the range.
    public mutating func feed(_ rowKey: Key, _ leaf: Hash256) {
        precondition(seen < count, "more rows than were counted")
        if isList {
            items.append(RangeItem(key: rowKey, tag: leaf.tag))
        } else {
            if let previous, seen == start(of: partIndex(seen)) {
                close(at: RangeDescriber.separator(previous, rowKey))
            }
            part.add(leaf)
            previous = rowKey
        }
        seen += 1
    }

    /// The list with the description at its end.
    public consuming func finish() -> RangeList {
        precondition(seen == count, "fewer rows than were counted")
        if isList {
            list.append(range, .items(items))
        } else {
            close(at: range.high)
        }
        return list
    }

    private func start(of index: Int) -> Int { index * count / Limits.rangeFanout }

    /// The part that row `row` lies in, for a row that may begin one.
    private func partIndex(_ row: Int) -> Int {
        let guess = row * Limits.rangeFanout / count
        return start(of: guess + 1) <= row ? guess + 1 : guess
    }

    private mutating func close(at high: Key?) {
        let range = KeyRange(from: partLow, to: high)
        list.append(range, .fingerprint(part.fingerprint(set, key).tag))
        part = SetSum()
        partLow = high
    }

    /// The shortest prefix of `next` that is greater than `previous`.
    static func separator(_ previous: Key, _ next: Key) -> Key {
        let bytes = next.bytes
        let common = zip(previous.bytes, bytes).prefix { $0 == $1 }.count
        return Key(unchecked: Array(bytes[...common]))
    }
}
