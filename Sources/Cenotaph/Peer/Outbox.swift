internal import Synchronization

/// Sealed frames on their way out of one link: bounded, many writers, one reader.
final class Outbox: Sendable {
    /// Most bytes that wait.
    ///
    /// Honest peers stay below it: four open requests of an answer's budget each.
    static let limit = 16 * 1_048_576

    private struct State {
        var frames: [[UInt8]] = []
        var bytes = 0
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
                defer {
                    state.frames = []
                    state.bytes = 0
                }
                return (state.frames, state.isFinished)
            }
            if isFinished { continuation.yield() }
            if !frames.isEmpty { return frames }
            if isFinished { return nil }
        }
        return nil
    }
}
