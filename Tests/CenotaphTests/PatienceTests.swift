import Cenotaph
import Testing

/// A peer that falls silent, or that takes nothing, is cut, and nobody else notices.
@Suite(.timeLimit(.minutes(10))) struct PatienceTests {
    private let keys = FleetKeys.generate()

    private func replica() throws -> Replica { try .inMemory(schema: testSchema, keys: keys) }

    /// A connection whose one direction comes to a stop after some calls, with no word from the system.
    private final class HaltingConnection: Connection {
        private let inner: any Connection
        private let receives: Allowance
        private let sends: Allowance

        init(_ inner: any Connection, receives: Int, sends: Int) {
            self.inner = inner
            self.receives = Allowance(receives)
            self.sends = Allowance(sends)
        }

        var traffic: Traffic { inner.traffic }

        func receive() async throws -> [[UInt8]] {
            guard await receives.takeOne() else { return try await Self.forever() }
            return try await inner.receive()
        }

        func send(_ frames: [[UInt8]]) async throws {
            guard await sends.takeOne() else { return try await Self.forever() }
            try await inner.send(frames)
        }

        func close() { inner.close() }

        private static func forever<Value>() async throws -> Value {
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
    }

    /// Calls that are left.
    private actor Allowance {
        private var left: Int
        init(_ left: Int) { self.left = left }

        func takeOne() -> Bool {
            left -= 1
            return left >= 0
        }
    }

    private struct HaltingTransport: Transport {
        let inner: SocketTransport
        var receives = Int.max
        var sends = Int.max

        func connect() async throws -> any Connection {
            HaltingConnection(try await inner.connect(), receives: receives, sends: sends)
        }
    }

    /// What `Peer.run` reports first.
    private func firstFailure(
        _ transport: HaltingTransport, _ replica: Replica
    ) async -> PeerError? {
        var peer = Peer(replica, over: transport)
        peer.interval = .milliseconds(20)
        peer.patience = .milliseconds(200)
        let (failures, failure) = AsyncStream.makeStream(of: PeerError.self)
        peer.onFailure = { failure.yield($0) }
        let running = Task { [peer] in try await peer.run() }
        defer { running.cancel() }
        for await error in failures { return error }
        return nil
    }

    @Test(arguments: [1, 2, 5]) func aPeerThatFallsSilent(_ receives: Int) async throws {
        let (hub, tablet, other) = (try replica(), try replica(), try replica())
        try await hub.fill(20, size: 100)
        let server = try await RunningServer(hub) { $0.interval = .milliseconds(20) }
        let transport = HaltingTransport(
            inner: SocketTransport(server.address), receives: receives)
        #expect(await firstFailure(transport, tablet) == .silent)
        #expect(try await tablet.isSound())
        _ = try await Peer(other, over: server.address).sync(timeout: .seconds(30))
        #expect(try await other.roots() == hub.roots())
        await server.stop()
    }

    @Test func aPeerThatTakesNothing() async throws {
        let (hub, tablet) = (try replica(), try replica())
        let server = try await RunningServer(hub) { $0.interval = .milliseconds(20) }
        let transport = HaltingTransport(inner: SocketTransport(server.address), sends: 1)
        #expect(await firstFailure(transport, tablet) == .stalled)
        await server.stop()
    }

    /// The server's side of the same, and it tells why.
    @Test func aClientThatFallsSilent() async throws {
        let (hub, tablet, other) = (try replica(), try replica(), try replica())
        try await hub.fill(20, size: 100)
        let (failures, failure) = AsyncStream.makeStream(of: PeerError.self)
        let server = try await RunningServer(hub) {
            $0.interval = .milliseconds(20)
            $0.patience = .milliseconds(200)
            $0.onFailure = { failure.yield($0) }
        }
        var peer = Peer(
            tablet, over: HaltingTransport(inner: SocketTransport(server.address), sends: 3))
        peer.interval = .milliseconds(20)
        let running = Task { [peer] in try await peer.run() }
        var reported = failures.makeAsyncIterator()
        #expect(await reported.next() == .silent)
        running.cancel()
        _ = try await Peer(other, over: server.address).sync(timeout: .seconds(30))
        #expect(try await other.roots() == hub.roots())
        await server.stop()
    }

    /// Two that have nothing to say to each other stay linked: their timers are word enough.
    @Test func aQuietLinkStays() async throws {
        let (hub, tablet) = (try replica(), try replica())
        let server = try await RunningServer(hub) {
            $0.interval = .milliseconds(20)
            $0.patience = .milliseconds(400)
        }
        var peer = Peer(tablet, over: server.address)
        peer.interval = .milliseconds(20)
        peer.patience = .milliseconds(400)
        let (failures, failure) = AsyncStream.makeStream(of: PeerError.self)
        peer.onFailure = { failure.yield($0) }
        let running = Task { [peer] in try await peer.run() }
        try await Task.sleep(for: .seconds(2))
        running.cancel()
        _ = await running.result
        failure.finish()
        var seen: [PeerError] = []
        for await error in failures { seen.append(error) }
        #expect(seen.isEmpty)
        await server.stop()
    }
}
