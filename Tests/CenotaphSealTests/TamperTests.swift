import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

/// No truncation and no flipped bit of a sealed frame opens: all of them, for every frame there is.
@Suite struct TamperTests {
    /// Every truncation and every bit of one sealed frame.
    ///
    /// O(bytes * bits).
    static func check(_ name: String, _ bytes: [UInt8], _ keys: FleetKeys) {
        var sealed = bytes
        guard Samples.outcome(sealed, keys) == nil else {
            Issue.record("\(name) does not open")
            return
        }
        for bit in 0..<sealed.count * 8 {
            sealed[bit / 8] ^= 1 << UInt8(bit % 8)
            let outcome = Samples.outcome(sealed, keys)
            if outcome != (bit < 8 ? .version : .auth) {
                Issue.record("\(name), bit \(bit): \(outcome as Any)")
            }
            sealed[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        while !sealed.isEmpty {
            sealed.removeLast()
            let outcome = Samples.outcome(sealed, keys)
            if outcome != (sealed.count < Limits.minSealed ? .truncated : .auth) {
                Issue.record("\(name) cut to \(sealed.count) bytes: \(outcome as Any)")
            }
        }
    }

    @Test func everyGoldenFrameSealedWithAFixedKeyAndNonce() throws {
        let keys = try Samples.keys(32)
        for golden in Vectors.goldenFrames {
            let frame = golden.bytes("bytes")
            let sealed = try Envelope.seal(
                Raw(bytes: frame), with: keys.sealKey, nonce: Samples.nonce)
            #expect(try Envelope.open(sealed, with: keys) == frame)
            Self.check(golden.id, sealed, keys)
        }
    }

    @Test func everySealedVector() throws {
        for golden in Vectors.cases("seal.open") where golden.out != nil {
            let fleet = try decodeWhole(golden.bytes("fleet")) { (reader) throws(WireError) in
                try reader.id16()
            }
            guard let secret = SecretKey(copying: golden.bytes("sealKey")) else { continue }
            let keys = try FleetKeys(
                fleet: fleet, digestKey: .random(), sealKeys: [SealKey(secret, fleet: fleet)])
            Self.check(golden.id, golden.bytes("bytes"), keys)
        }
    }

    @Test func bytesFromNowhereDoNotOpen() throws {
        let keys = try Samples.keys(32)
        let header = [UInt8(1)] + keys.sealKey.id.encoded()
        var random = SeededGenerator("sealed")
        for round in 0..<2_000 {
            var bytes = random.bytes(random.below(700))
            if round % 2 == 0, bytes.count > header.count {
                bytes.replaceSubrange(0..<header.count, with: header)
            }
            if Samples.outcome(bytes, keys) == nil { Issue.record("\(Hex.string(bytes)) opens") }
        }
    }
}
