import Cenotaph
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Failures that pass, and failures that do not.
@Suite(.timeLimit(.minutes(10))) struct PeerRetryTests {
    let fleet = Fleet()

    private func peer(
        _ replica: Replica, _ address: PeerAddress,
        _ onFailure: @escaping @Sendable (PeerError) -> Void = { _ in }
    ) -> Peer {
        var peer = Peer(replica, over: address)
        peer.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(20))
        peer.onFailure = onFailure
        return peer
    }

    @Test(arguments: [StoreError.locked, .full])
    func aPassingFailureOfTheStoreIsTriedAgain(_ failure: StoreError) async throws {
        let commits = FailureSwitch()
        let phone = try fleet.replica()
        let tablet = try fleet.replica(over: commits.store())
        try await phone.put("notes", "k", text: "1")
        let server = try await RunningServer(phone)
        commits.failure = failure
        let (failures, failed) = AsyncStream.makeStream(of: PeerError.self)
        let running = Task {
            try await peer(tablet, server.address) { failed.yield($0) }.run()
        }
        defer { running.cancel() }
        var changes = await tablet.changes(in: "notes").makeAsyncIterator()
        var reported = failures.makeAsyncIterator()
        for _ in 0..<3 { #expect(await reported.next() == .store(failure)) }
        #expect(try await tablet.readStatus().obstacles == [.store(failure)])
        commits.failure = nil
        #expect(await changes.next()?.changes.map(\.key) == ["k"])
        var statuses = await tablet.status.makeAsyncIterator()
        while try #require(try await statuses.next()).obstacles != [] {}
    }

    @Test func syncTriesAgainToo() async throws {
        let commits = FailureSwitch()
        let phone = try fleet.replica()
        let tablet = try fleet.replica(over: commits.store())
        try await phone.put("notes", "k", text: "1")
        let server = try await RunningServer(phone)
        commits.failure = .locked
        let peer = peer(tablet, server.address) { failure in
            #expect(failure == .store(.locked))
            commits.failure = nil
        }
        #expect(try await peer.sync(timeout: .seconds(30)).counts.rowsMerged == 1)
    }

    @Test func aDamagedStoreEndsTheRun() async throws {
        let commits = FailureSwitch()
        let phone = try fleet.replica()
        let tablet = try fleet.replica(over: commits.store())
        try await phone.put("notes", "k", text: "1")
        let server = try await RunningServer(phone)
        commits.failure = .corrupt("a page")
        await #expect(throws: GateError.store(.corrupt("a page"))) {
            try await peer(tablet, server.address).run()
        }
        #expect(try await tablet.readStatus().obstacles == [.store(.corrupt("a page"))])
        await #expect(throws: GateError.store(.corrupt("a page"))) {
            try await peer(tablet, server.address).sync(timeout: .seconds(30))
        }
    }

    /// A process with too many open files goes on serving when it has room again.
    @Test func aServerOutlivesALackOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            let keys = FleetKeys.generate()
            let phone = try Replica.inMemory(schema: testSchema, keys: keys)
            let tablet = try Replica.inMemory(schema: testSchema, keys: keys)
            try await phone.put("notes", "k", [1])
            let place = try SocketPlace()
            let server = try await RunningServer(phone, at: place.address)
            // One link first, so that all that serving needs is open.
            _ = try await Peer(tablet, over: place.address).sync(timeout: .seconds(20))
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_NOFILE, &limit)
            #endif
            var taken: [Int32] = []
            while case let file = open("/dev/null", O_RDONLY), file >= 0 { taken.append(file) }
            close(taken.removeLast())
            let client = try RawClient(place.address)
            try await Task.sleep(for: .milliseconds(400))
            for file in taken { close(file) }
            try await phone.put("notes", "l", [2])
            _ = try await Peer(tablet, over: place.address).sync(timeout: .seconds(20))
            guard try await tablet.list("notes").count == 2 else { exit(2) }
            withExtendedLifetime((client, server)) {}
        }
    }
}
