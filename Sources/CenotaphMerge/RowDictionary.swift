public import CenotaphWire

/// The rows of one namespace in memory, with no store: the model that tests and vectors merge in.
public struct RowDictionary: RowTable, Hashable, Sendable {
    /// Both sets, empty ones too: equal rows are equal values.
    private var sets: [RowSet: [Key: Row]] = [.live: [:], .tombstones: [:]]

    /// Makes an empty namespace.
    public init() {}

    /// The rows of a set, ascending by key.
    ///
    /// O(n log n).
    public func rows(_ set: RowSet) -> [Row] {
        (sets[set] ?? [:]).values.sorted { $0.key < $1.key }
    }

    /// The row at that key of that set.
    ///
    /// O(1).
    public func row(_ set: RowSet, _ key: Key) -> Row? { sets[set]?[key] }

    /// Puts `new` in the place of `old`.
    ///
    /// O(1).
    public mutating func replace(_ old: Row?, with new: Row?) {
        if let old { sets[old.set, default: [:]][old.key] = nil }
        if let new { sets[new.set, default: [:]][new.key] = new }
    }

    /// The keys that have an event of that group, by a scan.
    ///
    /// O(n).
    public func eventKeys(inGroup group: Key) -> [Key] {
        rows(.live).compactMap { row in
            guard case .logEvents(let row) = row else { return nil }
            return row.events.contains { $0.group == group } ? row.key : nil
        }
    }

    /// What an app reads: the values of each key that has any, ascending by key (Spec 07).
    public var view: [Key: [[UInt8]]] {
        var view: [Key: [[UInt8]]] = [:]
        for row in rows(.live) {
            let bodies: [[UInt8]] =
                switch row {
                case .logEvents(let row):
                    row.events.filter { !isBuried($0.group) }.map(\.body)
                case .causal(let row): row.values.compactMap(\.value)
                case .lastWriter(let row): [row.value].compactMap(\.self)
                case .logMarker: []
                }
            if !bodies.isEmpty { view[row.key] = bodies }
        }
        return view
    }
}
