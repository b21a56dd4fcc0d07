import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (until: Instant, continuation: AsyncStream<Never>.Continuation)] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    let (registered, registration) = AsyncStream.makeStream(of: Void.self)

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isOver = state.withLock { state in
            guard state.now < deadline else { return true }
            state.next += 1
            state.sleepers[state.next] = (deadline, continuation)
            return false
        }
        registration.yield()
        if isOver { return }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Moves on and wakes those whose time has come.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.finish() }
    }

    /// Waits until so many sleeps began.
    func waitForSleepers(_ count: Int) async {
        var left = count
        for await _ in registered {
            left -= 1
            if left == 0 { return }
        }
    }
}
