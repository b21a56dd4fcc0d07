internal import CenotaphStore
internal import CenotaphWire
internal import Synchronization

/// The writers in use, by row: whoever deletes a row finds them here.
///
/// Holds no writer alive; each takes itself out when it goes.
final class WriterRegistry: Sendable {
    /// Most writers of one replica at a time.
    static let limit = 65_536

    struct Target: Hashable, Sendable {
        let namespace: NamespaceName
        let key: Key
    }

    private struct Weak {
        weak var writer: RowWriter?
    }

    private struct State {
        var writers: [Target: [Int: Weak]] = [:]
        var count = 0
        var next = 0
    }

    private let state = Mutex(State())

    /// Makes a writer with `make` and keeps track of it.
    func add(_ target: Target, _ make: (Int) -> RowWriter) throws(WriterError) -> RowWriter {
        let number: Int? = state.withLock { state in
            guard state.count < WriterRegistry.limit else { return nil }
            state.count += 1
            state.next += 1
            return state.next
        }
        guard let number else { throw .tooMany }
        let writer = make(number)
        state.withLock { $0.writers[target, default: [:]][number] = Weak(writer: writer) }
        return writer
    }

    func remove(_ target: Target, _ number: Int) {
        state.withLock { state in
            state.count -= 1
            state.writers[target]?[number] = nil
            if state.writers[target]?.isEmpty == true { state.writers[target] = nil }
        }
    }

    /// Severs the writers of every row that died, also if it lives again by now.
    func sever(_ changes: [Change]) {
        let severed = state.withLock { state in
            guard !state.writers.isEmpty else { return [RowWriter]() }
            return changes.filter { $0.kind == .removed }.flatMap { change in
                let target = Target(namespace: change.namespace, key: change.key)
                return (state.writers[target] ?? [:]).values.compactMap(\.writer)
            }
        }
        // Outside the lock: a writer whose last holder this is takes itself out.
        for writer in severed { writer.sever() }
    }

    /// The number of writers in use.
    var count: Int { state.withLock { $0.count } }
}
