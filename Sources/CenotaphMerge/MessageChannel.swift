public import CenotaphWire

/// What two fleets that are each other's contacts tell one another of messages (Spec 06, "A contact's channel").
///
/// Pure: it knows rows and the two fleets, no keys and no transport.
public struct MessageChannel: Hashable, Sendable {
    /// This fleet.
    public let own: ID16
    /// The other one.
    public let contact: ID16

    /// Makes a channel, or `nil` between a fleet and itself.
    public init?(own: ID16, contact: ID16) {
        guard own != contact else { return nil }
        self.own = own
        self.contact = contact
    }

    /// The row to merge for an operation that came from the contact.
    /// - Throws: `unexpected` for what a contact may not say (Spec SYNC-032 to SYNC-034).
    public func accepting(_ row: MessageRow) throws(WireError) -> MessageRow {
        let isReceipt = row.key.isMessage(by: own) && row == receipt(row.key)
        let isTheirs =
            row.key.isMessage(by: contact) && row.scope != .me && !row.isDelivered
            && row.base?.direction != .outbound
        guard isReceipt || isTheirs else { throw WireError(.unexpected, .channelOperation) }
        return row
    }

    /// What the contact is told of a row of ours, or `nil` if it is no matter of the contact's (Spec SYNC-036).
    public func operation(for row: MessageRow) -> MessageRow? {
        if row.key.isMessage(by: contact), row.base?.direction == .inbound {
            return receipt(row.key)
        }
        guard row.key.isMessage(by: own), row.base?.direction != .inbound else { return nil }
        let base = row.base.map {
            MessageRow.Base(direction: .inbound, postedAt: $0.postedAt, body: $0.body)
        }
        if row.scope == .everyone {
            return MessageRow(key: row.key, base: base, scope: .everyone)
        }
        guard row.scope == .live || row.bodyToDeliver != nil else { return nil }
        return MessageRow(key: row.key, base: base, edit: row.edit)
    }

    private func receipt(_ key: Key) -> MessageRow? { MessageRow(key: key, isDelivered: true) }
}
