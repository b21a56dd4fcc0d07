internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphWire

/// What the gate knows of one namespace without reading a row: kept in a record, changed with the rows.
struct NamespaceState {
    /// The number in the store.
    let id: Int64
    let namespace: Namespace
    let key: NamespaceKey
    var live = SetSum()
    var tombstones = SetSum()
    var knowledge = VersionVector()

    /// Most rows of a set: more than any disk holds, few enough to calculate with.
    private static let maxRows = UInt64(1) << 56

    init(id: Int64, namespace: Namespace, key: NamespaceKey) {
        self.id = id
        self.namespace = namespace
        self.key = key
    }

    subscript(set: RowSet) -> SetSum {
        get { set == .live ? live : tombstones }
        set(sum) {
            switch set {
            case .live: live = sum
            case .tombstones: tombstones = sum
            }
        }
    }

    /// Whether buried events stay, on a shelf of their own.
    var hidesBuried: Bool { namespace.policy == .log(buried: .hide) }

    /// The shelves that a set's rows lie on.
    func shelves(of set: RowSet) -> (Shelf, Shelf?) {
        switch set {
        case .live: (.live, hidesBuried ? .buried : nil)
        case .tombstones: (.tombstones, nil)
        }
    }

    /// Whether the records of both would be the same.
    func isSame(as other: NamespaceState) -> Bool {
        live == other.live && tombstones == other.tombstones && knowledge == other.knowledge
    }

    var digest: NamespaceDigest {
        NamespaceDigest(
            name: namespace.name, live: digest(.live), tombstones: digest(.tombstones),
            knowledge: knowledge)
    }

    /// The root (Spec DIG-006).
    var root: Hash256 {
        key.root(
            live: live.fingerprint(.live, key), tombstones: tombstones.fingerprint(.tombstones, key)
        )
    }

    private func digest(_ set: RowSet) -> SetDigest {
        SetDigest(count: self[set].count, fingerprint: self[set].fingerprint(set, key))
    }
}

/// The record of a namespace: id (8), policy code (1), live sum (40), tombstone sum (40), knowledge.
extension NamespaceState: WireEncodable {
    var wireSize: Int { 9 + 80 + knowledge.wireSize }

    func write(to writer: inout WireWriter) {
        writer.u64(UInt64(id))
        writer.u8(namespace.policy.code)
        live.write(to: &writer)
        tombstones.write(to: &writer)
        knowledge.write(to: &writer)
    }

    /// The name of the record that holds the namespace.
    static func recordName(_ name: NamespaceName) -> String {
        "namespace/" + Hex.string(name.bytes)
    }

    /// The name of the record that is there while the keys of a namespace have no places: an older format had none.
    static func unplacedName(_ name: NamespaceName) -> String {
        "unplaced/" + Hex.string(name.bytes)
    }

    /// Reads a record.
    /// - Throws: `GateError.policyChanged`, `StoreError.corrupt`.
    init(
        record: [UInt8], namespace: Namespace, key: NamespaceKey
    ) throws(GateError) {
        let parts: Parts
        do {
            parts = try decodeWhole(record) { (reader) throws(WireError) in
                try Parts(from: &reader)
            }
        } catch {
            throw .store(.corrupt("record of namespace \(namespace.name): \(error)"))
        }
        guard parts.code == namespace.policy.code else {
            throw .policyChanged(namespace.name, stored: parts.code, asked: namespace.policy)
        }
        guard let id = Int64(exactly: parts.id) else {
            throw .store(.corrupt("number of namespace \(namespace.name)"))
        }
        guard max(parts.live.count, parts.tombstones.count) <= NamespaceState.maxRows else {
            throw .store(.corrupt("count of \(namespace.name)"))
        }
        self.init(id: id, namespace: namespace, key: key)
        live = parts.live
        tombstones = parts.tombstones
        knowledge = parts.knowledge
    }

    private struct Parts {
        let id: UInt64
        let code: UInt8
        let live: SetSum
        let tombstones: SetSum
        let knowledge: VersionVector

        init(from reader: inout WireReader) throws(WireError) {
            id = try reader.u64()
            code = try reader.u8()
            live = try SetSum(from: &reader)
            tombstones = try SetSum(from: &reader)
            knowledge = try VersionVector(from: &reader)
        }
    }
}

extension NamespaceState {
    /// Notes the places of all keys, if an older format left them out.
    ///
    /// In the transaction that opens the gate: a crash leaves it to the next opening. O(n), once.
    func placeKeys(in store: any Store) throws(StoreError) {
        let note = NamespaceState.unplacedName(namespace.name)
        guard try store.record(note) != nil else { return }
        for shelf in Shelf.allCases {
            try store.scanLeaves(id, shelf, .all) { (rowKey, _) throws(StoreError) in
                try store.setPlace(id, key.place(of: rowKey), rowKey, true)
                return true
            }
        }
        try store.setRecord(note, nil)
    }
}
