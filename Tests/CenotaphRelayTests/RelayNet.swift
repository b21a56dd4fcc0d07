@testable import Cenotaph
import CenotaphRelay
import CenotaphWire
import Dispatch
import Foundation
import Synchronization
import Testing

/// A relay at a socket in a folder of its own, that can be stopped and started anew.
final class RunningRelay: Sendable {
    private let folder: String
    let path: String
    private let bounds: RelayBounds
    private let tokens: [[UInt8]]
    private let running = Mutex<(server: RelayServer, done: DispatchGroup)?>(nil)

    init(tokens: [[UInt8]] = [], _ change: (inout RelayBounds) -> Void = { _ in }) throws {
        var bounds = RelayBounds()
        // Tests come and go more often than devices do.
        bounds.entries = .init(perSecond: 10_000, burst: 10_000)
        change(&bounds)
        self.bounds = bounds
        self.tokens = tokens
        folder =
            "\(FileManager.default.temporaryDirectory.path)/cr-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/s"
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var socket: PeerAddress { .unix(path: path) }

    func address(token: RelayToken = .none) -> PeerAddress { .relay(at: socket, token: token) }

    var report: RelayReport { running.withLock { $0?.server.report } ?? RelayReport() }

    func start() throws {
        let server = try RelayServer(.unix(path: path), bounds: bounds, tokens: tokens)
        let done = DispatchGroup()
        done.enter()
        let thread = Thread {
            server.run()
            done.leave()
        }
        thread.start()
        running.withLock { $0 = (server, done) }
    }

    func stop() {
        guard
            let (server, done) = running.withLock({ running in
                defer { running = nil }
                return running
            })
        else { return }
        server.stop()
        done.wait()
    }
}

/// Devices of one fleet that meet at a relay.
struct RelayFleet {
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("notes", .causal)
        Namespace("chat", .messages)
    }

    func replica() throws -> Replica { try Replica.inMemory(schema: schema, keys: keys) }

    func peer(_ replica: Replica, _ address: PeerAddress) -> Peer {
        var peer = Peer(replica, over: address)
        peer.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        peer.interval = .milliseconds(200)
        return peer
    }

    /// Keeps a replica at a relay until the value goes.
    func staying(_ replica: Replica, _ address: PeerAddress) -> Staying {
        let peer = peer(replica, address)
        return Staying(Task { try await peer.run() })
    }

    final class Staying: Sendable {
        private let task: Task<Void, any Error>
        init(_ task: Task<Void, any Error>) { self.task = task }
        deinit { task.cancel() }
        func stop() async {
            task.cancel()
            _ = await task.result
        }
    }
}

extension Replica {
    func roots() throws -> [Hash256] { try digests().map(\.root) }

    func fill(_ count: Int, size: Int, from start: Int = 0) throws {
        try write { transaction in
            for number in start..<start + count {
                let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                try transaction.put("notes", try Key("note \(number)"), body)
            }
        }
    }
}

/// Waits until all hold the same; the test's time limit ends a wait in vain.
func waitUntilEqual(_ replicas: [Replica]) async throws {
    while true {
        var roots: Set<[Hash256]> = []
        for replica in replicas { roots.insert(try await replica.roots()) }
        if roots.count == 1 { return }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Waits until something holds.
func wait(until body: () async throws -> Bool) async throws {
    while try await !body() { try await Task.sleep(for: .milliseconds(10)) }
}
