import CenotaphStore
import CenotaphWire
import Testing

/// The stores that the conformance suite runs over.
enum StoreKind: String, CaseIterable, Sendable, Codable {
    case memory, sqlite

    /// Hands a fresh, empty store to a test.
    func with(in lent: TempFolder? = nil, _ body: (any Store) throws -> Void) throws {
        switch self {
        case .memory: try body(MemoryStore())
        case .sqlite:
            let folder = try lent ?? TempFolder()
            let store = try folder.store()
            try body(store)
            store.close()
        }
    }
}

extension Store {
    /// Runs a writing transaction and commits it.
    func write(_ body: () throws -> Void) throws {
        try begin(writing: true)
        defer { rollback() }
        try body()
        try commit()
    }

    /// Runs a reading transaction.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try begin(writing: false)
        defer { rollback() }
        return try body()
    }

    /// The keys that a scan of leaves visits, in order.
    func keys(
        _ range: KeyRange = .all, namespace: Int64 = 1, shelf: Shelf = .live
    ) throws -> [Key] {
        var keys: [Key] = []
        try scanLeaves(namespace, shelf, range) { (key, _) throws(StoreError) in
            keys.append(key)
            return true
        }
        return keys
    }

    /// Writes a row of namespace 1 in the live set.
    func put(_ key: Key, _ row: StoredRow = .sample(1)) throws {
        try setRow(at: RowAddress(1, .live, key), row)
    }

    /// Removes a row of namespace 1 from the live set.
    func drop(_ key: Key) throws { try setRow(at: RowAddress(1, .live, key), nil) }
}

extension StoredRow {
    /// A row that a number stands for.
    static func sample(_ number: UInt64, size: Int = 20) -> StoredRow {
        let leaf = Hash256(number, ~number, number &* 0x9e37_79b9_7f4a_7c15, 0xff00_ff00_ff00_ff00)
        let type = RowType.allCases[Int(number % UInt64(RowType.allCases.count))]
        let content = (0..<size).map { UInt8(truncatingIfNeeded: number &+ UInt64($0)) }
        return StoredRow(leaf: leaf, type: type, content: content)
    }
}

/// A key of any bytes, 1 to 512 of them.
func key(_ bytes: UInt8...) throws -> Key { try Key(bytes) }
