public import CenotaphWire

/// What an app that keeps rows of its own is to do to one of them.
public enum Unapplied: Hashable, Sendable {
    /// Show this row.
    case write(LiveRow)
    /// Drop the row.
    case remove
    /// Nothing: the app has what the store has.
    case nothing
}

extension ReadTransaction {
    /// The keys on which an observer's app is behind, ascending: rows that it does not have as they are here, and rows
    /// that it has and that are deleted.
    ///
    /// Rows whose deletion is held back are not among them. O(n), reads no bodies.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func unapplied(
        _ name: NamespaceName, observer: String = "app"
    ) throws(GateError) -> [Key] {
        var has: [Key: Hash256] = [:]
        if let book = try findBook(name, observer) {
            for (key, leaf) in try wrap({ () throws(StoreError) in try book.leaves() }) {
                has[key] = leaf
            }
        }
        var keys: [Key] = []
        try forEachLeaf(name, .live, .all) { (key, leaf) in
            if has.removeValue(forKey: key) != leaf { keys.append(key) }
            return true
        }
        return (keys + has.keys).sorted()
    }

    /// The notes of the rows that an observer's app has, by key.
    ///
    /// O(rows known).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func observedNotes(
        _ name: NamespaceName, observer: String = "app"
    ) throws(GateError) -> [Key: [UInt8]] {
        guard let book = try findBook(name, observer) else { return [:] }
        return Dictionary(
            try wrap { () throws(StoreError) in try book.rows() }.map { ($0.key, $0.row.note) }
        ) { first, _ in first }
    }

    /// Whether a body is the one that an observer's app had last, or the one that it was handed since.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func isObserved(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], observer: String = "app"
    ) throws(GateError) -> Bool {
        guard let book = try findBook(name, observer),
            let row = try wrap({ () throws(StoreError) in try book.row(key) })
        else { return false }
        let hash = try bodyHash(name, body)
        return row.held?.hash == hash || row.pending?.hash == hash
    }

    /// The storage that an observer's listings come from, or `nil` if there was none yet.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func observedStorage(
        _ name: NamespaceName, observer: String = "app"
    ) throws(GateError) -> ID16? { try findBook(name, observer)?.storage }
}

/// How an app takes in what peers changed: start, change its own row, finish.
extension WriteTransaction {
    /// Says what the app is to do about a key, and notes that it was told.
    ///
    /// Commit this before the app's own row is changed. Whether the app then changed it or crashed first, the next
    /// listing is understood: the body that was handed out here is no edit of the app's. O(log n).
    /// - Throws: `otherStorage`, `refused`, `store`.
    public func startApplying(
        _ name: NamespaceName, _ key: Key, storage: ID16, observer: String = "app"
    ) throws(GateError) -> Unapplied {
        let book = try openBook(name, observer, storage)
        let before = try wrap { () throws(StoreError) in try book.row(key) }
        guard let row = try get(name, key) else { return before == nil ? .nothing : .remove }
        guard let copy = try copy(of: key, name, try bodyHash(name, row.body)) else {
            return .nothing
        }
        if before?.held?.leaf == copy.leaf { return .nothing }
        var known = before ?? ObservedRow()
        known.pending = copy
        if known != before { try save(key, known, book) }
        return .write(row)
    }

    /// Notes that the app shows the body that `startApplying` handed out.
    ///
    /// Does nothing if another one was handed out since. O(log n).
    /// - Throws: `otherStorage`, `refused`, `store`.
    public func finishApplying(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], note: [UInt8] = [], storage: ID16,
        observer: String = "app"
    ) throws(GateError) {
        let book = try openBook(name, observer, storage)
        let hash = try bodyHash(name, body)
        guard var known = try wrap({ () throws(StoreError) in try book.row(key) }),
            known.pending?.hash == hash
        else { return }
        try release(&known)
        known.held = known.pending
        known.pending = nil
        known.note = note
        try save(key, known, book)
    }

    /// Notes that the app dropped a row because it was told to.
    ///
    /// O(log n).
    /// - Throws: `otherStorage`, `refused`, `store`.
    public func finishRemoving(
        _ name: NamespaceName, _ key: Key, storage: ID16, observer: String = "app"
    ) throws(GateError) {
        let book = try openBook(name, observer, storage)
        guard let known = try wrap({ () throws(StoreError) in try book.row(key) }) else { return }
        try forget(key, known, book)
    }
}
