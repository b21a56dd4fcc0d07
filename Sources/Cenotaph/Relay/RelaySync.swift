internal import CenotaphDigest
internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// Exchanges with every device that is in the fleet's room until all agree.
///
/// What comes from one device may be news to another that agreed before; so it ends when all have agreed with what is
/// held here now.
struct RelaySync: Sendable {
    let replica: Replica
    let room: RelayRoom
    let pace: LinkPace
    let onEvent: @Sendable (SessionEvent) -> Void
    let onFailure: @Sendable (PeerError) -> Void

    /// What one link tells.
    private enum News: Sendable {
        case arrived(UInt32)
        case agreed(UInt32)
        case ended(UInt32, Ending)
    }

    private enum Ending: Sendable {
        case finished(SyncReport)
        /// The other end is this replica itself.
        case own
        case failed(PeerError)
        case fatal(any Error)
    }

    /// One link, as far as is known.
    private struct Progress {
        /// Compares at once, or ends the link.
        let steering: AsyncStream<Void>.Continuation
        /// The roots that both held when they agreed last; `nil` while they have not, or compare anew.
        var agreed: [Hash256]?
    }

    /// Runs until all agree; waits for someone if nobody is there.
    ///
    /// - Returns: What all links did together.
    /// - Throws: `PeerError`, a damaged store, `CancellationError`.
    func run() async throws -> SyncReport {
        try await withThrowingTaskGroup(of: SyncReport?.self) { group in
            group.addTask {
                try await room.run(interval: pace.interval)
                return nil
            }
            group.addTask {
                let report = try await exchange()
                room.finish()
                return report
            }
            defer { group.cancelAll() }
            var report: SyncReport?
            do {
                while let result = try await group.next() { report = report ?? result }
            } catch  where report != nil {
                // All agreed; that the relay ended before it carried the last word changes nothing here.
            }
            guard let report else { throw PeerError.closed }
            return report
        }
    }

    private func exchange() async throws -> SyncReport {
        let (news, reporting) = AsyncStream.makeStream(of: News.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in room.changes {
                    if case .arrived(let number) = change { reporting.yield(.arrived(number)) }
                }
                reporting.finish()
            }
            defer { group.cancelAll() }
            var links: [UInt32: Progress] = [:]
            var failure: PeerError?
            for await one in news {
                switch one {
                case .arrived(let number):
                    guard let link = room.link(to: number) else { continue }
                    let (steering, continuation) = AsyncStream.makeStream(of: Void.self)
                    links[number] = Progress(steering: continuation)
                    group.addTask {
                        let ending = await follow(link, steering) {
                            reporting.yield(.agreed(number))
                        }
                        reporting.yield(.ended(number, ending))
                    }
                case .agreed(let number): links[number]?.agreed = try await replica.roots()
                case .ended(let number, let ending):
                    links[number] = nil
                    if case .fatal(let error) = ending { throw error }
                    if case .failed(let why) = ending {
                        onFailure(why)
                        failure = why
                    }
                }
                if try await allAgree(&links) { return try await finish(links, news) }
                // Whoever was there cannot be agreed with: another attempt may do better, or tells why not.
                if links.isEmpty, let failure { throw failure }
            }
            try Task.checkCancellation()
            throw PeerError.closed
        }
    }

    /// Whether all that are there hold what is held here; asks those anew of whom that is not known any more.
    private func allAgree(_ links: inout [UInt32: Progress]) async throws -> Bool {
        guard !links.isEmpty, links.values.allSatisfy({ $0.agreed != nil }) else { return false }
        let roots = try await replica.roots()
        var isAll = true
        for (number, progress) in links where progress.agreed != roots {
            isAll = false
            links[number]?.agreed = nil
            progress.steering.yield()
        }
        return isAll
    }

    /// Ends every link, each with a last word.
    private func finish(
        _ links: [UInt32: Progress], _ news: AsyncStream<News>
    ) async throws -> SyncReport {
        var total = SyncReport(counts: SessionCounts(), traffic: Traffic())
        var open = Set(links.keys)
        for progress in links.values { progress.steering.finish() }
        for await one in news where !open.isEmpty {
            guard case .ended(let number, let ending) = one else { continue }
            open.remove(number)
            if case .finished(let report) = ending { total.counts.add(report.counts) }
            if open.isEmpty { break }
        }
        try Task.checkCancellation()
        total.traffic = room.traffic
        return total
    }

    /// Runs one link until it is ended, and calls `agree` each time both agree.
    private func follow(
        _ link: RelayLink, _ steering: AsyncStream<Void>, _ agree: @escaping @Sendable () -> Void
    ) async -> Ending {
        let own = FirstOf<Bool>()
        let onEvent = onEvent
        let runner = LinkRunner(
            replica: replica, connection: link, pace: pace, untilAgreed: false,
            onEvent: { event in
                switch event {
                case .dropped(let error) where error.rule == .ownFrame:
                    own.give(true)
                    link.close()
                case .agreed:
                    onEvent(event)
                    agree()
                default: onEvent(event)
                }
            }, steering: steering)
        do {
            let report = try await runner.run()
            return own.value == nil ? .finished(report) : .own
        } catch {
            if own.value != nil { return .own }
            if let error = error as? PeerError { return .failed(error) }
            do { return .failed(try Peer.passing(error)) } catch { return .fatal(error) }
        }
    }
}

extension Replica {
    /// The roots of all namespaces, ascending by name.
    fileprivate func roots() throws -> [Hash256] { try digests().map(\.root) }
}

extension SessionCounts {
    /// Adds what another session did; the flights are those of the longer one.
    fileprivate mutating func add(_ other: SessionCounts) {
        rowsReceived += other.rowsReceived
        rowsMerged += other.rowsMerged
        rowsBuried += other.rowsBuried
        rowsSent += other.rowsSent
        requests += other.requests
        flights = max(flights, other.flights)
    }
}
