public import CenotaphWire

/// The keys of a channel to a contact's fleet, one pair a direction (Spec 05, "Channels").
///
/// They have nothing to do with the fleet's own keys: whoever has them is a contact, no member.
public final class ChannelKeys: Sendable {
    /// This fleet.
    public let own: ID16
    /// The contact's.
    public let contact: ID16
    /// The name under which the devices of both fleets meet on a relay (Spec RELAY-002).
    public let relayRoom: ID16
    let outgoing: BoxKey
    let incoming: BoxKey

    /// Takes the 32 bytes that both fleets hold.
    /// - Throws: `duplicate` between a fleet and itself (Spec SEAL-042).
    public init(
        _ channelKey: consuming SecretKey, own: ID16, contact: ID16
    ) throws(WireError) {
        guard own != contact else { throw WireError(.duplicate, .channelFleetsDiffer) }
        self.own = own
        self.contact = contact
        let fleets = min(own, contact).encoded() + max(own, contact).encoded()
        relayRoom = channelKey.hash(Array("cenotaph/1 relay channel".utf8) + fleets).tag
        outgoing = ChannelKeys.boxKey(channelKey, from: own, to: contact)
        incoming = ChannelKeys.boxKey(channelKey, from: contact, to: own)
    }

    /// The keys of one direction (Spec SEAL-040, SEAL-041).
    private static func boxKey(
        _ channelKey: borrowing SecretKey, from sender: ID16, to receiver: ID16
    ) -> BoxKey {
        let context =
            Array("cenotaph/1 channel key id".utf8) + sender.encoded() + receiver.encoded()
        return BoxKey(
            channelKey, id: KeyID(channelKey.hash(context).w0),
            domain: "cenotaph/1 channel box")
    }

    /// The name of the key that seals what goes out.
    public var outgoingID: KeyID { outgoing.id }

    /// The derived box key of what goes out, which only the conformance checker may see.
    package var outgoingBoxKeyForVectors: [UInt8] { outgoing.bytesForVectors }
}
