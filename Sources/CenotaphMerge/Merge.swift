public import CenotaphWire

/// Rows by set and key: what a merge reads and changes.
///
/// A store's gate and the in-memory model are both one.
public protocol RowTable {
    /// What reading or changing may throw.
    associatedtype Failure: Error

    /// The row at that key of that set, or `nil`.
    func row(_ set: RowSet, _ key: Key) throws(Failure) -> Row?

    /// Puts a row where neither set has one of its key.
    ///
    /// Returns false, and changes nothing, where one has, or where the table prefers to be asked for it first.
    mutating func insert(_ row: Row) throws(Failure) -> Bool

    /// Puts `new` in the place of `old`; both are of one key, and the sets that they name may differ.
    mutating func replace(_ old: Row?, with new: Row?) throws(Failure)

    /// The keys that have an event of that group, ascending.
    func eventKeys(inGroup group: Key) throws(Failure) -> [Key]
}

/// What a merge did.
public enum MergeOutcome: Hashable, Sendable {
    /// The state grew.
    case changed
    /// Nothing in the row was new.
    case unchanged
    /// All of the row that was new is buried, and was refused (Spec SYNC-024).
    case buried
    /// The merged row would exceed a limit; the row was left as it was (Spec CONV-009).
    ///
    /// The class is that of the limit: `range` for the entries of a causal row, `tooLarge` for a row's content.
    case refused(ErrorClass)

    /// Whether the merged row would exceed a limit.
    public var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}

extension RowTable {
    /// Never tries.
    public mutating func insert(_ row: Row) throws(Failure) -> Bool { false }

    /// Merges one row, or a piece of one, under a policy whose rows are of its type (Spec 07).
    ///
    /// This is the only function that changes rows: local writes make a greater state and merge it too.
    /// O(log n) and the size of the row; burying takes as long as the group is large.
    public mutating func merge(
        _ row: Row, under policy: Policy
    ) throws(Failure) -> MergeOutcome {
        switch row {
        case .logEvents(let row): try merge(row, erasing: policy == .log(buried: .erase))
        case .logMarker(let marker): try merge(marker, erasing: policy == .log(buried: .erase))
        case .causal(let row): try merge(row)
        case .lastWriter(let row): try merge(row)
        case .message(let row): try merge(row)
        }
    }

    /// Whether the group is buried.
    ///
    /// O(log n).
    public func isBuried(_ group: Key) throws(Failure) -> Bool {
        try row(.tombstones, group) != nil
    }

    private mutating func merge(
        _ arriving: LogRow, erasing: Bool
    ) throws(Failure) -> MergeOutcome {
        var kept: LogRow? = arriving
        if erasing {
            kept = try arriving.removing { (group) throws(Failure) in try isBuried(group) }
        }
        guard let kept else { return .buried }
        if try insertNew(.logEvents(kept)) { return .changed }
        let old = try row(.live, arriving.key)
        guard case .logEvents(let held) = old else {
            return try grow(from: old, to: .logEvents(kept))
        }
        return try grow(from: old, to: .logEvents(held.merged(with: kept)))
    }

    private mutating func merge(
        _ arriving: LogMarker, erasing: Bool
    ) throws(Failure) -> MergeOutcome {
        let old = try row(.tombstones, arriving.group)
        guard case .logMarker(let held) = old else {
            try replace(old, with: .logMarker(arriving))
            if erasing { try erase(arriving.group) }
            return .changed
        }
        return try grow(from: old, to: .logMarker(held.merged(with: arriving)))
    }

    private mutating func erase(_ group: Key) throws(Failure) {
        for key in try eventKeys(inGroup: group) {
            guard let old = try row(.live, key), case .logEvents(let held) = old else { continue }
            let kept = held.removing { $0 == group }
            try replace(old, with: kept.map { .logEvents($0) })
        }
    }

    /// The row of a key that is in one of the two sets or in none.
    public func row(inEitherSet key: Key) throws(Failure) -> Row? {
        if let live = try row(.live, key) { return live }
        return try row(.tombstones, key)
    }

    private mutating func merge(_ arriving: LastWriterRow) throws(Failure) -> MergeOutcome {
        if try insertNew(.lastWriter(arriving)) { return .changed }
        let old = try row(inEitherSet: arriving.key)
        guard case .lastWriter(let held) = old else {
            return try grow(from: old, to: .lastWriter(arriving))
        }
        return try grow(from: old, to: .lastWriter(held.merged(with: arriving)))
    }

    private mutating func merge(_ arriving: MessageRow) throws(Failure) -> MergeOutcome {
        if try insertNew(.message(arriving)) { return .changed }
        let old = try row(inEitherSet: arriving.key)
        guard case .message(let held) = old else {
            return try grow(from: old, to: .message(arriving))
        }
        return try grow(from: old, to: .message(held.merged(with: arriving)))
    }

    private mutating func merge(_ arriving: CausalRow) throws(Failure) -> MergeOutcome {
        if try insertNew(.causal(arriving)) { return .changed }
        let old = try row(inEitherSet: arriving.key)
        guard case .causal(let held) = old else {
            return try grow(from: old, to: .causal(arriving))
        }
        return try grow(from: old, to: .causal(held.merged(with: arriving)))
    }

    private mutating func grow(from old: Row?, to new: Row) throws(Failure) -> MergeOutcome {
        guard old != new else { return .unchanged }
        if let refusal = new.brokenLimit { return .refused(refusal) }
        try replace(old, with: new)
        return .changed
    }

    private mutating func insertNew(_ row: Row) throws(Failure) -> Bool {
        guard row.brokenLimit == nil else { return false }
        return try insert(row)
    }
}

extension Row {
    /// The class of the limit that the row breaks, entries before bytes; `nil` if a store takes it (Spec CONV-009).
    fileprivate var brokenLimit: ErrorClass? {
        if case .causal(let row) = self, row.entries.count > Limits.maxVector { return .range }
        return wireSize <= Limits.maxRowContent ? nil : .tooLarge
    }
}
