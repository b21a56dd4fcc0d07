internal import CenotaphWire

/// The bookkeeping of one observer of one namespace: which rows its app has, and what it has seen of each.
///
/// Lies in the store beside the rows, under a number of its own, and changes in the same transactions. It is in no
/// namespace, frame or digest.
struct ObserveBook {
    let store: any Store
    let number: Int64
    /// The storage that the app's rows are in.
    let storage: ID16

    static func recordName(_ name: NamespaceName, _ observer: String) -> String {
        "observe/" + Hex.string(name.bytes) + "/" + observer
    }

    /// The book of an observer, or `nil` if it never observed.
    static func find(
        _ store: any Store, _ name: NamespaceName, _ observer: String
    ) throws(StoreError) -> ObserveBook? {
        guard let record = try store.record(recordName(name, observer)) else { return nil }
        do {
            return try decodeWhole(record) { (reader) throws(WireError) in
                let number = try reader.u64()
                guard let number = Int64(exactly: number) else {
                    throw WireError(.range, .valueComplete)
                }
                return ObserveBook(store: store, number: number, storage: try reader.id16())
            }
        } catch {
            throw .corrupt("bookkeeping of \(name): \(error)")
        }
    }

    /// Writes the record that `find` reads.
    func save(_ name: NamespaceName, _ observer: String) throws(StoreError) {
        let record = WireWriter.filled(24) { writer in
            writer.u64(UInt64(number))
            writer.id16(storage)
        }
        try store.setRecord(ObserveBook.recordName(name, observer), record)
    }

    func row(_ key: Key) throws(StoreError) -> ObservedRow? {
        guard let stored = try store.row(at: RowAddress(number, .live, key)) else { return nil }
        return try ObservedRow(stored: stored)
    }

    func set(_ key: Key, _ row: ObservedRow?) throws(StoreError) {
        // The leaf is that of the copy, so that a scan of leaves alone finds what the app is behind on.
        let stored = row.map {
            StoredRow(leaf: $0.held?.leaf ?? .zero, type: .causal, content: $0.encoded())
        }
        try store.setRow(at: RowAddress(number, .live, key), stored)
    }

    /// Every key, ascending, with the leaf that its app has.
    func leaves() throws(StoreError) -> [(key: Key, leaf: Hash256)] {
        var leaves: [(key: Key, leaf: Hash256)] = []
        try store.scanLeaves(number, .live, .all) { (key, leaf) in
            leaves.append((key, leaf))
            return true
        }
        return leaves
    }

    /// Every row, ascending by key.
    func rows() throws(StoreError) -> [(key: Key, row: ObservedRow)] {
        var rows: [(key: Key, row: ObservedRow)] = []
        try store.scanRows(number, .live, .all) { (key, stored) throws(StoreError) in
            rows.append((key, try ObservedRow(stored: stored)))
            return true
        }
        return rows
    }
}

extension ObservedRow {
    fileprivate init(stored: StoredRow) throws(StoreError) {
        do {
            self = try decodeWhole(stored.content) { (reader) throws(WireError) in
                try ObservedRow(from: &reader)
            }
        } catch {
            throw .corrupt("bookkeeping of a row: \(error)")
        }
    }
}
