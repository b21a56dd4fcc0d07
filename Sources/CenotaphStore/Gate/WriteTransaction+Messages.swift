public import CenotaphMerge
internal import CenotaphSeal
public import CenotaphWire

/// Local writes under `messages`, and what a contact says (Spec 07, "messages"; Spec 06, "A contact's channel").
///
/// A key is the author's fleet id and a message id; own messages carry this fleet's (`ReadTransaction.ownMessage`).
extension WriteTransaction {
    /// Posts a message of this fleet (Spec MERGE-036).
    ///
    /// Posting the same body under the same key again changes nothing. Returns whether the message is new.
    /// O(log n).
    /// - Throws: `refused` for another author's key, a key that has a message or a piece of one, a limit, another
    ///   policy; `store`.
    @discardableResult
    public func post(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8]
    ) throws(GateError) -> Bool {
        try check(body)
        try checkAuthor(key)
        if let held = try message(name, key) {
            if held.scope == .live, held.edit == nil, held.base?.body == body { return false }
            throw .refused(.messageExists(key))
        }
        let base = MessageRow.Base(
            direction: .outbound, postedAt: try nextStamp().time, body: body)
        return try write(name, MessageRow(key: key, base: base), over: nil)
    }

    /// Edits a message of this fleet, with a random name for the edit (Spec MERGE-037).
    ///
    /// O(log n).
    /// - Throws: `refused` for another author's key, an unknown or deleted message, a limit, another policy; `store`.
    public func edit(_ name: NamespaceName, _ key: Key, _ body: [UInt8]) throws(GateError) {
        var random = SystemRandomNumberGenerator()
        try edit(name, key, body, using: &random)
    }

    /// Edits a message of this fleet; the edit's name comes from `random` (Spec MERGE-037).
    ///
    /// O(log n).
    /// - Throws: `refused` for another author's key, an unknown or deleted message, a limit, another policy; `store`.
    public func edit(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8],
        using random: inout some RandomNumberGenerator
    ) throws(GateError) {
        try check(body)
        try checkAuthor(key)
        let held = try message(name, key)
        if let held, held.scope != .live { throw .refused(.messageDeleted(key)) }
        guard let held, held.base != nil else { throw .refused(.messageUnknown(key)) }
        let edit = MessageRow.Edit(
            editedAt: try nextStamp(above: held.lastTime).time, opID: ID16.random(using: &random),
            body: body)
        try write(name, MessageRow(key: key, edit: edit), over: held)
    }

    /// Deletes a message, known or not, on this fleet's devices (Spec MERGE-038).
    ///
    /// A message of this fleet that has still to be delivered keeps its body, unseen, until it is. Returns whether
    /// it was not deleted before. O(log n).
    /// - Throws: `refused` for a key that names no author, another policy; `store`.
    @discardableResult
    public func deleteForMe(_ name: NamespaceName, _ key: Key) throws(GateError) -> Bool {
        try write(name, MessageRow(key: key, scope: .me), over: try message(name, key), key)
    }

    /// Deletes a message of this fleet, known or not, for everyone: no edit brings it back, and it is not delivered
    /// any more (Spec MERGE-039).
    ///
    /// Returns whether it was not deleted so before. O(log n).
    /// - Throws: `refused` for another author's key, another policy; `store`.
    @discardableResult
    public func deleteForEveryone(_ name: NamespaceName, _ key: Key) throws(GateError) -> Bool {
        try checkAuthor(key)
        return try write(
            name, MessageRow(key: key, scope: .everyone), over: try message(name, key), key)
    }

    /// Ends the duty to deliver a message of this fleet (Spec MERGE-040).
    ///
    /// Returns whether there was one. O(log n).
    /// - Throws: `refused` for another author's key, an unknown message, another policy; `store`.
    @discardableResult
    public func markDelivered(_ name: NamespaceName, _ key: Key) throws(GateError) -> Bool {
        try checkAuthor(key)
        let held = try message(name, key)
        guard let held, held.base != nil else { throw .refused(.messageUnknown(key)) }
        return try write(name, MessageRow(key: key, isDelivered: true), over: held)
    }

    /// Merges what a contact says of a message, known or not (Spec SYNC-031 to SYNC-035).
    ///
    /// `contact` is the fleet whose channel the operation came over. O(log n).
    /// - Throws: `rejected` for what a contact may not say, and then nothing has changed; `store`.
    @discardableResult
    public func receive(
        _ operation: MessageOp, fromContact contact: ID16
    ) throws(GateError) -> MergeOutcome {
        guard policy(of: operation.namespace) == .messages else {
            throw .rejected(WireError(.unexpected, .channelNamespace))
        }
        guard let channel = MessageChannel(own: gate.keys.fleet, contact: contact) else {
            throw .rejected(WireError(.unexpected, .channelFleetsDiffer))
        }
        let row: MessageRow
        do {
            row = try channel.accepting(operation.row)
        } catch {
            throw .rejected(error)
        }
        let outcome = try merge(operation.namespace, .message(row))
        if outcome == .changed, let whole = try message(operation.namespace, row.key) {
            localRows.append((operation.namespace, .message(whole)))
        }
        return outcome
    }

    // MARK: What they share

    private func checkAuthor(_ key: Key) throws(GateError) {
        guard key.isMessage(by: gate.keys.fleet) else { throw .refused(.notAuthor(key)) }
    }

    private func write(
        _ name: NamespaceName, _ piece: MessageRow?, over held: MessageRow?, _ key: Key
    ) throws(GateError) -> Bool {
        guard let piece else { throw .refused(.notAuthor(key)) }
        return try write(name, piece, over: held)
    }

    /// Writes the state that a piece makes of what is held, unless it makes nothing new (Spec MERGE-041).
    @discardableResult
    private func write(
        _ name: NamespaceName, _ piece: MessageRow?, over held: MessageRow?
    ) throws(GateError) -> Bool {
        guard let piece else { return false }
        let whole = held?.merged(with: piece) ?? piece
        guard whole != held else { return false }
        if piece.base == nil, piece.edit == nil { _ = try nextStamp() }
        try writeLocally(name, .message(whole))
        return true
    }
}
