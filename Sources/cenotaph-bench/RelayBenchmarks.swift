import Cenotaph
import CenotaphRelay
import Glibc

/// How long frames take through a relay when one connection sends one to each other connection of its room.
struct FanOut {
    let connections: Int
    let frames: Int
    /// Microseconds from just before the first frame of a round was sent until each was read.
    let percentiles: [(name: String, value: Double)]
    /// Frames a second, rounds one after another.
    let framesPerSecond: Double
}

/// Measures rooms of 10, 100 and 1,000 connections on one relay in this process, over a Unix-domain socket.
func relayBenchmarks(isSmoke: Bool) throws -> [FanOut] {
    try (isSmoke ? [10] : [10, 100, 1_000]).map { count in
        try fanOut(connections: count, rounds: isSmoke ? 5 : max(20, 20_000 / count))
    }
}

private struct SocketFailure: Error { let call: String }

private func fanOut(connections: Int, rounds: Int) throws -> FanOut {
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
    times.sort()
    let percentiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)].map { name, part in
        (name, times[min(times.count - 1, Int(Double(times.count) * part))])
    }
    return FanOut(
        connections: connections, frames: times.count, percentiles: percentiles,
        framesPerSecond: Double(times.count) / seconds)
}

/// Prints a table for a person, or the same for a program.
func printFanOut(_ results: [FanOut], asJSON isJSON: Bool) {
    guard !isJSON else {
        let lines = results.map { result in
            let values = result.percentiles.map { "\"\($0.name)\":\($0.value)" }
            return "{\"name\":\"relay fan-out\",\"connections\":\(result.connections),"
                + "\"frames\":\(result.frames),\"unit\":\"us\",\(values.joined(separator: ",")),"
                + "\"framesPerSecond\":\(result.framesPerSecond)}"
        }
        print("[\n" + lines.joined(separator: ",\n") + "\n]")
        return
    }
    print(
        "relay fan-out: one frame of 305 bytes to each other connection of a room, microseconds\n")
    for result in results {
        let values = result.percentiles.map { "\($0.name) \(Int($0.value))" }
        print(
            "\(result.connections) connections, \(result.frames) frames: "
                + values.joined(separator: "  ") + "  (\(Int(result.framesPerSecond)) frames/s)")
    }
}

private func nanoseconds() -> UInt64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
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
private final class LoopThread {
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
