import Cenotaph
import CenotaphRelay

/// How long a local write takes until another replica's app is told of it: commit, push, socket, merge, commit.
///
/// Replicas over files in this process, joined by a Unix-domain socket, or over a relay: then one writes and all others
/// are told.
func pushBenchmarks(isSmoke: Bool) async throws -> [Latencies] {
    let writes = isSmoke ? 20 : 1_000
    var results = [try await directPush(writes)]
    for replicas in isSmoke ? [2] : [2, 5] {
        results.append(try await relayedPush(replicas, writes))
    }
    return results
}

private let schema = Schema { Namespace("notes", .causal) }

private func replica(_ folder: BenchFolder, _ name: String) async throws -> Replica {
    try await Replica.open(
        at: folder.freshPath(name), schema: schema, keys: Samples.fleetKeys())
}

private func directPush(_ writes: Int) async throws -> Latencies {
    let folder = try BenchFolder()
    defer { withExtendedLifetime(folder) {} }
    let replicas = [
        try await replica(folder, "first"), try await replica(folder, "second"),
    ]
    let server = try await PeerServer(replicas[0], at: .unix(path: folder.freshPath("server")))
    let tasks = [
        Task { try await server.run() },
        Task { try await Peer(replicas[1], over: server.address).run() },
    ]
    let result = try await time("write to the other replica, direct", replicas, writes)
    await end(tasks)
    return result
}

private func relayedPush(_ count: Int, _ writes: Int) async throws -> Latencies {
    let folder = try BenchFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.freshPath("socket")
    let server = try RelayServer(.unix(path: path), bounds: RelayBounds())
    let thread = LoopThread(server)
    defer {
        server.stop()
        thread.join()
    }
    var replicas: [Replica] = []
    for number in 0..<count { replicas.append(try await replica(folder, "\(number)")) }
    let tasks = replicas.map { replica in
        Task { try await Peer(replica, over: .relay(at: .unix(path: path), token: .none)).run() }
    }
    let result = try await time("write to each other replica, over a relay", replicas, writes)
    await end(tasks)
    return result
}

private func end(_ tasks: [Task<Void, any Error>]) async {
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
}

/// Writes on the first replica, one row after another, each once all others were told of the one before.
private func time(
    _ name: String, _ replicas: [Replica], _ writes: Int
) async throws -> Latencies {
    var readers: [Changes.AsyncIterator] = []
    for replica in replicas.dropFirst() {
        readers.append(await replica.changes(in: "notes").makeAsyncIterator())
    }
    var times: [Double] = []
    var begin = nanoseconds()
    for number in 0...writes {
        let start = nanoseconds()
        try await replicas[0].put("notes", Samples.key(number), Samples.bytes(200))
        for index in readers.indices {
            _ = await readers[index].next()
            times.append(Double(nanoseconds() - start) / 1_000)
        }
        // The first one waits until all are connected.
        if number == 0 { (times, begin) = ([], nanoseconds()) }
    }
    return Latencies(
        name, participants: replicas.count, times: times,
        seconds: Double(nanoseconds() - begin) / 1e9)
}
