internal import Synchronization

/// Counts the links that are open.
final class LinkCount: Sendable {
    private let count = Mutex(0)

    /// Counts one more, unless there are `limit` already.
    func enter(below limit: Int) -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Counts one less.
    func leave() { count.withLock { $0 -= 1 } }
}
