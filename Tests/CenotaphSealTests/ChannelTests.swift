import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

/// The envelopes of a contact's channel open on the other side, and nowhere else.
@Suite struct ChannelTests {
    let contact = ID16(high: 0xffee_ddcc_bbaa_9988, low: 0x7766_5544_3322_1100)
    let frame = Raw(bytes: Array("anything".utf8))

    func ends(_ first: UInt8 = 32) throws -> (here: ChannelKeys, there: ChannelKeys) {
        (
            try ChannelKeys(try Samples.secret(first), own: Samples.fleet, contact: contact),
            try ChannelKeys(try Samples.secret(first), own: contact, contact: Samples.fleet)
        )
    }

    func outcome(_ sealed: [UInt8], _ keys: ChannelKeys) -> ErrorClass? {
        do throws(WireError) {
            _ = try Envelope.open(sealed, with: keys)
            return nil
        } catch {
            return error.errorClass
        }
    }

    @Test func opensOnTheOtherSideOnly() throws {
        let (here, there) = try ends()
        let sealed = try Envelope.seal(frame, with: here)
        #expect(try Envelope.open(sealed, with: there) == frame.bytes)
        #expect(outcome(sealed, here) == .auth, "what was sent cannot be played back")
        #expect(outcome(sealed, try ends(64).there) == .auth)
        #expect(outcome(try Envelope.seal(frame, with: there), here) == nil)
    }

    @Test func fleetAndChannelAreApartEvenUnderOneSecret() throws {
        let (here, there) = try ends()
        let fleet = try Samples.keys(32)
        #expect(Samples.outcome(try Envelope.seal(frame, with: here), fleet) == .auth)
        #expect(outcome(try Envelope.seal(frame, with: fleet), there) == .auth)
        #expect(here.outgoingID != there.outgoingID)
        #expect(fleet.sealKey.id != here.outgoingID)
    }

    @Test func everyBitCounts() throws {
        let (here, there) = try ends()
        let sealed = try Envelope.seal(frame, with: here)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if outcome(changed, there) == nil { Issue.record("bit \(bit) does not count") }
        }
        for end in sealed.indices where outcome(Array(sealed[..<end]), there) == nil {
            Issue.record("\(end) bytes open")
        }
    }

    @Test func noChannelToOneself() throws {
        let secret = try Samples.secret(1)
        do throws(WireError) {
            _ = try ChannelKeys(secret, own: contact, contact: contact)
            Issue.record("a channel to oneself")
        } catch {
            #expect(error == WireError(.duplicate, .channelFleetsDiffer))
        }
    }
}
