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

    /// How a part of the exchange ends.
    private enum Ending {
        /// Nothing more is to be read; what waits is still sent. With why the link ends, if that is a failure.
        case over(PeerError?)
        /// Nothing more is sent: everything was, or the other end takes nothing more. What it said is still read.
        case written
    }

    private func exchange(_ ends: LinkEnds) async throws {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask { try await read(ends) }
            group.addTask { try await write(ends) }
            group.addTask { try await tick(ends) }
            if let steering { group.addTask { try await steer(ends, steering) } }
            defer { group.cancelAll() }
            var (isOver, isWritten) = (false, false)
            var failure: PeerError?
            while let ending = try await group.next() {
                switch ending {
                case .over(let why): if !isOver { (isOver, failure) = (true, why) }
                case .written: isWritten = true
                }
                ends.outbox.finish()
                if isOver, isWritten {
                    if let failure { throw failure }
                    return
                }
            }
        }
    }

    private func read(_ ends: LinkEnds) async throws -> Ending {
        while true {
            let frames = try await connection.receive()
            guard !frames.isEmpty else {
                if untilAgreed { throw PeerError.closed }
                return .over(nil)
            }
            var ending: Ending?
            for event in try await replica.receive(frames, on: ends.id) {
                onEvent(event)
                switch event {
                case .blocked(let errorClass, let rule):
                    ending = ending ?? .over(.blocked(errorClass, rule: rule))
                case .agreed where untilAgreed: ending = ending ?? .over(nil)
                default: break
                }
            }
            if let ending { return ending }
        }
    }

    private func write(_ ends: LinkEnds) async throws -> Ending {
        while let frames = await ends.outbox.next() {
            do {
                try await connection.send(frames)
            } catch PeerError.closed {
                return .written
            }
            ends.outbox.didSend()
            try await replica.answerWaiting(on: ends.id)
        }
        return .written
    }

    private func tick(_ ends: LinkEnds) async throws -> Ending {
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

    private func steer(_ ends: LinkEnds, _ steering: AsyncStream<Void>) async throws -> Ending {
        for await _ in steering { try await replica.compare(ends.id) }
        try Task.checkCancellation()
        // The other end may be waiting to hear that both agree.
        try await replica.sayLastWord(ends.id)
        return .over(nil)
    }
}
