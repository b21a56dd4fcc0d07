internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// Keeps a replica in step with every device that is in the fleet's room, over one connection to a relay.
struct RelayExchange: Sendable {
    let replica: Replica
    let room: RelayRoom
    let pace: LinkPace
    let onEvent: @Sendable (SessionEvent) -> Void
    let onFailure: @Sendable (PeerError) -> Void

    /// Runs until the connection ends.
    /// - Throws: `PeerError`, a damaged store, `CancellationError`.
    func run() async throws {
        let fatal = FirstOf<any Error>()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.run(interval: pace.interval) }
                for await change in room.changes {
                    guard case .arrived(let number) = change else { continue }
                    group.addTask {
                        do {
                            try await stayInStep(with: number)
                        } catch is CancellationError {
                            // The connection ended, or the whole run.
                        } catch {
                            fatal.give(error)
                            room.close()
                        }
                    }
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        } catch {
            throw fatal.value ?? error
        }
        throw fatal.value ?? PeerError.closed
    }

    /// Links to a number again and again while it is there; one that speaks nonsense is asked ever more seldom.
    private func stayInStep(with number: UInt32) async throws {
        let backoff = Backoff(first: pace.interval / 4, longest: pace.interval * 2)
        var random = SystemRandomNumberGenerator()
        var attempt = 0
        while let link = room.link(to: number) {
            do {
                let runner = LinkRunner(
                    replica: replica, connection: link, pace: pace, untilAgreed: false,
                    onEvent: onEvent)
                _ = try await runner.run()
            } catch PeerError.blocked(let errorClass, let rule) {
                // The others of the room are no worse for it.
                onFailure(.blocked(errorClass, rule: rule))
            } catch {
                onFailure(try Peer.passing(error))
            }
            attempt += 1
            try await Task.sleep(for: backoff.delay(before: attempt, using: &random))
        }
    }
}
