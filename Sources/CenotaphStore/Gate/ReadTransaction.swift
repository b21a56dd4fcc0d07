internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphSeal
public import CenotaphWire

/// One value that an app reads: a causal value, an event of a log, a message.
public struct LiveValue: Hashable, Sendable {
    /// When it was written.
    public let time: UInt64
    /// The replica that wrote it; `nil` under `messages`, whose rows name none.
    public let replica: ReplicaID?
    /// The event's group; `nil` but in a log.
    public let group: Key?
    /// The body.
    public let body: [UInt8]

    init(stamp: Stamp, group: Key?, body: [UInt8]) {
        time = stamp.time
        replica = stamp.replica
        self.group = group
        self.body = body
    }

    init(messageAt time: UInt64, body: [UInt8]) {
        self.time = time
        replica = nil
        group = nil
        self.body = body
    }

    /// The write that made it; `nil` under `messages`.
    public var stamp: Stamp? { replica.map { Stamp(time: time, replica: $0) } }
}

/// A key that an app sees.
public struct LiveRow: Hashable, Sendable {
    /// The key.
    public let key: Key
    /// At least one value.
    ///
    /// Under `causal` the greatest stamp is first and the others are conflicts.
    public let values: [LiveValue]
    /// What the namespace's resolver made of a conflict; `nil` without a conflict or a resolver.
    public let resolution: Resolution?

    init(key: Key, values: [LiveValue], resolution: Resolution? = nil) {
        self.key = key
        self.values = values
        self.resolution = resolution
    }

    /// The body that a read returns: that of the first value, unless a resolver made another one.
    public var body: [UInt8] {
        guard case .resolved(let body)? = resolution else { return values[0].body }
        return body
    }
}

/// Reads from one snapshot.
///
/// Valid only inside the call that lent it.
public class ReadTransaction {
    let gate: Gate
    var state: GateState

    init(gate: Gate, state: GateState) {
        self.gate = gate
        self.state = state
    }

    var store: any Store { gate.store }

    /// Whether removed bytes may still lie in the store's files.
    var needsScrub: Bool { state.needsScrub }

    func namespace(_ name: NamespaceName) throws(GateError) -> NamespaceState {
        guard let namespace = state.namespaces[name] else {
            throw .refused(.unknownNamespace(name))
        }
        return namespace
    }

    /// What the kept sketch of a set lacks to be that of this snapshot; `nil` if it is that of another set.
    func sketchChanges(_ namespace: NamespaceState, _ set: RowSet) -> SketchChanges? {
        gate.sketches.sum(namespace.id, set) == namespace[set] ? SketchChanges() : nil
    }

    /// Notes that the kept sketch of a set is that of this snapshot.
    func noteKept(_ name: NamespaceName, _ set: RowSet) {}

    /// This replica's epoch.
    public var epoch: ID16 { state.epoch }

    /// The live row of a key, or `nil` if the key is dead or was never written.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func get(_ name: NamespaceName, _ key: Key) throws(GateError) -> LiveRow? {
        let table = GateTable(store: store, state: try namespace(name))
        let row = try GateError.wrapping { () throws(StoreError) -> LiveRow? in
            guard let row = try table.row(.live, key) else { return nil }
            return try table.liveRow(of: row)
        }
        return row.map { resolved($0, in: name) }
    }

    /// Visits the live rows of a range in key order until `visit` returns false.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func forEach(
        _ name: NamespaceName, in range: KeyRange = .all, _ visit: (LiveRow) -> Bool
    ) throws(GateError) {
        let table = GateTable(store: store, state: try namespace(name))
        try GateError.wrapping { () throws(StoreError) in
            try store.scanRows(table.state.id, .live, range) { (key, stored) throws(StoreError) in
                let row = try table.decode(stored, .live, key)
                guard let row = try table.liveRow(of: row) else { return true }
                return visit(resolved(row, in: name))
            }
        }
    }

    /// The live rows of a namespace in key order.
    ///
    /// O(n) memory.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func list(_ name: NamespaceName) throws(GateError) -> [LiveRow] {
        var rows: [LiveRow] = []
        try forEach(name) { row in
            rows.append(row)
            return true
        }
        return rows
    }

    /// Whether a group of a log is buried.
    ///
    /// O(log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func isBuried(_ name: NamespaceName, group: Key) throws(GateError) -> Bool {
        let table = GateTable(store: store, state: try namespace(name))
        return try GateError.wrapping { () throws(StoreError) in try table.isBuried(group) }
    }

    /// The digest of every replicated namespace, ascending by name.
    ///
    /// O(namespaces).
    public var digests: [NamespaceDigest] {
        replicated.map(\.digest).sorted { $0.name < $1.name }
    }

    /// The states of the namespaces that travel.
    var replicated: [NamespaceState] {
        state.namespaces.keys.compactMap { try? namespace($0) }
            .filter(\.namespace.policy.isReplicated)
    }
}

extension GateTable {
    /// What an app sees of a row of the live set (Spec MERGE-005, MERGE-011, MERGE-012, MERGE-034).
    func liveRow(of row: Row) throws(StoreError) -> LiveRow? {
        let values: [LiveValue]
        switch row {
        case .causal(let row):
            values = row.values.compactMap { entry in
                entry.value.map { LiveValue(stamp: entry.stamp, group: nil, body: $0) }
            }
        case .lastWriter(let row):
            values = [row.value].compactMap { value in
                value.map { LiveValue(stamp: row.stamp, group: nil, body: $0) }
            }
        case .logEvents(let row):
            let seen = try row.removing { (group) throws(StoreError) in try isBuried(group) }
            values = (seen?.events ?? []).map {
                LiveValue(stamp: $0.stamp, group: $0.group, body: $0.body)
            }
        case .message(let row):
            if let body = row.visibleBody, let time = row.currentTime {
                values = [LiveValue(messageAt: time, body: body)]
            } else {
                values = []
            }
        case .logMarker: values = []
        }
        return values.isEmpty ? nil : LiveRow(key: row.key, values: values)
    }
}
