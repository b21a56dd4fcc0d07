internal import CenotaphWire
internal import Synchronization

/// Sealed frames on their way out of one link, or in from a relay: bounded, many writers, one reader.
final class Outbox: Sendable {
    /// Bytes from which on no further request is answered.
    ///
    /// About one answer more is held.
    static let enough = Limits.maxAnswer
    /// Most bytes that are held.
    ///
    /// Honest peers stay below it: an answer may end with one row of the greatest size.
    static let limit = 4 * Limits.maxAnswer

    private struct State {
        var frames: [[UInt8]] = []
        /// Bytes that wait or are being sent.
        var bytes = 0
        /// Bytes that the reader took and has not reported as sent.
        var taken = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    private let wakeups: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Queues frames.
    ///
    /// Returns false, and queues nothing, if they do not fit.
    func push(_ frames: [[UInt8]], limit: Int = Outbox.limit) -> Bool {
        guard !frames.isEmpty else { return true }
        let size = frames.reduce(0) { $0 + $1.count }
        let fits = state.withLock { state in
            guard !state.isFinished, state.bytes + size <= limit else { return false }
            state.frames += frames
            state.bytes += size
            return true
        }
        if fits { continuation.yield() }
        return fits
    }

    /// Bytes that wait or are being sent.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Whether nothing more is taken.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What `next` returned so far is sent.
    ///
    /// Returns how many bytes that were.
    @discardableResult
    func didSend() -> Int {
        state.withLock { state in
            defer { state.taken = 0 }
            state.bytes -= state.taken
            return state.taken
        }
    }

    /// Drops what waits, and returns how many bytes that were, with those being sent.
    func discard() -> Int {
        state.withLock { state in
            defer { (state.frames, state.bytes, state.taken) = ([], 0, 0) }
            return state.bytes
        }
    }

    /// Lets the reader end once everything queued is taken.
    func finish() {
        state.withLock { $0.isFinished = true }
        continuation.yield()
    }

    /// Takes all waiting frames; waits for some if there are none.
    ///
    /// `nil` once finished and empty, or cancelled.
    func next() async -> [[UInt8]]? {
        for await _ in wakeups {
            let (frames, isFinished) = state.withLock { state in
                defer { state.frames = [] }
                state.taken += state.frames.reduce(0) { $0 + $1.count }
                return (state.frames, state.isFinished)
            }
            if isFinished { continuation.yield() }
            if !frames.isEmpty { return frames }
            if isFinished { return nil }
        }
        return nil
    }
}
