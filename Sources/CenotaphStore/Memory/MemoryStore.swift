public import CenotaphWire

/// A store in memory, gone with the instance: for tests, tools and namespaces that nobody keeps.
///
/// Behaves as `SQLiteStore` does, and is built on nothing that it is built on.
public final class MemoryStore: Store {
    private enum Phase { case idle, reading, writing }

    private struct ShelfID: Hashable {
        var namespace: Int64
        var shelf: Shelf
    }

    private struct GroupID: Hashable {
        var namespace: Int64
        var group: Key
    }

    private struct PlaceID: Hashable {
        var namespace: Int64
        var place: UInt32
    }

    /// What undoes one write.
    private enum Undo {
        case record([UInt8], [UInt8]?)
        case row(RowAddress, StoredRow?)
        case member(GroupID, Key, Bool)
        case place(PlaceID, Key, Bool)
    }

    private var phase = Phase.idle
    private var openScans = 0
    private var undo: [Undo] = []
    /// By the UTF-8 bytes of the name: texts that only look equal are two names.
    private var records: [[UInt8]: [UInt8]] = [:]
    private var shelves: [ShelfID: SortedMap<StoredRow>] = [:]
    private var groups: [GroupID: SortedMap<Void>] = [:]
    private var places: [PlaceID: Set<Key>] = [:]

    /// False: a store in memory can be written.
    public let isReadOnly = false

    /// Makes an empty store.
    public init() {}

    // MARK: Transactions

    /// Begins a transaction; see `Store.begin(writing:)`.
    public func begin(writing: Bool) throws(StoreError) {
        precondition(phase == .idle, "a transaction is open")
        phase = writing ? .writing : .reading
    }

    /// Ends the transaction and keeps what it wrote.
    public func commit() throws(StoreError) {
        precondition(phase != .idle, "no transaction is open")
        precondition(openScans == 0, "a transaction cannot be ended by a visitor")
        undo.removeAll()
        phase = .idle
    }

    /// Ends the transaction and forgets what it wrote; see `Store.rollback()`.
    public func rollback() {
        precondition(openScans == 0, "a transaction cannot be ended by a visitor")
        while let step = undo.popLast() {
            switch step {
            case .record(let name, let value): records[name] = value
            case .row(let address, let row): replaceRow(address, row)
            case .member(let id, let key, let isMember): replaceMember(id, key, isMember)
            case .place(let id, let key, let isHeld): replacePlace(id, key, isHeld)
            }
        }
        phase = .idle
    }

    /// Always false: nobody else has this memory.
    public func changedElsewhere() throws(StoreError) -> Bool {
        precondition(phase != .idle, "no transaction is open")
        return false
    }

    // MARK: Records

    /// The record of that name; see `Store.record(_:)`.
    public func record(_ name: String) throws(StoreError) -> [UInt8]? {
        precondition(phase != .idle, "no transaction is open")
        return records[[UInt8](name.utf8)]
    }

    /// Writes or removes the record of that name; see `Store.setRecord(_:_:)`.
    public func setRecord(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        precondition(value?.count ?? 0 <= Limits.maxRowContent, "a record is too long")
        let name = [UInt8](name.utf8)
        undo.append(.record(name, records[name]))
        records[name] = value
    }

    // MARK: Rows

    /// The row at an address; see `Store.row(at:)`.
    public func row(at address: RowAddress) throws(StoreError) -> StoredRow? {
        precondition(phase != .idle, "no transaction is open")
        return shelves[ShelfID(namespace: address.namespace, shelf: address.shelf)]?[address.key]
    }

