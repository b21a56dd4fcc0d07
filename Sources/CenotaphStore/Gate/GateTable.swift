internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// The rows of one namespace inside a transaction, with leaves and sums kept up to each change.
final class GateTable: RowTable {
    let store: any Store
    var state: NamespaceState
    private var changed: [(key: Key, kind: Change.Kind)] = []
    /// Whether a row was removed or replaced.
    private(set) var hasRemoved = false
    /// The row that was read last, and its leaf: whoever replaces a row has just read it.
    private var lastRead: (address: RowAddress, leaf: Hash256)?
    /// The changes of each set whose kept sketch was right when the transaction began, or was made in it.
    var sketchChanges: [RowSet: SketchChanges] = [:]
    /// The key whose place was computed last: a row that is replaced needs it twice.
    private var lastPlace: (key: Key, place: UInt32)?
    /// Whether the last row that was written had no state here before: then the next one has none either, most times.
    private var expectsNew = false

    init(store: any Store, state: NamespaceState) {
        self.store = store
        self.state = state
    }

    /// The rows changed so far, in the order of the changes.
    var changes: [Change] {
        changed.map { Change(namespace: state.namespace.name, key: $0.key, kind: $0.kind) }
    }

    /// Makes room for the changes of a batch.
    func expect(_ count: Int) { changed.reserveCapacity(changed.count + count) }

    func row(_ set: RowSet, _ key: Key) throws(StoreError) -> Row? {
        guard let (address, stored) = try find(set, key) else { return nil }
        let row = try decode(stored, set, key)
        lastRead = (address, stored.leaf)
        return row
    }

    /// The row of a set as it lies in the store, and where.
    func find(_ set: RowSet, _ key: Key) throws(StoreError) -> (RowAddress, StoredRow)? {
        // An empty set is known to hold nothing without asking the store.
        guard state[set].count > 0 else { return nil }
        let (shelf, other) = state.shelves(of: set)
        for shelf in [shelf, other] {
            guard let shelf else { continue }
            let address = RowAddress(state.id, shelf, key)
            if let stored = try store.row(at: address) { return (address, stored) }
        }
        return nil
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

    func insert(_ row: Row) throws(StoreError) -> Bool {
        guard expectsNew else { return false }
        if row.type != .logEvents {
            let other = row.set == .live ? RowSet.tombstones : .live
            guard try self.row(other, row.key) == nil else { return false }
        } else if state.hidesBuried, state.tombstones.count > 0 {
            // The key may lie on either shelf of the live set.
            return false
        }
        let (address, stored) = try place(of: row)
        expectsNew = try store.insertRow(at: address, stored)
        guard expectsNew else { return false }
        try store.setPlace(state.id, place(of: row.key), row.key, true)
        try noteChange(from: nil, to: row, adding: stored.leaf)
        return true
    }

    func replace(_ old: Row?, with new: Row?) throws(StoreError) {
        expectsNew = old == nil
        let (address, stored) =
            try new.map { (row) throws(StoreError) in try place(of: row) }
            ?? (nil, nil)
        if let old { try take(old, replacedAt: address) }
        lastRead = nil
        if let address, let stored { try store.setRow(at: address, stored) }
        try updatePlace(old, new)
        try noteChange(from: old, to: new, adding: stored?.leaf)
        if old == nil, case .logMarker(let marker) = new, state.hidesBuried {
            try hide(marker.group)
        }
    }

    func eventKeys(inGroup group: Key) throws(StoreError) -> [Key] {
        try store.members(state.id, group)
    }

    /// Takes a row's leaf out of its set, and the row itself unless another one takes its place there.
    private func take(_ row: Row, replacedAt new: RowAddress?) throws(StoreError) {
        guard state[row.set].count > 0 else { throw .corrupt("count of \(state.namespace.name)") }
        let (address, leaf) = try held(row)
        state[row.set].remove(leaf)
        noteID(row.set, row.key, leaf, isNew: false)
        hasRemoved = true
        if address != new { try store.setRow(at: address, nil) }
    }

    /// Where a row lies that is about to be replaced, and its leaf.
    private func held(_ row: Row) throws(StoreError) -> (RowAddress, Hash256) {
        if let lastRead, lastRead.address.key == row.key,
            (lastRead.address.shelf == .tombstones) == (row.set == .tombstones)
        {
            return lastRead
        }
        guard let (address, stored) = try find(row.set, row.key) else {
            throw .corrupt("row \(row.key) went away inside a transaction")
        }
        return (address, stored.leaf)
    }

    /// Where a row is to lie, and what is to lie there.
    private func place(of row: Row) throws(StoreError) -> (RowAddress, StoredRow) {
        let content = row.encoded()
        let leaf = state.key.leaf(row.type, content: content)
        return (
            RowAddress(state.id, try shelf(of: row), row.key),
            StoredRow(leaf: leaf, type: row.type, content: content)
        )
    }

    private func shelf(of row: Row) throws(StoreError) -> Shelf {
        guard row.set == .live else { return .tombstones }
        guard state.hidesBuried, case .logEvents(let row) = row else { return .live }
        for event in row.events where try !isBuried(event.group) { return .live }
        return .buried
    }

    /// Puts the events of a group that was just buried where no live view passes them.
    ///
    /// The rows are what they were: leaves, sums and members stay.
    private func hide(_ group: Key) throws(StoreError) {
        for key in try eventKeys(inGroup: group) {
            guard let (address, stored) = try find(.live, key), address.shelf == .live else {
                continue
            }
            let shelf = try shelf(of: try decode(stored, .live, key))
            guard shelf != .live else { continue }
            try store.setRow(at: address, nil)
            try store.setRow(at: RowAddress(state.id, shelf, key), stored)
        }
    }

    private func noteChange(
        from old: Row?, to new: Row?, adding leaf: Hash256? = nil
    ) throws(StoreError) {
        if let leaf, let new {
            state[new.set].add(leaf)
            noteID(new.set, new.key, leaf, isNew: true)
        }
        if case .log = state.namespace.policy { try updateGroups(old, new) }
        note(old, new)
    }

    private func noteID(_ set: RowSet, _ key: Key, _ leaf: Hash256, isNew: Bool) {
        guard sketchChanges[set] != nil else { return }
        sketchChanges[set]?.append(RowID(place: place(of: key), leaf: leaf), isNew: isNew)
    }

    private func place(of key: Key) -> UInt32 {
        if let lastPlace, lastPlace.key == key { return lastPlace.place }
        let place = state.key.place(of: key)
        lastPlace = (key, place)
        return place
    }

    /// Keeps the index from places to keys: an edit or a delete leaves it as it is.
    private func updatePlace(_ old: Row?, _ new: Row?) throws(StoreError) {
        if old == nil, let key = new?.key {
            try store.setPlace(state.id, place(of: key), key, true)
        } else if new == nil, let old {
            // A log's event and a marker may have one key.
            let other = old.set == .live ? RowSet.tombstones : .live
            guard try find(other, old.key) == nil else { return }
            try store.setPlace(state.id, place(of: old.key), old.key, false)
        }
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

    private func note(_ old: Row?, _ new: Row?) {
        guard let key = (new ?? old)?.key else { return }
        let kind: Change.Kind =
            switch new {
            case .none: .removed
            case .logMarker: .buried
            case .message(let row): row.visibleBody == nil ? .removed : .updated
            case .some(let row): row.set == .live ? .updated : .removed
            }
        changed.append((key, kind))
    }
}

extension Row {
    fileprivate var groups: Set<Key> {
        guard case .logEvents(let row) = self else { return [] }
        return Set(row.events.map(\.group))
    }
}
