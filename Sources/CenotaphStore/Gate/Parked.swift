internal import CenotaphDigest
internal import CenotaphMerge
public import CenotaphWire

/// A row that was refused and is kept, so that nothing is dropped in silence.
public struct ParkedRow: Hashable, Sendable {
    /// Why it was refused.
    public enum Reason: UInt8, Hashable, Sendable, CaseIterable {
        /// Merged, it would exceed a limit of rows (Spec CONV-009).
        case tooLarge = 1
    }

    /// Its name in the list: the leaf that it would have had.
    public let id: Hash256
    /// The namespace.
    public let namespace: NamespaceName
    /// Why it was refused.
    public let reason: Reason
    /// The row, or the piece of one, as it arrived.
    public let row: Row
}

/// The record of a parked row: reason (1), bytes namespace, row type (1), content.
extension ParkedRow {
    fileprivate static let index = "parked"
    /// Most rows kept; beyond it the newest arrivals are reported only, and the peer still has them.
    static let limit = 1_024

    fileprivate static func recordName(_ id: Hash256) -> String { "parked/\(id)" }

    fileprivate var record: [UInt8] {
        let content = row.encoded()
        let size = 1 + WireSize.byteString(namespace.bytes) + 1 + content.count
        return WireWriter.filled(size) { writer in
            writer.u8(reason.rawValue)
            writer.byteString(namespace.bytes)
            writer.u8(row.type.rawValue)
            writer.raw(content)
        }
    }

    fileprivate init(id: Hash256, record: [UInt8]) throws(WireError) {
        self.id = id
        var reader = WireReader(unsafe record.span.bytes)
        reason = try reader.choice()
        namespace = try reader.name()
        let type: RowType = try reader.choice()
        row = try Row(type: type, content: Array(record[reader.offset...]))
    }
}

extension ReadTransaction {
    /// The rows that were refused and are kept, oldest first.
    /// - Throws: `store`.
    public func parked() throws(GateError) -> [ParkedRow] {
        var rows: [ParkedRow] = []
        for id in try parkedIDs() {
            let record = try GateError.wrapping { () throws(StoreError) in
                try store.record(ParkedRow.recordName(id))
            }
            do {
                if let record { rows.append(try ParkedRow(id: id, record: record)) }
            } catch {
                throw .store(.corrupt("parked row: \(error)"))
            }
        }
        return rows
    }

    /// The number of rows that were refused and are kept.
    /// - Throws: `store`.
    public func parkedCount() throws(GateError) -> Int { try parkedIDs().count }

    fileprivate func parkedIDs() throws(GateError) -> [Hash256] {
        try decoded(ParkedRow.index) { (reader) throws(WireError) in
            var ids: [Hash256] = []
            while reader.remaining > 0 { ids.append(try reader.hash()) }
            return ids
        } ?? []
    }
}

extension WriteTransaction {
    /// Keeps a refused row unless it is kept already or the list is full.
    func park(
        _ name: NamespaceName, _ row: Row, _ reason: ParkedRow.Reason
    ) throws(GateError) {
        let id = try namespace(name).key.leaf(of: row)
        let ids = try parkedIDs()
        guard !ids.contains(id), ids.count < ParkedRow.limit else { return }
        let parked = ParkedRow(id: id, namespace: name, reason: reason, row: row)
        guard parked.record.count <= Limits.maxRowContent else { return }
        try setParked(ids + [id])
        try GateError.wrapping { () throws(StoreError) in
            try store.setRecord(ParkedRow.recordName(id), parked.record)
        }
    }

    /// Takes a row off the list and forgets it.
    ///
    /// Returns whether it was there.
    /// - Throws: `store`.
    @discardableResult
    public func dropParked(_ id: Hash256) throws(GateError) -> Bool {
        let ids = try parkedIDs()
        guard ids.contains(id) else { return false }
        try setParked(ids.filter { $0 != id })
        try GateError.wrapping { () throws(StoreError) in
            try store.setRecord(ParkedRow.recordName(id), nil)
        }
        return true
    }

    /// Writes the values of a parked row as new writes of this replica, and takes it off the list.
    ///
    /// Returns whether it was there. An event goes back under its own key, a value under its key even if that is dead.
    /// Of several causal values the one that a read would return is written; the others stay parked, as a row of theirs.
    /// - Throws: `refused` where the new write is; the row stays parked then. `store`.
    @discardableResult
    public func putParked(_ id: Hash256) throws(GateError) -> Bool {
        guard let parked = try parked().first(where: { $0.id == id }) else { return false }
        switch parked.row {
        case .causal(let row):
            if let value = row.values.first?.value {
                try revive(parked.namespace, row.key, value)
            }
        case .lastWriter(let row):
            if let value = row.value { try revive(parked.namespace, row.key, value) }
        case .logEvents(let row):
            for event in row.events {
                try append(parked.namespace, row.key, group: event.group, event.body)
            }
        case .message(let row): try writeLocally(parked.namespace, .message(row))
        case .logMarker(let marker): try bury(parked.namespace, group: marker.group)
        }
        try dropParked(id)
        if case .causal(let row) = parked.row,
            let others = CausalRow(key: row.key, entries: Array(row.values.dropFirst()))
        {
            try park(parked.namespace, .causal(others), parked.reason)
        }
        return true
    }

    private func setParked(_ ids: [Hash256]) throws(GateError) {
        try GateError.wrapping { () throws(StoreError) in
            try store.setRecord(
                ParkedRow.index, ids.isEmpty ? nil : ids.flatMap { $0.encoded() })
        }
    }
}
