internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// The rows of one namespace inside a transaction, with leaves and sums kept up to each change.
struct GateTable: RowTable {
    let store: any Store
    var state: NamespaceState
    private(set) var changes: [Change] = []
    /// Whether a row was removed or replaced.
    private(set) var hasRemoved = false

    init(store: any Store, state: NamespaceState) {
        self.store = store
        self.state = state
    }

    func row(_ set: RowSet, _ key: Key) throws(StoreError) -> Row? {
        // An empty set is known to hold nothing without asking the store.
        guard state[set].count > 0, let stored = try store.row(at: RowAddress(state.id, set, key))
        else { return nil }
        return try decode(stored, set, key)
    }

    /// Decodes a row that lies in a set under a key, and checks that it belongs there.
    func decode(_ stored: StoredRow, _ set: RowSet, _ key: Key) throws(StoreError) -> Row {
        let row: Row
        do {
            row = try Row(type: stored.type, content: stored.content)
        } catch {
            throw .corrupt("row content: \(error)")
        }
        let belongs = row.type == state.namespace.policy.rowType(in: set)
        guard belongs, row.set == set, row.key == key else {
            throw .corrupt("row \(key) of \(state.namespace.name) is another one")
        }
        return row
    }

    mutating func replace(_ old: Row?, with new: Row?) throws(StoreError) {
        if let old { try take(old, replaced: old.set == new?.set) }
        if let new { try put(new) }
        try updateGroups(old, new)
        note(old, new)
    }

    func eventKeys(inGroup group: Key) throws(StoreError) -> [Key] {
        try store.members(state.id, group)
    }

    /// Takes a row's leaf out of its set, and the row itself unless another one takes its place there.
    private mutating func take(_ row: Row, replaced: Bool) throws(StoreError) {
        let address = RowAddress(state.id, row.set, row.key)
        guard let stored = try store.row(at: address) else {
            throw .corrupt("row \(row.key) went away inside a transaction")
        }
        guard state[row.set].count > 0 else { throw .corrupt("count of \(state.namespace.name)") }
        state[row.set].remove(stored.leaf)
        hasRemoved = true
        if !replaced { try store.setRow(at: address, nil) }
    }

    private mutating func put(_ row: Row) throws(StoreError) {
        let leaf = state.key.leaf(of: row)
        try store.setRow(
            at: RowAddress(state.id, row.set, row.key),
            StoredRow(leaf: leaf, type: row.type, content: row.encoded()))
        state[row.set].add(leaf)
    }

    /// Keeps the index from groups to event keys.
    private func updateGroups(_ old: Row?, _ new: Row?) throws(StoreError) {
        let before = old?.groups ?? []
        let after = new?.groups ?? []
        guard before != after, let key = (new ?? old)?.key else { return }
        for group in before.subtracting(after) {
            try store.setMember(state.id, group, key, false)
        }
        for group in after.subtracting(before) {
            try store.setMember(state.id, group, key, true)
        }
    }

    private mutating func note(_ old: Row?, _ new: Row?) {
        guard let key = (new ?? old)?.key else { return }
        let kind: Change.Kind =
            switch new {
            case .none: .removed
            case .logMarker: .buried
            case .some(let row): row.set == .live ? .updated : .removed
            }
        changes.append(Change(namespace: state.namespace.name, key: key, kind: kind))
    }
}

extension Row {
    fileprivate var groups: Set<Key> {
        guard case .logEvents(let row) = self else { return [] }
        return Set(row.events.map(\.group))
    }
}
