public import CenotaphMerge
public import CenotaphSeal
public import CenotaphStore
public import CenotaphWire

/// Messages to and from contacts. `ContactPeer` carries the sealed operations over a relay; other ways are the app's matter.
extension Replica {
    /// The key of a message of this fleet: its fleet id, then the message id of 1 to 496 bytes.
    /// - Throws: `WireError` for another length.
    public nonisolated func ownMessage(_ id: [UInt8]) throws(WireError) -> Key {
        try Key(author: keys.fleet, message: id)
    }

    /// What is known of a message, live, waiting or deleted.
    /// - Throws: `GateError`.
    public func message(_ namespace: NamespaceName, _ key: Key) throws -> MessageRow? {
        try gate.read { try $0.message(namespace, key) }
    }

    /// The messages that have still to be delivered (Spec MERGE-035).
    ///
    /// O(live rows).
    /// - Throws: `GateError`.
    public func outbox(_ namespace: NamespaceName) throws -> [DeliveryDuty] {
        try gate.read { try $0.outbox(namespace) }
    }

    /// What a contact is told of these messages, sealed for it; what is no matter of the contact's is left out
    /// (Spec SYNC-036).
    ///
    /// The same message gives the same operation until it changes; sending one twice does no harm.
    /// - Throws: `GateError`, `WireError` for a channel of another fleet.
    public func operations(
        _ namespace: NamespaceName, _ messages: [Key], for channel: ChannelKeys
    ) throws -> [[UInt8]] {
        try check(channel)
        let header = FrameHeader(sender: id)
        return try gate.read { snapshot in
            try messages.compactMap { key in
                guard let operation = try snapshot.operation(namespace, key, for: channel.contact)
                else { return nil }
                return try Envelope.seal(
                    Frame(header: header, body: .messageOp(operation)), with: channel)
            }
        }
    }

    /// Takes a sealed operation that came from a contact, and sends the row on to this fleet's devices.
    ///
    /// Returns what it did; a kind that may be skipped does nothing. Repeats and any order do no harm.
    /// - Throws: `WireError` for what does not open or decode; `GateError.rejected` for what a contact may not say,
    ///   and other `GateError`s. Nothing has changed then.
    @discardableResult
    public func receive(
        _ sealed: [UInt8], fromContact channel: ChannelKeys
    ) throws -> MergeOutcome {
        try take(sealed, fromContact: channel)?.outcome ?? .unchanged
    }

    /// Takes a sealed operation, and tells of which message of which namespace it was; `nil` for a kind that is skipped.
    func take(
        _ sealed: [UInt8], fromContact channel: ChannelKeys
    ) throws -> (namespace: NamespaceName, key: Key, outcome: MergeOutcome)? {
        try check(channel)
        guard let frame = try Frame.decode(Envelope.open(sealed, with: channel)) else { return nil }
        guard case .messageOp(let operation) = frame.body else {
            throw WireError(.unexpected, .channelKind)
        }
        let outcome = try write { try $0.receive(operation, fromContact: channel.contact) }
        return (operation.namespace, operation.row.key, outcome)
    }

    private func check(_ channel: ChannelKeys) throws(WireError) {
        guard channel.own == keys.fleet else {
            throw WireError(.unexpected, .channelFleetsDiffer)
        }
    }
}
