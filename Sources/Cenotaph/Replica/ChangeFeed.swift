public import CenotaphStore
internal import CenotaphWire
internal import Synchronization

/// What changed in a namespace since a subscriber last looked.
public struct ChangeBatch: Hashable, Sendable {
    /// The latest change of each key, ascending by key.
    public let changes: [Change]
    /// False if more keys changed than a subscriber may leave unread: then read the namespace anew.
    public let isComplete: Bool
}

/// One subscriber's changes: what it has not read yet is folded together key by key, so a slow reader costs
/// bounded memory and never holds up a writer.
public struct Changes: AsyncSequence, Sendable {
    /// The element type.
    public typealias Element = ChangeBatch

    let feed: ChangeFeed

    /// Iterates over batches until the replica closes or the task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let feed: ChangeFeed
        var wakeups: AsyncStream<Void>.AsyncIterator

        /// The next batch, or `nil` at the end.
        public mutating func next() async -> ChangeBatch? {
            while true {
                if let batch = feed.take() { return batch }
                guard await wakeups.next(isolation: nil) != nil else { return nil }
            }
        }
    }

    /// Makes the iterator; a sequence of changes has one reader.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(feed: feed, wakeups: feed.wakeups.makeAsyncIterator())
    }
}

/// The box between a replica and one subscriber.
final class ChangeFeed: Sendable {
    /// Keys that a subscriber may leave unread.
    private static let maxUnread = 4_096

    let wakeups: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let unread = Mutex<(changes: [Key: Change], isComplete: Bool)>(([:], true))

    init() {
        (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func onEnd(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
    }

    func add(_ changes: [Change]) {
        guard !changes.isEmpty else { return }
        unread.withLock { unread in
            for change in changes { unread.changes[change.key] = change }
            if unread.changes.count > ChangeFeed.maxUnread { unread = ([:], false) }
        }
        continuation.yield()
    }

    func take() -> ChangeBatch? {
        unread.withLock { unread in
            guard !unread.changes.isEmpty || !unread.isComplete else { return nil }
            defer { unread = ([:], true) }
            return ChangeBatch(
                changes: unread.changes.values.sorted { $0.key < $1.key },
                isComplete: unread.isComplete)
        }
    }

    func finish() { continuation.finish() }
}
