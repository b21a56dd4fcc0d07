public import Cenotaph

/// A store that tells a test of each call before it happens, and fails it if the test says so.
///
/// A commit that fails undoes its transaction, as a store's does. Rollbacks cannot fail.
public final class FaultyStore: Store {
    /// A call of a store.
    public enum Call: Hashable, Sendable, CaseIterable {
        case begin, commit, changedElsewhere, record, row, scanLeaves, scanRows, members
        case setRecord, setRow, insertRow, setMember, setPlace, keysOfPlaces, scrub

        /// Whether the call changes what the store holds.
        public var isWrite: Bool {
            switch self {
            case .setRecord, .setRow, .insertRow, .setMember, .setPlace: true
            default: false
            }
        }
    }

    private let base: any Store
    /// Called before each call; the call fails with what it returns.
    public var willCall: (Call) -> StoreError? = { _ in nil }

    /// Wraps a store, which nothing else uses from now on.
    public init(_ base: any Store) { self.base = base }

    /// Whether the wrapped store can only be read.
    public var isReadOnly: Bool { base.isReadOnly }

    private func check(_ call: Call) throws(StoreError) {
        if let error = willCall(call) { throw error }
    }

    /// Begins a transaction; see `Store.begin(writing:)`.
    public func begin(writing: Bool) throws(StoreError) {
        try check(.begin)
        try base.begin(writing: writing)
    }

    /// Ends the transaction and keeps what it wrote, or fails and undoes it.
    public func commit() throws(StoreError) {
        do throws(StoreError) {
            try check(.commit)
        } catch {
            base.rollback()
            throw error
        }
        try base.commit()
    }

    /// Ends the transaction and forgets what it wrote.
    public func rollback() { base.rollback() }

    /// Rewrites the store without what was removed; see `Store.scrub()`.
    public func scrub() throws(StoreError) {
        try check(.scrub)
        try base.scrub()
    }

    /// Whether another connection committed; see `Store.changedElsewhere()`.
    public func changedElsewhere() throws(StoreError) -> Bool {
        try check(.changedElsewhere)
        return try base.changedElsewhere()
    }

    /// The record of that name; see `Store.record(_:)`.
    public func record(_ name: String) throws(StoreError) -> [UInt8]? {
        try check(.record)
        return try base.record(name)
    }

    /// Writes or removes a record; see `Store.setRecord(_:_:)`.
    public func setRecord(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        try check(.setRecord)
        try base.setRecord(name, value)
    }

    /// The row at an address; see `Store.row(at:)`.
    public func row(at address: RowAddress) throws(StoreError) -> StoredRow? {
        try check(.row)
        return try base.row(at: address)
    }

    /// Writes or removes a row; see `Store.setRow(at:_:)`.
    public func setRow(at address: RowAddress, _ row: StoredRow?) throws(StoreError) {
        try check(.setRow)
        try base.setRow(at: address, row)
    }

    /// Writes a row unless one is there; see `Store.insertRow(at:_:)`.
    public func insertRow(at address: RowAddress, _ row: StoredRow) throws(StoreError) -> Bool {
        try check(.insertRow)
        return try base.insertRow(at: address, row)
    }

    /// Visits keys and leaves; see `Store.scanLeaves(_:_:and:_:_:)`.
    public func scanLeaves(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try check(.scanLeaves)
        try base.scanLeaves(namespace, shelf, and: other, range, visit)
    }

    /// Visits rows; see `Store.scanRows(_:_:and:_:_:)`.
    public func scanRows(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try check(.scanRows)
        try base.scanRows(namespace, shelf, and: other, range, visit)
    }

    /// Adds a key to a group or takes it out; see `Store.setMember(_:_:_:_:)`.
    public func setMember(
        _ namespace: Int64, _ group: Key, _ key: Key, _ isMember: Bool
    ) throws(StoreError) {
        try check(.setMember)
        try base.setMember(namespace, group, key, isMember)
    }

    /// The keys of a group; see `Store.members(_:_:)`.
    public func members(_ namespace: Int64, _ group: Key) throws(StoreError) -> [Key] {
        try check(.members)
        return try base.members(namespace, group)
    }

    /// Notes the place of a key or forgets it; see `Store.setPlace(_:_:_:_:)`.
    public func setPlace(
        _ namespace: Int64, _ place: UInt32, _ key: Key, _ isHeld: Bool
    ) throws(StoreError) {
        try check(.setPlace)
        try base.setPlace(namespace, place, key, isHeld)
    }

    /// The keys of some places; see `Store.keys(_:places:)`.
    public func keys(
        _ namespace: Int64, places: [UInt32]
    ) throws(StoreError) -> [(key: Key, place: UInt32)] {
        try check(.keysOfPlaces)
        return try base.keys(namespace, places: places)
    }
}
