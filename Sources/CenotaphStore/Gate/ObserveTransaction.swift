internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphWire

/// What all parts of observing share.
extension ReadTransaction {
    func wrap<Value>(_ body: () throws(StoreError) -> Value) throws(GateError) -> Value {
        try GateError.wrapping(body)
    }

    func findBook(
        _ name: NamespaceName, _ observer: String
    ) throws(GateError) -> ObserveBook? {
        _ = try namespace(name)
        return try wrap { () throws(StoreError) in
            try ObserveBook.find(store, name, observer)
        }
    }

    /// The hash that stands for a body in the bookkeeping; it never leaves the device.
    func bodyHash(_ name: NamespaceName, _ body: [UInt8]) throws(GateError) -> Hash256 {
        try namespace(name).key.hash(tag: 0x40, RawBytes(bytes: body))
    }

    /// The bookkeeping of an app that has all of a live row.
    func copy(
        of key: Key, _ name: NamespaceName, _ hash: Hash256
    ) throws(GateError) -> ObservedRow.Copy? {
        guard let row = try row(name, .live, key), let leaf = try leaf(name, .live, key) else {
            return nil
        }
        return ObservedRow.Copy(hash: hash, leaf: leaf, version: RowVersion(of: row))
    }
}

extension WriteTransaction {
    /// The book of an observer, made if there is none.
    func openBook(
        _ name: NamespaceName, _ observer: String, _ storage: ID16
    ) throws(GateError) -> ObserveBook {
        let policy = try namespace(name).namespace.policy
        guard policy == .causal || policy == .lastWriter else {
            throw .refused(.wrongPolicy(name, policy))
        }
        if let book = try findBook(name, observer) {
            guard book.storage == storage else {
                throw .otherStorage(name, observer: observer)
            }
            return book
        }
        let count = try GateState.number(store, GateState.Record.namespaceCount) ?? 0
        guard count < UInt64(Int64.max) else { throw .store(.corrupt("namespace numbers")) }
        let book = ObserveBook(store: store, number: Int64(count) + 1, storage: storage)
        try wrap { () throws(StoreError) in
            try store.setRecord(GateState.Record.namespaceCount, GateState.bytes(count + 1))
            try book.save(name, observer)
        }
        return book
    }

    func save(_ key: Key, _ row: ObservedRow, _ book: ObserveBook) throws(GateError) {
        try wrap { () throws(StoreError) in try book.set(key, row) }
    }

    /// Takes a row out of the bookkeeping, and out of the event that holds it.
    func forget(_ key: Key, _ row: ObservedRow, _ book: ObserveBook) throws(GateError) {
        var row = row
        try release(&row)
        try wrap { () throws(StoreError) in try book.set(key, nil) }
    }
}

private struct RawBytes: WireEncodable {
    let bytes: [UInt8]
    var wireSize: Int { bytes.count }
    func write(to writer: inout WireWriter) { writer.raw(bytes) }
}
