import Cenotaph
import Synchronization

/// A store in memory whose commits fail on demand.
final class FailingStore: Store {
    /// Shared with the test, which says when to fail.
    final class Switch: Sendable {
        private let isOn = Mutex(false)
        var fails: Bool {
            get { isOn.withLock { $0 } }
            set { isOn.withLock { $0 = newValue } }
        }
    }

    private let inner = MemoryStore()
    private let failure: Switch

    init(_ failure: Switch) { self.failure = failure }

    func begin(writing: Bool) throws(StoreError) { try inner.begin(writing: writing) }

    func commit() throws(StoreError) {
        guard failure.fails else { return try inner.commit() }
        inner.rollback()
        throw .full
    }

    func rollback() { inner.rollback() }
    func changedElsewhere() throws(StoreError) -> Bool { try inner.changedElsewhere() }
    func record(_ name: String) throws(StoreError) -> [UInt8]? { try inner.record(name) }

    func setRecord(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        try inner.setRecord(name, value)
    }

    func row(at address: RowAddress) throws(StoreError) -> StoredRow? {
        try inner.row(at: address)
    }

    func setRow(at address: RowAddress, _ row: StoredRow?) throws(StoreError) {
        try inner.setRow(at: address, row)
    }

    func scanLeaves(
        _ namespace: Int64, _ set: RowSet, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError) { try inner.scanLeaves(namespace, set, range, visit) }

    func scanRows(
        _ namespace: Int64, _ set: RowSet, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) { try inner.scanRows(namespace, set, range, visit) }

    func setMember(
        _ namespace: Int64, _ group: Key, _ key: Key, _ isMember: Bool
    ) throws(StoreError) { try inner.setMember(namespace, group, key, isMember) }

    func members(_ namespace: Int64, _ group: Key) throws(StoreError) -> [Key] {
        try inner.members(namespace, group)
    }
}
