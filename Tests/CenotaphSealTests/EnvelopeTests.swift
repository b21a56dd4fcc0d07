import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    /// SEAL-008 in its own words, with floating logarithms replaced by counting.
    static func padme(_ length: Int) -> Int {
        let n = max(256, length + 1)
        func log2(_ number: Int) -> Int {
            var result = 0
            while 1 << (result + 1) <= number { result += 1 }
            return result
        }
        let e = log2(n)
        let step = 1 << (e - (log2(e) + 1))
        return (n + step - 1) / step * step
    }

    @Test func paddedSizesAreThoseOfTheText() {
        let table = [
            (0, 256), (255, 256), (256, 272), (300, 304), (1_000, 1_024), (65_000, 65_536),
            (1_048_575, 1_048_576),
        ]
        for (length, padded) in table { #expect(Envelope.paddedSize(length) == padded) }
        for length in Array(0...9_000) + [65_535, 65_536, 131_071, 524_287, 524_288, 1_048_574] {
            guard Envelope.paddedSize(length) == Self.padme(length) else {
                Issue.record("\(length): \(Envelope.paddedSize(length))")
                return
            }
            if Envelope.paddedSize(length) <= length { Issue.record("\(length) has no room") }
        }
    }

    @Test func everySizeAroundAStepComesBack() throws {
        let keys = try Samples.keys(32)
        var lengths = [0, 1, 2, 254, 255, 256, 257, 1_048_574, 1_048_575]
        for length in 256..<2_400 where Envelope.paddedSize(length) == length + 1 {
            lengths += [length - 1, length, length + 1]
        }
        for length in lengths {
            var frame = [UInt8](repeating: 0x80, count: length)
            if length > 1 { frame[length - 1] = 0 }
            let sealed = try Envelope.seal(Raw(bytes: frame), with: keys)
            #expect(sealed.count == Envelope.paddedSize(length) + Limits.envelopeOverhead)
            #expect(try Envelope.open(sealed, with: keys) == frame)
        }
    }

    @Test func aFrameThatCannotBePaddedIsTooLarge() throws {
        let keys = try Samples.keys(32)
        let frame = Raw(bytes: [UInt8](repeating: 1, count: Limits.maxFrame + 1))
        #expect(throws: WireError(.tooLarge, .plaintextLimit)) {
            try Envelope.seal(frame, with: keys)
        }
        let long = [UInt8](repeating: 1, count: Limits.maxSealed + 1)
        #expect(Samples.outcome(long, keys) == .tooLarge)
    }

    @Test func noncesDiffer() throws {
        let keys = try Samples.keys(32)
        var nonces: Set<[UInt8]> = []
        for _ in 0..<200 {
            let sealed = try Envelope.seal(Raw(bytes: [1]), with: keys)
            nonces.insert(try EnvelopeHeader(of: sealed).nonce)
        }
        #expect(nonces.count == 200)
    }

    @Test func everyKeyOfTheFleetOpensAndTheNewestSeals() throws {
        let old = try Samples.keys(32)
        let both = try Samples.keys(96, 32)
        let sealedOld = try Envelope.seal(Raw(bytes: [7]), with: old)
        #expect(try Envelope.open(sealedOld, with: both) == [7])
        let sealedNew = try Envelope.seal(Raw(bytes: [7]), with: both)
        #expect(try EnvelopeHeader(of: sealedNew).keyID == both.sealKeys[0].id)
        #expect(Samples.outcome(sealedNew, old) == .auth)
    }

    @Test func theOrderOfChecksIsThatOfTheText() throws {
        let keys = try Samples.keys(32)
        #expect(Samples.outcome([], keys) == .truncated)
        #expect(Samples.outcome([2], keys) == .version)
        #expect(Samples.outcome([1], keys) == .truncated)
        let unknown = [1] + [UInt8](repeating: 0, count: Limits.minSealed - 2)
        #expect(Samples.outcome(unknown, keys) == .truncated)
        #expect(Samples.outcome(unknown + [0], keys) == .auth)
        let long = [2] + [UInt8](repeating: 0, count: Limits.maxSealed)
        #expect(Samples.outcome(long, keys) == .version)
    }

    @Test func onlyTheRightPaddingIsTaken() throws {
        let keys = try Samples.keys(32)
        func outcome(_ plaintext: [UInt8]) -> ErrorClass? {
            let sealed = Envelope.seal(
                plaintext: plaintext, with: keys.sealKey, nonce: Samples.nonce)
            return Samples.outcome(sealed, keys)
        }
        func padded(_ frame: [UInt8], to size: Int) -> [UInt8] {
            frame + [0x80] + [UInt8](repeating: 0, count: size - frame.count - 1)
        }
        #expect(outcome(padded([1, 2], to: 256)) == nil)
        #expect(outcome(padded([1, 2], to: 272)) == .sealFormat)
        #expect(outcome([UInt8](repeating: 0, count: 256)) == .sealFormat)
        #expect(outcome([UInt8](repeating: 0xff, count: 256)) == .sealFormat)
        #expect(outcome(padded([UInt8](repeating: 3, count: 255), to: 256)) == nil)
        #expect(outcome(padded([UInt8](repeating: 3, count: 256), to: 257)) == .sealFormat)
        #expect(outcome(padded([UInt8](repeating: 3, count: 256), to: 272)) == nil)
    }
}
