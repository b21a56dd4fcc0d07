import CenotaphWire
import TestSupport
import Testing

/// Every golden frame, its every truncation and its every flipped bit.
@Suite struct FrameTests {
    /// Frames above this size are tested at a sample of their bits; those up to it completely.
    static let complete = 4_096

    /// What decoding came to.
    enum Outcome: Equatable {
        case rejected(WireError)
        case skipped
        case accepted(Frame)

        init(_ bytes: [UInt8]) {
            do throws(WireError) {
                self = try Frame.decode(bytes).map { .accepted($0) } ?? .skipped
            } catch {
                self = .rejected(error)
            }
        }
    }

    @Test func thereAreGoldenFramesOfEveryDescribedKind() {
        let kinds = Set(Vectors.goldenFrames.compactMap { $0.out?["kind"] })
        #expect(kinds == Set(FrameKind.allCases.filter(\.isDescribed).map(\.name)))
    }

    @Test func encodingAGoldenFrameGivesItsBytes() {
        for golden in Vectors.goldenFrames {
            let bytes = golden.bytes("bytes")
            guard case .accepted(let frame) = Outcome(bytes) else {
                Issue.record("\(golden.id) is not accepted")
                continue
            }
            if frame.encoded() != bytes { Issue.record("\(golden.id) is encoded in another way") }
            if frame.wireSize != bytes.count { Issue.record("\(golden.id): wireSize") }
        }
    }

    @Test func everyRejectedFrameIsRejectedWithItsClass() {
        for bad in Vectors.cases("frame.decode") {
            guard let reject = bad.reject else { continue }
            guard case .rejected(let error) = Outcome(bad.bytes("bytes")) else {
                Issue.record("\(bad.id) is not rejected")
                continue
            }
            if error.errorClass.name != reject.class { Issue.record("\(bad.id): \(error)") }
            if error.offset < 0 || error.offset > bad.bytes("bytes").count {
                Issue.record("\(bad.id): offset \(error.offset)")
            }
        }
    }

    @Test func everyTruncationOfAGoldenFrameIsRejected() {
        for golden in Vectors.goldenFrames {
            let bytes = golden.bytes("bytes")
            for cut in 0..<bytes.count {
                guard case .rejected = Outcome(Array(bytes[..<cut])) else {
                    Issue.record("\(golden.id) cut to \(cut) bytes is taken")
                    continue
                }
            }
        }
    }

    @Test func aByteAfterAGoldenFrameIsTrailing() {
        for golden in Vectors.goldenFrames {
            for extra: UInt8 in [0, 1, 0x80, 0xff] {
                let outcome = Outcome(golden.bytes("bytes") + [extra])
                guard case .rejected(let error) = outcome, error.errorClass == .trailing else {
                    Issue.record("\(golden.id) with \(extra): \(outcome)")
                    continue
                }
            }
        }
    }

    /// Complete for frames up to 4 KiB; of larger ones every 17th bit, from a random first one on.
    @Test func everyFlippedBitIsRejectedOrCanonical() {
        var random = SeededGenerator("frame bits")
        var flips = 0
        for golden in Vectors.goldenFrames {
            var bytes = golden.bytes("bytes")
            let isWhole = bytes.count <= Self.complete
            let first = isWhole ? 0 : random.below(17)
            for bit in stride(from: first, to: bytes.count * 8, by: isWhole ? 1 : 17) {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                defer { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
                flips += 1
                switch Outcome(bytes) {
                case .rejected: break
                case .accepted(let frame):
                    if frame.encoded() != bytes {
                        Issue.record("\(golden.id), bit \(bit): a second spelling is taken")
                    }
                case .skipped:
                    // The high bit of the kind makes a frame that may be skipped; no other bit does.
                    if bit != 7 { Issue.record("\(golden.id), bit \(bit): skipped") }
                }
            }
        }
        #expect(flips > 100_000)
    }

    @Test func aSkippableKindIsSkippedWhateverFollows() {
        var random = SeededGenerator("skip")
        for kind in UInt8(0x80)...0xff {
            for count in [0, 1, 15, 48, 49, 200] {
                let outcome = Outcome([kind] + random.bytes(count))
                if outcome != .skipped { Issue.record("kind \(kind), \(count) bytes: \(outcome)") }
            }
        }
    }

    @Test func anUnknownOrReservedKindIsRejectedBeforeAnythingElse() {
        for kind in UInt8(0)..<0x80 where FrameKind(rawValue: kind)?.isDescribed != true {
            #expect(Outcome([kind]) == .rejected(WireError(.type, .kindKnown)))
        }
    }

    /// CONV-005: of an item only the key is ordered, so its order is met where the key ends.
    @Test func theOrderOfAnItemIsMetBeforeItsTag() throws {
        let sender = try #require(ReplicaID(ID16(high: 1, low: 1)))
        var list = RangeList()
        list.append(
            .all, .items([RangeItem(key: "a", tag: .zero), RangeItem(key: "bbb", tag: .zero)]))
        let request = ReconcileRequest(request: 1, namespace: "n", set: .live, ranges: list)
        let frame = Frame(header: FrameHeader(sender: sender), body: .reconcileRequest(request))
        var bytes = frame.encoded()
        let second = bytes.count - 20
        bytes[second + 1] = UInt8(ascii: "A")
        bytes.removeLast()
        #expect(Outcome(bytes) == .rejected(WireError(.order, .listAscends, at: second)))
    }
}
