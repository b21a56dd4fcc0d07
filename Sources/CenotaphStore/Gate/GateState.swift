internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphWire

/// Everything that the gate keeps in memory beside the rows; a copy is one transaction's working state.
struct GateState {
    var clock = HybridClock()
    var namespaces: [NamespaceName: NamespaceState] = [:]
    /// The epoch of the rows (Spec MODEL-015).
    var epoch = ID16.zero
    /// Whether a row was removed or replaced since the store was last scrubbed.
    var needsScrub = false

    enum Record {
        static let fleet = "fleet"
        static let replica = "replica"
        static let clock = "clock"
        static let namespaceCount = "namespaces"
        static let needsScrub = "needs-scrub"
    }

    /// Loads the state of a store, which becomes a replica of the given fleet if it was empty.
    static func open(
        _ store: any Store, _ schema: Schema, _ keys: FleetKeys, _ fresh: ReplicaID
    ) throws(GateError) -> (ReplicaID, GateState) {
        try GateError.wrapping { () throws(StoreError) in try store.begin(writing: true) }
        do {
            let replica: ReplicaID
            if let held = try identify(store, keys) {
                replica = held
            } else {
                replica = try make(store, keys, fresh)
            }
            var state = GateState()
            try state.loadRecords(store)
            try state.addNamespaces(store, schema, keys)
            try GateError.wrapping { () throws(StoreError) in
                _ = try store.changedElsewhere()
                try store.commit()
            }
            return (replica, state)
        } catch {
            store.rollback()
            throw error
        }
    }

    /// Loads the state of a store that can only be read.
    static func openToRead(
        _ store: any Store, _ schema: Schema, _ keys: FleetKeys
    ) throws(GateError) -> (ReplicaID, GateState) {
        try GateError.wrapping { () throws(StoreError) in try store.begin(writing: false) }
        defer { store.rollback() }
        guard let replica = try identify(store, keys) else { throw .store(.notFound) }
        let state = try load(store, schema, keys)
        try GateError.wrapping { () throws(StoreError) in _ = try store.changedElsewhere() }
        return (replica, state)
    }

    /// Loads the state of a store that is open already, inside a transaction.
    static func load(
        _ store: any Store, _ schema: Schema, _ keys: FleetKeys
    ) throws(GateError) -> GateState {
        var state = GateState()
        try state.loadRecords(store)
        for namespace in schema.namespaces {
            let name = namespace.name
            let record = try GateError.wrapping { () throws(StoreError) in
                try store.record(NamespaceState.recordName(name))
            }
            let key = keys.namespaceKey(name)
            if let record {
                state.namespaces[name] = try NamespaceState(
                    record: record, namespace: namespace, key: key)
            } else if store.isReadOnly {
                // No namespace has the number 0, so nothing is found in this one.
                state.namespaces[name] = NamespaceState(id: 0, namespace: namespace, key: key)
            } else {
                throw .store(.corrupt("no record of namespace \(name)"))
            }
        }
        return state
    }

    /// Writes what differs from `before` to the store's records.
    func save(_ store: any Store, changedFrom before: GateState) throws(StoreError) {
        if needsScrub != before.needsScrub {
            try store.setRecord(Record.needsScrub, needsScrub ? [1] : nil)
        }
        if clock != before.clock { try store.setRecord(Record.clock, GateState.bytes(clock.last)) }
        for (name, namespace) in namespaces {
            if let old = before.namespaces[name], old.isSame(as: namespace) { continue }
            try store.setRecord(NamespaceState.recordName(name), namespace.encoded())
        }
    }

    private mutating func loadRecords(_ store: any Store) throws(GateError) {
        clock = HybridClock(last: try GateState.number(store, Record.clock) ?? 0)
        needsScrub = try GateError.wrapping { () throws(StoreError) in
            try store.record(Record.needsScrub) != nil
        }
    }

    /// Makes an empty store that of a new replica.
    private static func make(
        _ store: any Store, _ keys: FleetKeys, _ fresh: ReplicaID
    ) throws(GateError) -> ReplicaID {
        try GateError.wrapping { () throws(StoreError) in
            try store.setRecord(Record.fleet, keys.fleet.encoded())
            try store.setRecord(Record.replica, fresh.id.encoded())
        }
        return fresh
    }

    /// The replica that a store is, or `nil` if it is empty.
    private static func identify(
        _ store: any Store, _ keys: FleetKeys
    ) throws(GateError) -> ReplicaID? {
        let (fleet, replica) = try GateError.wrapping { () throws(StoreError) in
            (try store.record(Record.fleet), try store.record(Record.replica))
        }
        guard let fleet, let replica else {
            guard fleet == nil, replica == nil else { throw .store(.corrupt("half a replica")) }
            return nil
        }
        guard fleet == keys.fleet.encoded() else { throw .otherFleet }
        do {
            return try decodeWhole(replica) { (reader) throws(WireError) in try reader.replica() }
        } catch {
            throw .store(.corrupt("replica id: \(error)"))
        }
    }

    private mutating func addNamespaces(
        _ store: any Store, _ schema: Schema, _ keys: FleetKeys
    ) throws(GateError) {
        var count = try GateState.number(store, Record.namespaceCount) ?? 0
        for namespace in schema.namespaces {
            let name = namespace.name
            let recordName = NamespaceState.recordName(name)
            let key = keys.namespaceKey(name)
            let record = try GateError.wrapping { () throws(StoreError) in
                try store.record(recordName)
            }
            if let record {
                namespaces[name] = try NamespaceState(
                    record: record, namespace: namespace, key: key)
                try GateError.wrapping { () throws(StoreError) in
                    try namespaces[name]?.placeKeys(in: store)
                }
                continue
            }
            guard count < UInt64(Int64.max) else { throw .store(.corrupt("namespace numbers")) }
            count += 1
            let added = NamespaceState(id: Int64(count), namespace: namespace, key: key)
            namespaces[name] = added
            try GateError.wrapping { () throws(StoreError) in
                try store.setRecord(recordName, added.encoded())
                try store.setRecord(Record.namespaceCount, GateState.bytes(count))
            }
        }
    }

    static func number(_ store: any Store, _ name: String) throws(GateError) -> UInt64? {
        let record = try GateError.wrapping { () throws(StoreError) in try store.record(name) }
        guard let record else { return nil }
        do {
            return try decodeWhole(record) { (reader) throws(WireError) in try reader.u64() }
        } catch {
            throw .store(.corrupt("record \(name): \(error)"))
        }
    }

    static func bytes(_ number: UInt64) -> [UInt8] {
        WireWriter.filled(8) { $0.u64(number) }
    }
}
