@testable import CenotaphRelay
import CenotaphWire
import TestSupport
import Testing

/// Windows, and that nobody's window depends on what another one says (Spec RELAY-016 to RELAY-021).
@Suite struct RelayFlowTests {
    @Test func theWindowIsKept() throws {
        let box = RelayBox()
        let (a, b, c) = (try box.enter(), try box.enter(), try box.enter())
        for client in [a, b, c] { _ = try client.hear() }
        let half = RelayBox.frame(size: RelayRecord.window / 2)
        a.send(half, to: 2)
        a.send(half, to: 2)
        a.send(half, to: 3)
        b.send(.taken(1, bytes: UInt32(half.count)))
        #expect(try a.hear().notices == [.taken(2, bytes: UInt32(half.count))])
        a.send(half, to: 2)
        // Taking more than is under way is taking all of it.
        b.send(.taken(1, bytes: .max))
        a.send(RelayBox.frame(size: Limits.maxSealed), to: 2)
        #expect(!a.isOver)
        a.send(RelayBox.frame(), to: 2)
        #expect(try a.hear().notices.last == .closing(.window))
        #expect(try c.hear().notices == [.departed(1)])
        box.check()
    }

    /// What was not under way for the relay is not passed on, so that a client's count stays the greater.
    @Test func takenIsPassedOnAsItCounted() throws {
        let box = RelayBox()
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        b.send(.taken(1, bytes: 7))
        b.send(.taken(2, bytes: 7))
        b.send(.taken(3, bytes: 7))
        #expect(try a.hear().records.isEmpty)
        #expect(try b.hear().records.isEmpty)
        a.send(RelayBox.frame(), to: 2)
        b.send(.taken(1, bytes: 300))
        b.send(.taken(1, bytes: 4_000_000_000))
        b.send(.taken(1, bytes: 1))
        #expect(try a.hear().notices == [.taken(2, bytes: 300), .taken(2, bytes: 5)])
        #expect(!b.isOver)
        box.check()
    }

    /// Sends as Spec RELAY-017 allows, over a pipe that brings its bytes to the relay when it likes.
    private struct Sender {
        let client: RelayBox.Client
        private var pipe: [RelayRecord] = []
        private var underWay: [UInt32: Int] = [:]
        private(set) var sent = 0

        init(_ client: RelayBox.Client) { self.client = client }

        mutating func send(_ size: Int, to number: UInt32) {
            let count = underWay[number, default: 0]
            guard RelayRecord.fits(size, underWay: count) else { return }
            underWay[number] = count + size
            pipe.append(RelayRecord(number: number, payload: RelayBox.frame(size: size)))
            sent += 1
        }

        mutating func flush(_ count: Int) {
            for record in pipe.prefix(count) { client.send(record.bytes) }
            pipe.removeFirst(min(count, pipe.count))
        }

        mutating func hear() throws {
            for case .taken(let number, let bytes) in try client.hear().notices {
                underWay[number] = max(0, underWay[number, default: 0] - Int(bytes))
            }
        }
    }

    /// One that lies in `taken` as it likes neither ends a sender that keeps to its window, nor stalls it for others.
    @Test(arguments: 1...4) func liesInTaken(_ seed: Int) throws {
        var random = SeededGenerator("taken \(seed)")
        let box = RelayBox { $0.records = .init(perSecond: 1_000_000, burst: 1_000_000) }
        var sender = Sender(try box.enter())
        let (liar, honest) = (try box.enter(), try box.enter())
        _ = (try liar.hear(), try honest.hear())
        var arrived = 0
        for _ in 0..<6_000 {
            box.now += 10
            switch Int.random(in: 0..<6, using: &random) {
            case 0: sender.send(.random(in: 305...262_144, using: &random), to: 2)
            case 1: sender.send(.random(in: 305...262_144, using: &random), to: 3)
            case 2: sender.flush(.random(in: 1...3, using: &random))
            case 3:
                let bytes: UInt32 =
                    [1, 300, 200_000, 4_000_000_000, .max]
                    .randomElement(using: &random) ?? 1
                liar.send(.taken(.random(in: 0...4, using: &random), bytes: bytes))
            case 4: try sender.hear()
            default:
                // What it reads in all: so the relay has no other reason to end it.
                _ = try liar.hear()
                for frame in try honest.hear().frames {
                    arrived += 1
                    honest.send(.taken(1, bytes: UInt32(frame.payload.count)))
                }
            }
        }
        #expect(!sender.client.isOver)
        #expect(box.relay.currentReport.ended.isEmpty)
        #expect(sender.sent > 200)
        #expect(arrived > 100)
        box.check()
    }
}
