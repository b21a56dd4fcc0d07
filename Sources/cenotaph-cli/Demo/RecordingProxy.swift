import Cenotaph
import Synchronization

/// Stands between a serving device and one that syncs: passes sealed frames on, keeps copies,
/// counts bytes, and can hold the stream still in the middle.
///
/// It has no keys: what it does, anyone on the network could do.
final class RecordingProxy: Sendable {
    private struct State {
        var toClient: [[UInt8]] = []
        var toServer: [[UInt8]] = []
        var bytesToClient = 0
        var holdAfter: Int?
    }

    private let listener: SocketListener
    private let target: PeerAddress
    private let state = Mutex(State())
    private let held: AsyncStream<Void>
    private let heldContinuation: AsyncStream<Void>.Continuation

    init(to target: PeerAddress) async throws {
        self.target = target
        listener = try await SocketListener(.tcp(host: "127.0.0.1", port: 0))
        (held, heldContinuation) = AsyncStream.makeStream()
    }

    var address: PeerAddress { listener.address }

    /// Every frame that passed, in order, each way.
    var recorded: (toClient: [[UInt8]], toServer: [[UInt8]]) {
        state.withLock { ($0.toClient, $0.toServer) }
    }

    /// Holds what goes to the client once that many bytes have passed; `nil` lets all pass.
    func hold(afterBytes bytes: Int?) {
        state.withLock { $0.holdAfter = bytes }
    }

    /// Waits until frames are being held.
    func waitUntilHeld() async {
        for await _ in held { return }
    }

    /// Serves until cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let client = try await listener.accept()
                let server = try await SocketTransport(target).connect()
                group.addTask { await self.pass(client, server) }
            }
        }
    }

    private func pass(_ client: any Connection, _ server: any Connection) async {
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.pass(from: client, to: server, isToClient: false) }
            group.addTask { try await self.pass(from: server, to: client, isToClient: true) }
            _ = try? await group.next()
            client.close()
            server.close()
            group.cancelAll()
        }
    }

    private func pass(
        from source: any Connection, to sink: any Connection, isToClient: Bool
    ) async throws {
        while true {
            let frames = try await source.receive()
            guard !frames.isEmpty else { return }
            for frame in frames {
                if isToClient, isHolding {
                    heldContinuation.yield()
                    try await Task.sleep(for: .seconds(3_600))
                }
                state.withLock { state in
                    if isToClient {
                        state.toClient.append(frame)
                        state.bytesToClient += frame.count
                    } else {
                        state.toServer.append(frame)
                    }
                }
                try await sink.send([frame])
            }
        }
    }

    private var isHolding: Bool {
        state.withLock { state in
            guard let limit = state.holdAfter else { return false }
            return state.bytesToClient >= limit
        }
    }
}
