import CenotaphWire
import TestSupport
import Testing

/// A key is its bytes, whether it keeps them in itself or not.
@Suite struct KeyTests {
    /// Lengths on both sides of those that a key treats apart, from few letters, so that many keys share a beginning
    /// and many end in zeros.
    private static func samples(_ generator: inout SeededGenerator) -> [[UInt8]] {
        [1, 2, 7, 8, 9, 16, 31, 32, 33, 39, 40, 41, 48, 100, 512].flatMap { length in
            (0..<12).map { number in
                var bytes = [UInt8](repeating: number < 6 ? 0 : 7, count: length)
                for _ in 0..<number % 3 {
                    let place = Int.random(in: 0..<length, using: &generator)
                    bytes[place] = UInt8.random(in: 0...1, using: &generator) * 255
                }
                return bytes
            }
        }
    }

    @Test func keysAreTheirBytes() throws {
        var generator = SeededGenerator("keysAreTheirBytes")
        let samples = Self.samples(&generator)
        for a in samples {
            let key = try Key(a)
            #expect(key.bytes == a)
            #expect(key.count == a.count)
            #expect(
                try decodeWhole(key.encoded()) { (reader) throws(WireError) in try reader.key() }
                    == key)
            for b in samples {
                let other = try Key(b)
                #expect((key == other) == (a == b))
                #expect((key < other) == a.lexicographicallyPrecedes(b))
                #expect((key.hashValue == other.hashValue) == (a == b))
                #expect(key.starts(with: b) == a.starts(with: b))
            }
        }
    }

    @Test func otherLengthsAreRefused() {
        for length in [0, 513, 100_000] {
            #expect(throws: WireError(.range, .bytesLength)) {
                try Key([UInt8](repeating: 1, count: length))
            }
        }
    }
}
