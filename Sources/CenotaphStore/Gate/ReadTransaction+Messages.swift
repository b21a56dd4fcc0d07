internal import CenotaphMerge
internal import CenotaphSeal
public import CenotaphWire

/// A message that has still to be delivered to its contact (Spec MERGE-035).
public struct DeliveryDuty: Hashable, Sendable {
    /// The message's key.
    public let key: Key
    /// When it was posted.
    public let postedAt: UInt64
    /// What is to be delivered.
    public let body: [UInt8]
}

/// Messages beside what an app sees of them.
extension ReadTransaction {
    /// The key of a message of this fleet.
    /// - Throws: `range` for a message id that is not 1 to 496 bytes.
    public func ownMessage(_ id: [UInt8]) throws(WireError) -> Key {
        try Key(author: gate.keys.fleet, message: id)
    }

    /// What is known of a message, live, waiting or deleted; `nil` if nothing is.
    ///
    /// O(log n).
    /// - Throws: `refused` for an unknown namespace or another policy; `store`.
    public func message(_ name: NamespaceName, _ key: Key) throws(GateError) -> MessageRow? {
        let table = try messageTable(name)
        let row = try GateError.wrapping { () throws(StoreError) in
            try table.row(inEitherSet: key)
        }
        switch row {
        case .none: return nil
        case .message(let row): return row
        default: throw .store(.corrupt("row \(key) has another type than \(name)"))
        }
    }

    /// The messages that have still to be delivered, in key order: a function of the rows alone, so a delivery or a
    /// recall anywhere in the fleet ends the duty here (Spec MERGE-035).
    ///
    /// O(live rows), and memory of the duties.
    /// - Throws: `refused` for an unknown namespace or another policy; `store`.
    public func outbox(_ name: NamespaceName) throws(GateError) -> [DeliveryDuty] {
        let table = try messageTable(name)
        var duties: [DeliveryDuty] = []
        try GateError.wrapping { () throws(StoreError) in
            try store.scanRows(table.state.id, .live, .all) { (key, stored) throws(StoreError) in
                if case .message(let row) = try table.decode(stored, .live, key),
                    let base = row.base,
                    let body = row.bodyToDeliver
                {
                    duties.append(
                        DeliveryDuty(key: row.key, postedAt: base.postedAt, body: body))
                }
                return true
            }
        }
        return duties
    }

    /// What a contact is told of a message, or `nil` if it is no matter of the contact's (Spec SYNC-036).
    ///
    /// O(log n).
    /// - Throws: `refused` for an unknown namespace or another policy; `store`.
    public func operation(
        _ name: NamespaceName, _ key: Key, for contact: ID16
    ) throws(GateError) -> MessageOp? {
        guard let row = try message(name, key),
            let channel = MessageChannel(own: gate.keys.fleet, contact: contact)
        else { return nil }
        return channel.operation(for: row).flatMap { MessageOp(namespace: name, row: $0) }
    }

    private func messageTable(_ name: NamespaceName) throws(GateError) -> GateTable {
        let state = try namespace(name)
        guard state.namespace.policy == .messages else {
            throw .refused(.wrongPolicy(name, state.namespace.policy))
        }
        return GateTable(store: store, state: state)
    }
}
