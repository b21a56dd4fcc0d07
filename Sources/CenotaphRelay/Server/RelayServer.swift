internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A relay on sockets: one loop on one thread, whatever the number of connections.
public final class RelayServer: Sendable {
    private let listener: Int32
    /// The two ends of a pipe that wakes the loop.
    private let wakeup: (read: Int32, write: Int32)
    private let bounds: RelayBounds
    private let tokens: [[UInt8]]
    private let stopTime: UInt64
    private let onEvent: @Sendable (RelayEvent) -> Void
    private let isStopping = Atomic(false)
    private let published = Mutex(RelayReport())
    /// Where it listens, with the port that was taken.
    public let endpoint: RelayEndpoint

    /// Starts to listen; `run` serves.
    /// - Parameters:
    ///   - endpoint: Where to listen.
    ///   - bounds: What the relay allows.
    ///   - tokens: What a greeting must bring one of; if there are none, nothing is asked for.
    ///   - stopTime: Milliseconds for what is still to be sent after `stop`.
    ///   - onEvent: Told what happens, on the loop's thread.
    /// - Throws: `RelayServerError`.
    public init(
        _ endpoint: RelayEndpoint, bounds: RelayBounds = RelayBounds(), tokens: [[UInt8]] = [],
        stopTime: UInt64 = 5_000, onEvent: @escaping @Sendable (RelayEvent) -> Void = { _ in }
    ) throws(RelayServerError) {
        listener = try RelaySystem.listen(endpoint)
        var ends: [Int32] = [0, 0]
        // Safety: the system writes two descriptors to the array's own storage.
        let status = unsafe ends.withUnsafeMutableBufferPointer { buffer in
            guard let pair = buffer.baseAddress else { return Int32(-1) }
            return unsafe pipe(pair)
        }
        guard status == 0, ends.allSatisfy(RelaySystem.unblock) else {
            throw RelayServerError(call: "pipe", code: errno)
        }
        wakeup = (ends[0], ends[1])
        self.bounds = bounds
        self.tokens = tokens
        self.stopTime = stopTime
        self.onEvent = onEvent
        if case .tcp(let host, _) = endpoint {
            self.endpoint = .tcp(host: host, port: RelaySystem.port(of: listener))
        } else {
            self.endpoint = endpoint
        }
    }

    deinit {
        for descriptor in [wakeup.read, wakeup.write] { RelaySystem.closeDescriptor(descriptor) }
    }

    /// What the relay did and holds, as of the last turn of its loop.
    public var report: RelayReport { published.withLock { $0 } }

    /// Lets `run` tell its clients, send what waits, and return; may be called from any thread.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
        var byte: UInt8 = 1
        // Safety: one byte of a local variable. A full pipe wakes the loop as well.
        unsafe _ = write(wakeup.write, &byte, 1)
    }

    /// Serves until `stop`, and blocks its thread as long.
    ///
    /// To be called once.
    public func run() {
        var loop = RelayLoop(
            relay: Relay(bounds, tokens: tokens), listener: listener, wakeup: wakeup.read)
        var isNamed = true
        while true {
            loop.turn()
            for event in loop.relay.takeEvents() { onEvent(event) }
            published.withLock { $0 = loop.relay.currentReport }
            guard isStopping.load(ordering: .relaxed) else { continue }
            // The name goes while the relay still listens: from then on it may be another one's.
            if isNamed, case .unix(let path) = endpoint { unsafe _ = unlink(path) }
            isNamed = false
            if loop.stop(within: stopTime) { break }
        }
        loop.closeAll()
        for event in loop.relay.takeEvents() { onEvent(event) }
        published.withLock { $0 = loop.relay.currentReport }
    }
}