    /// Writes or removes the row at an address; see `Store.setRow(at:_:)`.
    public func setRow(at address: RowAddress, _ row: StoredRow?) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        precondition(row?.content.count ?? 0 <= Limits.maxRowContent, "a content is too long")
        undo.append(.row(address, replaceRow(address, row)))
    }

    /// Writes a row unless one is there; see `Store.insertRow(at:_:)`.
    public func insertRow(at address: RowAddress, _ row: StoredRow) throws(StoreError) -> Bool {
        guard try self.row(at: address) == nil else { return false }
        try setRow(at: address, row)
        return true
    }

    /// Visits keys and leaves in key order; see `Store.scanLeaves(_:_:and:_:_:)`.
    public func scanLeaves(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try scanRows(namespace, shelf, and: other, range) { (key, row) throws(StoreError) in
            try visit(key, row.leaf)
        }
    }

    /// Visits rows in key order; see `Store.scanRows(_:_:and:_:_:)`.
    public func scanRows(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        precondition(phase != .idle, "no transaction is open")
        openScans += 1
        defer { openScans -= 1 }
        let rows = map(ShelfID(namespace: namespace, shelf: shelf))
        let others = other.map { map(ShelfID(namespace: namespace, shelf: $0)) }
        var walk = SortedWalk(rows, from: range.low)
        var otherWalk = others.map { SortedWalk($0, from: range.low) }
        while true {
            let first = walk.next()
            let second = otherWalk?.next()
            guard first?.key != second?.key || first == nil else {
                throw .corrupt("a key lies on two shelves")
            }
            let isFirst =
                second.map { second in first.map { $0.key < second.key } ?? false } ?? true
            guard let (key, row) = isFirst ? first : second else { return }
            if let high = range.high, !(key < high) { return }
            guard try visit(key, row) else { return }
            walk.pass(key)
            otherWalk?.pass(key)
        }
    }

    // MARK: Groups

    /// Adds a key to a group or takes it out; see `Store.setMember(_:_:_:_:)`.
    public func setMember(
        _ namespace: Int64, _ group: Key, _ key: Key, _ isMember: Bool
    ) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        let id = GroupID(namespace: namespace, group: group)
        undo.append(.member(id, key, replaceMember(id, key, isMember)))
    }

    /// Does nothing: there is no file.
    public func scrub() throws(StoreError) {}

    /// The keys of a group, ascending; see `Store.members(_:_:)`.
    public func members(_ namespace: Int64, _ group: Key) throws(StoreError) -> [Key] {
        precondition(phase != .idle, "no transaction is open")
        return groups[GroupID(namespace: namespace, group: group)]?.keys ?? []
    }

    // MARK: Places

    /// Notes the place of a key or forgets it; see `Store.setPlace(_:_:_:_:)`.
    public func setPlace(
        _ namespace: Int64, _ place: UInt32, _ key: Key, _ isHeld: Bool
    ) throws(StoreError) {
        precondition(phase == .writing, "no writing transaction is open")
        let id = PlaceID(namespace: namespace, place: place)
        undo.append(.place(id, key, replacePlace(id, key, isHeld)))
    }

    /// The keys of some places; see `Store.keys(_:places:)`.
    public func keys(
        _ namespace: Int64, places: [UInt32]
    ) throws(StoreError) -> [(key: Key, place: UInt32)] {
        precondition(phase != .idle, "no transaction is open")
        return places.flatMap { place in
            (self.places[PlaceID(namespace: namespace, place: place)] ?? []).map { ($0, place) }
        }
    }

    // MARK: Changes without undo

    private func map(_ id: ShelfID) -> SortedMap<StoredRow> {
        if let map = shelves[id] { return map }
        let map = SortedMap<StoredRow>()
        shelves[id] = map
        return map
    }

    /// Writes or removes a row, and returns the one that was there.
    @discardableResult
    private func replaceRow(_ address: RowAddress, _ row: StoredRow?) -> StoredRow? {
        map(ShelfID(namespace: address.namespace, shelf: address.shelf)).set(address.key, row)
    }

    /// Adds or takes out a member, and returns whether it was one.
    @discardableResult
    private func replaceMember(_ id: GroupID, _ key: Key, _ isMember: Bool) -> Bool {
        let keys = groups[id] ?? SortedMap<Void>()
        let was = keys.set(key, isMember ? () : nil) != nil
        groups[id] = keys.isEmpty ? nil : keys
        return was
    }

    /// Notes or forgets a key of a place, and returns whether it was noted.
    @discardableResult
    private func replacePlace(_ id: PlaceID, _ key: Key, _ isHeld: Bool) -> Bool {
        guard isHeld else {
            let was = places[id]?.remove(key) != nil
            if places[id]?.isEmpty == true { places[id] = nil }
            return was
        }
        return !places[id, default: []].insert(key).inserted
    }
}
