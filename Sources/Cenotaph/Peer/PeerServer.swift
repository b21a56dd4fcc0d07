public import CenotaphSession
internal import CenotaphStore

/// Lets other peers connect to a replica.
public struct PeerServer: Sendable {
    private let replica: Replica
    private let listener: SocketListener
    /// Most links at a time; further connections are closed at once.
    public var maxLinks = 64
    /// How long a peer may be silent before a round starts afresh.
    public var interval: Duration = .seconds(5)
    /// How long a peer may send no frame, or take none of those that wait for it, before its link is cut.
    ///
    /// Longer than the peers' intervals.
    public var patience: Duration = .seconds(180)
    /// Told what happens on the links; runs on a link's task.
    public var onEvent: @Sendable (SessionEvent) -> Void = { _ in }
    /// Told why a link failed, which ended alone; runs on the link's task.
    public var onFailure: @Sendable (PeerError) -> Void = { _ in }

    /// Starts to listen.
    /// - Throws: `PeerError`.
    public init(_ replica: Replica, at address: PeerAddress) async throws {
        self.replica = replica
        listener = try await SocketListener(address)
    }

    /// Where it listens, with the port that was taken.
    public var address: PeerAddress { listener.address }

    /// Serves until the task is cancelled.
    ///
    /// A link that fails ends alone.
    /// - Throws: `CancellationError`, and `PeerError` if listening fails.
    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            let open = LinkCount()
            while true {
                let connection = try await listener.accept()
                guard open.enter(below: maxLinks) else {
                    connection.close()
                    continue
                }
                let runner = LinkRunner(
                    replica: replica, connection: connection,
                    pace: LinkPace(interval: interval, patience: patience), untilAgreed: false,
                    onEvent: onEvent)
                group.addTask {
                    defer { open.leave() }
                    do {
                        _ = try await runner.run()
                    } catch let failure as PeerError {
                        onFailure(failure)
                    } catch GateError.store(let failure) {
                        onFailure(.store(failure))
                    } catch {
                        // The server is stopping: nothing else ends a link.
                    }
                }
            }
        }
    }
}
