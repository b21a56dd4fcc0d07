public import CenotaphMerge
public import CenotaphWire

/// Reads and writes that commit together.
///
/// Valid only inside the call that lent it.
///
/// Each local write makes a greater state of its row and merges it; there is no other way to change a row.
public final class WriteTransaction: ReadTransaction {
    private let before: GateState
    /// The wall clock when the transaction began.
    let milliseconds: UInt64
    /// The namespaces that were written to; they are ahead of `state` until the end.
    private var tables: [NamespaceName: GateTable] = [:]
    /// The one that was written to last: rows come namespace by namespace.
    private var lastTable: GateTable?
    /// The rows that local writes of this transaction made, in the order of the writes.
    public internal(set) var localRows: [(namespace: NamespaceName, row: Row)] = []

    init(gate: Gate, state: GateState, milliseconds: UInt64) {
        before = state
        self.milliseconds = milliseconds
        super.init(gate: gate, state: state)
    }

    /// The rows changed so far, by namespace in the order of the changes.
    public var changes: [Change] {
        tables.sorted { $0.key < $1.key }.flatMap { $0.value.changes }
    }

    /// Writes the records; what they hold is the state after the commit.
    func finish() throws(GateError) -> GateState {
        state.needsScrub = needsScrub
        for (name, table) in tables { state.namespaces[name] = table.state }
        try GateError.wrapping { () throws(StoreError) in
            try state.save(store, changedFrom: before)
        }
        return state
    }

    override var needsScrub: Bool {
        state.needsScrub || tables.values.contains { $0.hasRemoved }
    }

    override func namespace(_ name: NamespaceName) throws(GateError) -> NamespaceState {
        if let lastTable, lastTable.state.namespace.name == name { return lastTable.state }
        if let table = tables[name] { return table.state }
        return try super.namespace(name)
    }

    /// The rows of a namespace, to be written to.
    func table(_ name: NamespaceName) throws(GateError) -> GateTable {
        if let lastTable, lastTable.state.namespace.name == name { return lastTable }
        if let table = tables[name] {
            lastTable = table
            return table
        }
        let table = GateTable(store: store, state: try super.namespace(name))
        for set in RowSet.allCases {
            table.sketchChanges[set] = super.sketchChanges(table.state, set)
        }
        tables[name] = table
        lastTable = table
        return table
    }

    override func sketchChanges(_ namespace: NamespaceState, _ set: RowSet) -> SketchChanges? {
        guard let table = tables[namespace.namespace.name] else {
            return super.sketchChanges(namespace, set)
        }
        return table.sketchChanges[set]
    }

    override func noteKept(_ name: NamespaceName, _ set: RowSet) {
        tables[name]?.sketchChanges[set] = SketchChanges()
    }

    /// Brings the kept sketches up to what this transaction committed.
    func keepSketches() {
        for table in tables.values {
            for (set, changes) in table.sketchChanges {
                gate.sketches.apply(changes, table.state.id, set, sum: table.state[set])
            }
        }
    }

    /// Notes that the store was just scrubbed.
    func noteScrubbed() { state.needsScrub = false }

    // MARK: Rows from a peer

