import CenotaphWire
import TestSupport
import Testing

/// Bytes from nowhere and mutated frames: nothing traps, what is taken is canonical, and a dump keeps up.
@Suite struct RandomBytesTests {
    /// Checks one input; `nil` if all is well.
    static func problem(_ bytes: [UInt8]) -> String? {
        let dump = ByteDump(frame: bytes)
        guard dump.entries.count <= 2 * bytes.count + 8 else { return "a dump without bound" }
        var end = 0
        for entry in dump.entries {
            guard entry.offset == end else { return "a gap before \(entry.path)" }
            end += entry.length
        }
        guard end <= bytes.count else { return "a dump beyond the input" }
        switch FrameTests.Outcome(bytes) {
        case .skipped: return dump.error == nil && end == bytes.count ? nil : "a skip cut short"
        case .accepted(let frame):
            guard dump.error == nil, end == bytes.count else { return "a dump that stops: \(dump)" }
            return frame.encoded() == bytes ? nil : "a second spelling"
        case .rejected(let error):
            guard let stop = dump.error else { return nil }
            guard stop.offset >= error.offset else {
                return "the dump stopped early: \(stop), \(error)"
            }
            // The use of the table, and where cells end, are judged only by the decoder.
            let isSame = stop.offset != error.offset || stop.errorClass == error.errorClass
            return isSame || error.rule == .tableUsed || error.rule == .sketchCells
                ? nil : "the dump names \(stop), the decoder \(error)"
        }
    }

    @Test func bytesFromNowhere() {
        var random = SeededGenerator("nowhere")
        for round in 0..<20_000 {
            var bytes = random.bytes(random.below(160))
            if round % 8 != 0, !bytes.isEmpty { bytes[0] = UInt8(1 + random.below(7)) }
            // Small bytes make short lengths and counts, which lead deeper.
            if round % 2 == 0, bytes.count > 49 {
                for index in 49..<bytes.count where random.below(4) != 0 { bytes[index] &= 3 }
            }
            if let problem = Self.problem(bytes) {
                Issue.record("\(Hex.string(bytes)): \(problem)")
                return
            }
        }
    }

    @Test func mutatedGoldenFrames() {
        var random = SeededGenerator("mutations")
        let frames = Vectors.goldenFrames.map { $0.bytes("bytes") }.filter { $0.count < 1_200 }
        for _ in 0..<12_000 {
            var bytes = frames[random.below(frames.count)]
            for _ in 0...random.below(3) { Self.mutate(&bytes, &random) }
            if let problem = Self.problem(bytes) {
                Issue.record("\(Hex.string(bytes)): \(problem)")
                return
            }
        }
    }

    static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard bytes.count > 1 else { return }
        let at = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        case 3: bytes.removeLast(random.below(bytes.count))
        case 4:
            bytes.replaceSubrange(
                at..<at + 1, with: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1])
        default:
            let end = min(bytes.count, at + 1 + random.below(40))
            bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count))
        }
    }

    @Test func contentsFromNowhere() {
        var random = SeededGenerator("contents")
        let golden = Vectors.all.compactMap { $0.out?["content"] }.map(Vectors.bytes)
            .filter { $0.count < 400 }
        for _ in 0..<6_000 {
            var bytes = golden[random.below(golden.count)]
            for _ in 0...random.below(2) { Self.mutate(&bytes, &random) }
            for type in RowType.allCases {
                guard let row = try? Row(type: type, content: bytes) else { continue }
                if row.encoded() != bytes {
                    Issue.record("\(Hex.string(bytes)): a second spelling")
                    return
                }
            }
        }
    }

    /// Every golden content: all truncations and all bits, as frames.
    @Test func everyFlippedBitOfAGoldenContentIsRejectedOrCanonical() {
        let types: [String: RowType] = [
            "leaf.event": .logEvents, "leaf.marker": .logMarker, "leaf.causal": .causal,
        ]
        for golden in Vectors.all {
            guard let type = types[golden.op], let hex = golden.out?["content"] else { continue }
            var bytes = Vectors.bytes(hex)
            guard bytes.count <= FrameTests.complete else { continue }
            for cut in 0..<bytes.count
            where (try? Row(type: type, content: Array(bytes[..<cut]))) != nil {
                Issue.record("\(golden.id) cut to \(cut) bytes is taken")
            }
            for bit in 0..<bytes.count * 8 {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                if let row = try? Row(type: type, content: bytes), row.encoded() != bytes {
                    Issue.record("\(golden.id), bit \(bit): a second spelling is taken")
                }
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
        }
    }

    @Test func aContentOverItsLimitIsTooLarge() {
        let body = [UInt8](repeating: 0, count: Limits.maxRowContent + 1)
        for type in RowType.allCases {
            #expect(throws: WireError(.tooLarge, .contentLimit)) {
                try Row(type: type, content: body)
            }
        }
    }
}
