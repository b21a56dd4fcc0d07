import CenotaphWire
import TestSupport
import Testing

/// A rejection's class, or `nil` where the bytes are taken.
func rejection<Value>(
    _ bytes: [UInt8], _ read: (inout WireReader) throws(WireError) -> Value
) -> ErrorClass? {
    do throws(WireError) {
        _ = try decodeWhole(bytes, .valueEnds, read)
        return nil
    } catch {
        return error.errorClass
    }
}

@Suite struct PrimitiveTests {
    /// Both sides of every change of size, and the ends.
    static let numbers: [UInt64] =
        [0, 1, 2, .max - 1, .max]
        + (1..<64).flatMap { bits -> [UInt64] in
            let power: UInt64 = 1 << UInt64(bits)
            return [power - 1, power, power + 1]
        }

    @Test func uvarintsAtEveryBoundary() throws {
        for number in Self.numbers {
            let bytes = WireWriter.filled(WireSize.uvarint(number)) { $0.uvarint(number) }
            let read = try decodeWhole(bytes) { (reader) throws(WireError) in try reader.uvarint() }
            guard read == number else {
                Issue.record("\(number) came back as \(read)")
                continue
            }
            for cut in 0..<bytes.count
            where rejection(Array(bytes[..<cut]), { (r) throws(WireError) in try r.uvarint() })
                != .truncated
            {
                Issue.record("\(number) cut to \(cut) bytes is not truncated")
            }
            guard bytes.count < 10 else { continue }
            // The same number with a last byte that adds nothing.
            var long = bytes
            long[long.count - 1] |= 0x80
            long.append(0)
            let outcome = rejection(long) { (reader) throws(WireError) in try reader.uvarint() }
            if outcome != .noncanonical {
                Issue.record("\(number) in one byte more: \(outcome as Any)")
            }
        }
    }

    @Test func uvarintsBeyondSixtyFourBits() {
        for last in UInt8(2)...255 {
            let bytes = [UInt8](repeating: 0xff, count: 9) + [last]
            let outcome = rejection(bytes) { (reader) throws(WireError) in try reader.uvarint() }
            if outcome != .range { Issue.record("a tenth byte \(last): \(outcome as Any)") }
        }
    }

    @Test func aCountThatNothingLimitsIsTruncated() {
        for number: UInt64 in [2, 1 << 62, 1 << 63, .max] {
            let bytes = WireWriter.filled(WireSize.uvarint(number) + 18) {
                $0.uvarint(number)
                $0.zeros(18)
            }
            let open = rejection(bytes) { (reader) throws(WireError) in try reader.count(size: 18) }
            #expect(open == .truncated)
            let closed = rejection(bytes) { (reader) throws(WireError) in
                try reader.count(limit: 1, size: 18)
            }
            #expect(closed == .range)
        }
    }

    @Test func byteStringsAtTheirLimits() {
        func outcome(_ length: Int, _ least: Int, _ most: Int) -> ErrorClass? {
            let bytes = WireWriter.filled(WireSize.uvarint(length) + length) {
                $0.byteString([UInt8](repeating: 7, count: length))
            }
            return rejection(bytes) { (reader) throws(WireError) in
                try reader.byteString(least, most)
            }
        }
        for (least, most) in [(0, 16), (1, 64), (1, 512), (0, Limits.maxBody)] {
            #expect(outcome(least, least, most) == nil)
            #expect(outcome(most, least, most) == nil)
            #expect(outcome(most + 1, least, most) == .range)
            if least > 0 { #expect(outcome(least - 1, least, most) == .range) }
        }
        // The limit is met before the end of the input (CONV-008).
        let claims = rejection([0x81, 0x04]) { (reader) throws(WireError) in
            try reader.byteString(1, 512)
        }
        #expect(claims == .range)
    }

    @Test func timesAndReplicasAtTheirLimits() {
        func stamp(_ time: UInt64, _ replica: ID16) -> ErrorClass? {
            let bytes = WireWriter.filled(24) {
                $0.u64(time)
                $0.id16(replica)
            }
            return rejection(bytes) { (reader) throws(WireError) in try reader.stamp() }
        }
        let one = ID16(high: 0, low: 1)
        #expect(stamp(1, one) == nil)
        #expect(stamp(Limits.maxTime, one) == nil)
        #expect(stamp(0, one) == .range)
        #expect(stamp(Limits.maxTime + 1, one) == .range)
        #expect(stamp(.max, one) == .range)
        #expect(stamp(1, .zero) == .range)
        #expect(stamp(1, ID16(high: 1 << 63, low: 0)) == nil)
    }

    @Test func vectorsKeepTheGreatestTimes() throws {
        var random = SeededGenerator("vectors")
        for _ in 0..<50 {
            var vector = VersionVector()
            var model: [ReplicaID: UInt64] = [:]
            for _ in 0..<random.below(60) {
                let id = ID16(high: 0, low: UInt64(random.below(20) + 1))
                guard let replica = ReplicaID(id) else { continue }
                let time = UInt64(random.below(100) + 1)
                let grows = time > model[replica] ?? 0
                guard vector.raise(replica, to: time) == grows else {
                    Issue.record("raise said the wrong thing")
                    return
                }
                if grows { model[replica] = time }
            }
            #expect(vector.entries.map(\.replica) == model.keys.sorted())
            #expect(vector.entries.allSatisfy { model[$0.replica] == $0.time })
            let again = try decodeWhole(vector.encoded()) { (reader) throws(WireError) in
                try VersionVector(from: &reader)
            }
            #expect(again == vector)
        }
    }

    @Test func keysCompareAsBytes() throws {
        let ascending: [[UInt8]] = [
            [0], [0, 0], [0, 1], [1], [0x41], [0x61], [0x7f], [0x80], [0xff], [0xff, 0],
        ]
        let keys = try ascending.map { bytes in try Key(bytes) }
        for (a, b) in zip(keys, keys.dropFirst()) { #expect(a < b) }
        #expect(throws: WireError(.range, .bytesLength)) { try Key([]) }
        #expect(throws: WireError(.range, .bytesLength)) {
            try Key([UInt8](repeating: 1, count: 513))
        }
        #expect(try Key([UInt8](repeating: 1, count: 512)).bytes.count == 512)
    }

    @Test func hexadecimalBothWays() {
        var random = SeededGenerator("hex")
        for count in 0..<40 {
            let bytes = random.bytes(count)
            #expect(Hex.bytes(Hex.string(bytes)) == bytes)
        }
        #expect(Hex.bytes("0") == nil)
        #expect(Hex.bytes("0g") == nil)
        #expect(Hex.bytes("Ff") == [255])
        #expect(Hex.readable([0x61, 0x0a]) == "0x610a")
        #expect(Hex.readable(Array("ab".utf8)) == "ab")
    }
}
