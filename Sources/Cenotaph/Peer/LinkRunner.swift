internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// What one link did.
public struct SyncReport: Hashable, Sendable {
    /// Rows, requests and flights.
    public var counts: SessionCounts
    /// Bytes on the wire.
    public var traffic: Traffic

    /// Round trips until the end: two flights make one.
    public var roundTrips: Int { (counts.flights + 1) / 2 }
}

/// Runs one link over one connection until it ends.
struct LinkRunner: Sendable {
    let replica: Replica
    let connection: any Connection
    let pace: LinkPace
    /// Whether the link ends as soon as both agree.
    let untilAgreed: Bool
    let onEvent: @Sendable (SessionEvent) -> Void
    /// Each element compares digests at once; its end does so a last time, and then ends the link.
    var steering: AsyncStream<Void>?

    /// Runs the link.
    /// - Throws: `PeerError`, the store's failure, `CancellationError`.
    func run() async throws -> SyncReport {
        defer { connection.close() }
        do {
            let ends = try await replica.openLink()
            let outcome: Result<Void, any Error>
            do {
                try await exchange(ends)
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            connection.close()
            let counts = await replica.closeLink(ends.id) ?? SessionCounts()
            try outcome.get()
            return SyncReport(counts: counts, traffic: connection.traffic)
        } catch GateError.store(let failure) {
            await replica.noteOnStatus(failure)
            throw GateError.store(failure)
        }
    }

    private func exchange(_ ends: LinkEnds) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await read(ends) }
            group.addTask { try await write(ends) }
            group.addTask { try await tick(ends) }
            group.addTask { try await watch(ends) }
            if let steering { group.addTask { try await steer(ends, steering) } }
            defer { group.cancelAll() }
            // Reading, ticking and watching tell by `true` that the link is done; writing ends last.
            var isDone = false
            while let done = try await group.next() {
                if done, !isDone {
                    isDone = true
                    ends.outbox.finish()
                }
                if !done { return }
            }
        }
    }

    private func read(_ ends: LinkEnds) async throws -> Bool {
        while true {
            let frames = try await connection.receive()
            guard !frames.isEmpty else {
                if untilAgreed { throw PeerError.closed }
                return true
            }
            try await replica.receive(frames, on: ends.id)
        }
    }

    private func write(_ ends: LinkEnds) async throws -> Bool {
        while let frames = await ends.outbox.next() {
            try await connection.send(frames)
            ends.outbox.didSend()
            try await replica.answerWaiting(on: ends.id)
        }
        return false
    }

    private func tick(_ ends: LinkEnds) async throws -> Bool {
        let clock = ContinuousClock()
        var (heard, moved) = (clock.now, clock.now)
        var sent = connection.traffic.sent
        while true {
            try await Task.sleep(for: pace.interval)
            let now = clock.now
            if try await replica.tick(ends.id) { heard = now }
            let traffic = connection.traffic
            if traffic.sent != sent || ends.outbox.bytes == 0 {
                (sent, moved) = (traffic.sent, now)
            }
            guard now - heard < pace.patience else { throw PeerError.silent }
            guard now - moved < pace.patience else { throw PeerError.stalled }
        }
    }

    private func steer(_ ends: LinkEnds, _ steering: AsyncStream<Void>) async throws -> Bool {
        for await _ in steering { try await replica.tick(ends.id) }
        try Task.checkCancellation()
        // The other end may be waiting to hear that both agree.
        try await replica.tick(ends.id)
        return true
    }

    private func watch(_ ends: LinkEnds) async throws -> Bool {
        for await event in ends.events {
            onEvent(event)
            switch event {
            case .blocked(let errorClass, let rule):
                throw PeerError.blocked(errorClass, rule: rule)
            case .agreed where untilAgreed: return true
            default: break
            }
        }
        return true
    }
}
