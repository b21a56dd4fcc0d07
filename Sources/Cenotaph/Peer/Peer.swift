public import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// Keeps a replica in step with one other peer, or over a relay with every device of the fleet that is there: connects,
/// exchanges, and tries again for as long as it runs.
public struct Peer: Sendable {
    private enum Way {
        case direct(any Transport)
        case relay(PeerAddress, RelayToken)
    }

    private let replica: Replica
    private let way: Way
    /// The waits between attempts.
    public var backoff = Backoff()
    /// How long the other end may be silent before a round starts afresh; also how often digests are compared.
    public var interval: Duration = .seconds(5)
    /// How long the other end may send no frame, or take none of those that wait for it, before the link is cut.
    ///
    /// Longer than the other end's interval. A connection of which the system does not tell that it is dead ends so.
    public var patience: Duration = .seconds(180)
    /// Told what happens on the link; runs on the link's task.
    public var onEvent: @Sendable (SessionEvent) -> Void = { _ in }
    /// Told why an attempt failed that will be followed by another.
    public var onFailure: @Sendable (PeerError) -> Void = { _ in }

    /// Makes a peer that reaches the other end at an address.
    public init(_ replica: Replica, over address: PeerAddress) {
        self.replica = replica
        if case .relay(let address, let token) = address {
            way = .relay(address, token)
        } else {
            way = .direct(SocketTransport(address))
        }
    }

    /// Makes a peer that reaches the other end by a transport of the caller's making.
    public init(_ replica: Replica, over transport: any Transport) {
        self.replica = replica
        way = .direct(transport)
    }

    /// Stays in step until the task is cancelled, connecting again whenever the link ends.
    ///
    /// A store that is locked or full is reported and tried again, as a connection that fails is.
    /// - Throws: `CancellationError`, and what trying again cannot help: `PeerError.blocked`, a damaged store.
    public func run() async throws {
        var random = SystemRandomNumberGenerator()
        var attempt = 0
        while true {
            var isConnected = false
            do {
                switch way {
                case .direct(let transport):
                    let connection = try await transport.connect()
                    isConnected = true
                    _ = try await link(over: connection, untilAgreed: false).run()
                case .relay(let address, let token):
                    let room = try await enter(address, token)
                    isConnected = true
                    let exchange = RelayExchange(
                        replica: replica, room: room, pace: pace, onEvent: onEvent,
                        onFailure: onFailure)
                    try await exchange.run()
                }
            } catch {
                let failure = try Peer.passing(error)
                if case .store = failure { isConnected = false }
                onFailure(failure)
            }
            // A peer that was there is asked soon; one that is away, or a store that fails, ever more seldom.
            if isConnected { attempt = 0 }
            try Task.checkCancellation()
            attempt += 1
            try await Task.sleep(for: backoff.delay(before: attempt, using: &random))
        }
    }

    /// Exchanges until both agree, connecting again whenever the link ends before.
    ///
    /// Over a relay: until all that are there agree, at least one.
    ///
    /// - Parameter timeout: How long to try.
    /// - Returns: What the link that agreed did.
    /// - Throws: `PeerError.notConverged` after the timeout, `PeerError.blocked`, a damaged store.
    public func sync(timeout: Duration = .seconds(60)) async throws -> SyncReport {
        try await withThrowingTaskGroup(of: SyncReport.self) { group in
            group.addTask { try await syncUntilAgreed() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw PeerError.notConverged
            }
            defer { group.cancelAll() }
            guard let report = try await group.next() else { throw PeerError.notConverged }
            return report
        }
    }

    private func syncUntilAgreed() async throws -> SyncReport {
        var random = SystemRandomNumberGenerator()
        var attempt = 0
        while true {
            do {
                switch way {
                case .direct(let transport):
                    let connection = try await transport.connect()
                    return try await link(over: connection, untilAgreed: true).run()
                case .relay(let address, let token):
                    let sync = RelaySync(
                        replica: replica, room: try await enter(address, token), pace: pace,
                        onEvent: onEvent, onFailure: onFailure)
                    return try await sync.run()
                }
            } catch {
                onFailure(try Peer.passing(error))
                attempt += 1
                try await Task.sleep(for: backoff.delay(before: attempt, using: &random))
            }
        }
    }

    /// Why a link ended, if another one may do better; throws it otherwise.
    static func passing(_ error: any Error) throws -> PeerError {
        switch error {
        case PeerError.blocked: throw error
        case let error as PeerError: return error
        case GateError.store(let failure) where failure.mayPass: return .store(failure)
        default: throw error
        }
    }

    private func enter(_ address: PeerAddress, _ token: RelayToken) async throws -> RelayRoom {
        try await RelayRoom.enter(replica.keys.relayRoom, at: address, token: token)
    }

    private func link(over connection: any Connection, untilAgreed: Bool) -> LinkRunner {
        LinkRunner(
            replica: replica, connection: connection, pace: pace, untilAgreed: untilAgreed,
            onEvent: onEvent)
    }

    private var pace: LinkPace { LinkPace(interval: interval, patience: patience) }
}