    /// Merges a row or a piece of one that a peer sent.
    ///
    /// The caller has checked that its type fits the policy. A row that would exceed a limit is parked.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func merge(_ name: NamespaceName, _ row: Row) throws(GateError) -> MergeOutcome {
        try merge(name, row, into: try table(name))
    }

    /// Merges a row into the table of its namespace, and parks it if it is refused.
    func merge(
        _ name: NamespaceName, _ row: Row, into table: GateTable
    ) throws(GateError) -> MergeOutcome {
        let outcome = try mergeOnly(row, into: table)
        if outcome.isRefused { try park(name, row, .tooLarge) }
        return outcome
    }

    private func mergeOnly(_ row: Row, into table: GateTable) throws(GateError) -> MergeOutcome {
        var table = table
        do {
            return try table.merge(row, under: table.state.namespace.policy)
        } catch {
            throw .store(error)
        }
    }

    /// Joins a peer's knowledge of a namespace whose fingerprints both equal ours (Spec MODEL-010).
    ///
    /// A join that would leave no room for this replica's own time is left out.
    /// - Returns: Whether it grew.
    /// - Throws: `refused(.unknownNamespace)`.
    @discardableResult
    public func joinKnowledge(
        _ name: NamespaceName, _ knowledge: VersionVector
    ) throws(GateError) -> Bool {
        var joined = try namespace(name).knowledge
        joined.join(knowledge)
        let most = joined[gate.replica] == 0 ? Limits.maxVector - 1 : Limits.maxVector
        guard joined != (try namespace(name).knowledge), joined.entries.count <= most else {
            return false
        }
        try table(name).state.knowledge = joined
        return true
    }

    // MARK: Local writes under causal and lastWriter

    /// Writes a body over what this replica sees of the key (Spec MERGE-013, MERGE-022).
    ///
    /// O(log n).
    /// - Throws: `refused` for a dead key, a limit, another policy; `store`.
    public func put(_ name: NamespaceName, _ key: Key, _ body: [UInt8]) throws(GateError) {
        try put(name, key, body, reviving: false)
    }

    /// Writes a body whether the key is live, dead or unknown.
    ///
    /// This is the one way to bring a deleted row back. O(log n).
    /// - Throws: `refused` for a limit, another policy; `store`.
    public func revive(_ name: NamespaceName, _ key: Key, _ body: [UInt8]) throws(GateError) {
        try put(name, key, body, reviving: true)
    }

    /// Deletes what this replica sees of the key (Spec MERGE-014, MERGE-023).
    ///
    /// Its children go with it, in the same transaction. Returns whether there was a live row. O(log n) for each.
    /// - Throws: `refused` for another policy; `store`.
    @discardableResult
    public func delete(_ name: NamespaceName, _ key: Key) throws(GateError) -> Bool {
        try deleteChildren(of: key, in: name)
        switch try editable(name, key) {
        case .causal(let row):
            guard let row, row.isLive else { return false }
            let stamp = try nextStamp(over: row, key)
            try writeLocally(name, .causal(row.deleting(at: stamp)))
            return true
        case .lastWriter(let row):
            let stamp = try nextStamp(above: row?.stamp.time ?? 0)
            try writeLocally(
                name, .lastWriter(LastWriterRow(key: key, stamp: stamp, value: nil)))
            return row?.value != nil
        case .derived(let row):
            if let row { try replaceDerived(name, row, with: nil) }
            return row != nil
        }
    }

    private func put(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], reviving: Bool
    ) throws(GateError) {
        try check(body)
        try checkParent(of: key, in: name)
        let row = try editable(name, key)
        if row.isDead, !reviving { throw .refused(.rowDeleted(key)) }
        switch row {
        case .causal(let row):
            let stamp = try nextStamp(over: row, key)
            try writeLocally(
                name, .causal(CausalRow.putting(body, at: stamp, key: key, over: row)))
        case .lastWriter(let row):
            let stamp = try nextStamp(above: row?.stamp.time ?? 0)
            try writeLocally(
                name, .lastWriter(LastWriterRow(key: key, stamp: stamp, value: body)))
        case .derived(let row):
            let stamp = Stamp(time: 1, replica: gate.replica)
            let new = LastWriterRow(key: key, stamp: stamp, value: body)
            try replaceDerived(name, row, with: .lastWriter(new))
        }
    }

    /// Writes or removes a derived row: no stamp, no tombstone, no frame.
    private func replaceDerived(
        _ name: NamespaceName, _ old: Row?, with new: Row?
    ) throws(GateError) {
        let table = try table(name)
        try GateError.wrapping { () throws(StoreError) in try table.replace(old, with: new) }
    }

    /// The next stamp, if the row has room for its replica's entry.
    func nextStamp(over row: CausalRow?, _ key: Key) throws(GateError) -> Stamp {
        let own = row?.time(of: gate.replica) ?? 0
        guard own > 0 || row?.entries.count ?? 0 < Limits.maxVector else {
            throw .refused(.tooManyWriters(key))
        }
        return try nextStamp(above: own)
    }

    /// A key of a policy whose rows can be edited, with its row if there is one.
    enum EditableRow {
        case causal(CausalRow?)
        case lastWriter(LastWriterRow?)
        case derived(Row?)

        var isDead: Bool {
            switch self {
            case .causal(let row): row.map { !$0.isLive } ?? false
            case .lastWriter(let row): row.map { $0.value == nil } ?? false
            case .derived: false
            }
        }
    }

    func editable(_ name: NamespaceName, _ key: Key) throws(GateError) -> EditableRow {
        let state = try namespace(name)
        let table = GateTable(store: store, state: state)
        let row = try GateError.wrapping { () throws(StoreError) in
            try table.row(inEitherSet: key)
        }
        switch (state.namespace.policy, row) {
        case (.causal, .causal(let row)): return .causal(row)
        case (.causal, .none): return .causal(nil)
        case (.lastWriter, .lastWriter(let row)): return .lastWriter(row)
        case (.lastWriter, .none): return .lastWriter(nil)
        case (.derived, let row): return .derived(row)
        case (.log, _), (.messages, _):
            throw .refused(.wrongPolicy(name, state.namespace.policy))
        case (.causal, _), (.lastWriter, _):
            throw .store(.corrupt("row \(key) has another type than \(name)"))
        }
    }

    // MARK: Local writes under log

    /// Appends an event.
    ///
    /// Appending the same group and body under the same key again changes nothing. O(log n).
    /// Returns whether the event is new.
    /// - Throws: `refused` for a buried group, a key with another event, a limit, another policy; `store`.
    @discardableResult
    public func append(
        _ name: NamespaceName, _ key: Key, group: Key, _ body: [UInt8]
    ) throws(GateError) -> Bool {
        try checkLog(name)
        try check(body)
        guard try !isBuried(name, group: group) else { throw .refused(.groupBuried(group)) }
        let table = GateTable(store: store, state: try namespace(name))
        let held = try GateError.wrapping { () throws(StoreError) in try table.row(.live, key) }
        if case .logEvents(let row)? = held {
            if row.events.contains(where: { $0.group == group && $0.body == body }) { return false }
            throw .refused(.eventExists(key))
        }
        let event = LogEvent(stamp: try nextStamp(), group: group, body: body)
        try writeLocally(name, .logEvents(LogRow(key: key, event: event)))
        return true
    }

    /// Buries a group, known or not, for ever (Spec MERGE-008).
    ///
    /// Returns whether it was not buried before. O(events of the group).
    /// - Throws: `refused` for another policy; `store`.
    @discardableResult
    public func bury(_ name: NamespaceName, group: Key) throws(GateError) -> Bool {
        try checkLog(name)
        guard try !isBuried(name, group: group) else { return false }
        try writeLocally(name, .logMarker(LogMarker(group: group, stamp: try nextStamp())))
        if try namespace(name).namespace.policy == .log(buried: .erase) {
            // What this transaction appended to the group is erased, and goes to no peer (Spec MERGE-003).
            localRows.removeAll { $0.namespace == name && $0.row.isEvent(of: group) }
        }
        return true
    }

    private func checkLog(_ name: NamespaceName) throws(GateError) {
        guard case .log = try namespace(name).namespace.policy else {
            throw .refused(.wrongPolicy(name, try namespace(name).namespace.policy))
        }
    }

    // MARK: What all local writes share

    func check(_ body: [UInt8]) throws(GateError) {
        guard body.count <= Limits.maxBody else {
            throw .refused(.bodyTooLarge(bytes: body.count))
        }
    }

    func nextStamp(above floor: UInt64 = 0) throws(GateError) -> Stamp {
        do {
            let time = try state.clock.next(milliseconds: milliseconds, above: floor)
            return Stamp(time: time, replica: gate.replica)
        } catch {
            throw .refused(error)
        }
    }

    func writeLocally(_ name: NamespaceName, _ row: Row) throws(GateError) {
        guard try !mergeOnly(row, into: table(name)).isRefused else {
            throw .refused(.rowTooLarge(row.key))
        }
        let time = state.clock.last
        _ = try table(name).state.knowledge.raise(gate.replica, to: time)
        localRows.append((name, row))
    }
}

extension Row {
    /// Whether the row is the event that a local write appended to a group.
    fileprivate func isEvent(of group: Key) -> Bool {
        guard case .logEvents(let row) = self else { return false }
        return row.events.allSatisfy { $0.group == group }
    }
}
