internal import Synchronization

/// A replica's status, now and whenever it changed; what a slow reader missed is folded into one.
public struct StatusChanges: AsyncSequence, Sendable {
    /// The element type.
    public typealias Element = ReplicaStatus

    let replica: Replica
    let feed: WakeupFeed

    /// Iterates until the task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let replica: Replica
        var wakeups: AsyncStream<Void>.AsyncIterator
        var last: ReplicaStatus?

        /// The next status that differs from the one before, or `nil` at the end.
        /// - Throws: `GateError`.
        public mutating func next() async throws -> ReplicaStatus? {
            while await wakeups.next(isolation: nil) != nil {
                let status = try await replica.readStatus()
                guard status != last else { continue }
                last = status
                return status
            }
            return nil
        }
    }

    /// Makes the iterator; a sequence of statuses has one reader.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(replica: replica, wakeups: feed.wakeups.makeAsyncIterator())
    }
}

/// Wakes one reader, at once for the first time, and once for all that happens while it is awake.
final class WakeupFeed: Sendable {
    let wakeups: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
    }

    func onEnd(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
    }

    func wake() { continuation.yield() }
}
