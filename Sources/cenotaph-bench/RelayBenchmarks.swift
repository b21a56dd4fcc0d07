import Cenotaph
import CenotaphRelay
import Glibc

/// Measures rooms of 10, 100 and 1,000 connections on one relay in this process, over a Unix-domain socket.
func relayBenchmarks(isSmoke: Bool) throws -> [Latencies] {
    try (isSmoke ? [10] : [10, 100, 1_000]).map { count in
        try fanOut(connections: count, rounds: isSmoke ? 5 : max(20, 20_000 / count))
    }
}

private struct SocketFailure: Error { let call: String }

/// One frame of 305 bytes from one connection to each other one, from just before the first was sent until each was read.
private func fanOut(connections: Int, rounds: Int) throws -> Latencies {
    var bounds = RelayBounds()
    bounds.perRoom = connections
    bounds.strangers = connections
    bounds.entries = .init(perSecond: 100_000, burst: 100_000)
    bounds.records = .init(perSecond: 100_000_000, burst: 100_000_000)
    bounds.bytes = .init(perSecond: 1 << 40, burst: 1 << 40)
    let path = "/tmp/cenotaph-bench-relay-\(getpid())"
    let server = try RelayServer(.unix(path: path), bounds: bounds)
    let thread = LoopThread(server)
    defer {
        server.stop()
        thread.join()
    }
    var clients: [BenchClient] = []
    for _ in 0..<connections { clients.append(try BenchClient(path)) }
    let frame = [UInt8](repeating: 1, count: 305)
    let burst = (2...UInt32(connections)).flatMap { RelayRecord(number: $0, payload: frame).bytes }
    // Every client reads until it has heard of all that came after it.
    for (index, client) in clients.enumerated() {
        try client.read(1 + 8 + 1 + 4 * index + 13 * (connections - 1 - index))
    }
    var times: [Double] = []
    let begin = nanoseconds()
    for _ in 0..<rounds {
        let start = nanoseconds()
        try clients[0].write(burst)
        for client in clients.dropFirst() {
            try client.read(8 + frame.count)
            times.append(Double(nanoseconds() - start) / 1_000)
        }
        // Each takes its frame, so that the window stays open.
        for client in clients.dropFirst() {
            try client.write(RelayNotice.taken(1, bytes: UInt32(frame.count)).record.bytes)
        }
        try clients[0].read((connections - 1) * 17)
    }
    let seconds = Double(nanoseconds() - begin) / 1e9
    return Latencies(
        "relay fan-out", participants: connections, times: times, seconds: seconds)
}

/// A blocking client of a relay.
private final class BenchClient {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    init(_ path: String) throws {
        descriptor = try RelaySystem.connectUnix(path)
        guard let greeting = RelayGreeting(room: ID16(high: 1, low: 1)) else {
            throw SocketFailure(call: "greeting")
        }
        try write(greeting.encoded)
    }

    deinit { RelaySystem.closeDescriptor(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = RelaySystem.write(rest, to: descriptor)
            guard count > 0 else { throw SocketFailure(call: "send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads exactly so many bytes.
    func read(_ count: Int) throws {
        var left = count
        while left > 0 {
            let got = RelaySystem.read(descriptor, into: &buffer, atMost: left)
            guard got > 0 else { throw SocketFailure(call: "recv") }
            left -= got
        }
    }
}

/// The relay's own thread.
final class LoopThread {
    private var thread = pthread_t()

    init(_ server: RelayServer) {
        let held = unsafe Unmanaged.passRetained(server)
        // Safety: the thread takes over the reference that was retained for it.
        unsafe pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                unsafe Unmanaged<RelayServer>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, held.toOpaque())
    }

    func join() { _ = pthread_join(thread, nil) }
}
