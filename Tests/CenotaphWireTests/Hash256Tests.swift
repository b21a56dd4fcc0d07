import CenotaphWire
import TestSupport
import Testing

/// Addition and subtraction modulo 2^256 against schoolbook arithmetic on bytes.
@Suite struct Hash256Tests {
    static func hash(_ bytes: [UInt8]) throws(WireError) -> Hash256 {
        try decodeWhole(bytes) { (reader) throws(WireError) in try reader.hash() }
    }

    static func add(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var sum = a
        var carry = 0
        for index in a.indices.reversed() {
            let digit = Int(a[index]) + Int(b[index]) + carry
            sum[index] = UInt8(digit & 255)
            carry = digit >> 8
        }
        return sum
    }

    static func subtract(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var difference = a
        var borrow = 0
        for index in a.indices.reversed() {
            let digit = Int(a[index]) - Int(b[index]) - borrow
            difference[index] = UInt8(digit & 255)
            borrow = digit < 0 ? 1 : 0
        }
        return difference
    }

    /// Numbers whose carries run through whole words, and random ones.
    static let samples: [[UInt8]] = {
        var random = SeededGenerator("hash256")
        var samples = [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32)]
        for bit in stride(from: 0, to: 256, by: 8) {
            var one = [UInt8](repeating: 0, count: 32)
            one[31 - bit / 8] = 1
            samples.append(one)
            var ones = [UInt8](repeating: 0, count: 32)
            for index in (31 - bit / 8)...31 { ones[index] = 255 }
            samples.append(ones)
        }
        for _ in 0..<40 { samples.append(random.bytes(32)) }
        return samples
    }()

    @Test func sumsAndDifferencesAgreeWithSchoolbookArithmetic() throws {
        for a in Self.samples {
            for b in Self.samples {
                let (x, y) = (try Self.hash(a), try Self.hash(b))
                guard (x &+ y).encoded() == Self.add(a, b),
                    (x &- y).encoded() == Self.subtract(a, b),
                    x &+ y &- y == x, x &+ y == y &+ x
                else {
                    Issue.record("\(x) and \(y)")
                    return
                }
            }
        }
    }

    @Test func theTagIsTheFirstHalf() throws {
        for bytes in Self.samples {
            #expect(try Self.hash(bytes).tag.encoded() == Array(bytes[..<16]))
        }
    }
}
