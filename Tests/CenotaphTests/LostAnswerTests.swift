import Cenotaph
import Synchronization
import Testing

/// A link that loses a frame in the middle, as a relay may, while both ends go on talking (Spec SYNC-051).
@Suite(.timeLimit(.minutes(10))) struct LostAnswerTests {
    private let keys = FleetKeys.generate()

    private func replica() throws -> Replica { try .inMemory(schema: testSchema, keys: keys) }

    /// A connection that loses one of the answers that come.
    private final class LosingConnection: Connection {
        private let inner: any Connection
        private let keys: FleetKeys
        private let left: Mutex<Int>

        init(_ inner: any Connection, losing number: Int, _ keys: FleetKeys) {
            self.inner = inner
            self.keys = keys
            left = Mutex(number)
        }

        var traffic: Traffic { inner.traffic }

        /// Frames, or an empty list at the end; a list of which everything is lost is no end.
        func receive() async throws -> [[UInt8]] {
            while true {
                let frames = try await inner.receive()
                let kept = try frames.filter { try !loses($0) }
                if frames.isEmpty || !kept.isEmpty { return kept }
            }
        }

        private func loses(_ sealed: [UInt8]) throws -> Bool {
            switch try Frame.decode(Envelope.open(sealed, with: keys))?.body {
            case .reconcileResponse, .sketchResponse:
                left.withLock { left in
                    left -= 1
                    return left == 0
                }
            default: false
            }
        }

        func send(_ frames: [[UInt8]]) async throws { try await inner.send(frames) }

        func close() { inner.close() }
    }

    private struct LosingTransport: Transport {
        let inner: SocketTransport
        let number: Int
        let keys: FleetKeys

        func connect() async throws -> any Connection {
            LosingConnection(try await inner.connect(), losing: number, keys)
        }
    }

    /// The peer's own frames, which come all the while, do not keep the lost request open.
    @Test(arguments: 1...4, [false, true])
    func aLostAnswerIsAskedForAgain(_ number: Int, _ isBulk: Bool) async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.fill(isBulk ? 300 : 20, size: 10_000)
        try await tablet.write { transaction in
            for number in 0..<(isBulk ? 300 : 20) {
                try transaction.put("notes", try Key("of the tablet \(number)"), [1])
            }
        }
        let server = try await RunningServer(phone) { $0.interval = .milliseconds(10) }
        let transport = LosingTransport(
            inner: SocketTransport(server.address), number: number, keys: keys)
        var peer = Peer(tablet, over: transport)
        peer.interval = .milliseconds(300)
        _ = try await peer.sync(timeout: .seconds(300))
        #expect(try await phone.roots() == tablet.roots())
        await server.stop()
    }
}
