public import CenotaphStore
public import CenotaphWire
internal import Synchronization

/// Why a writer did not write.
public enum WriterError: Error, Hashable, Sendable {
    /// The row is dead, or was never written: a writer is for a live row.
    case notLive
    /// The row was deleted after the writer was made; this writer never writes again.
    case severed
    /// More than `WriterRegistry.limit` writers of the replica are in use.
    case tooMany
}

/// What a live object saves itself through: it updates one row, and can neither insert nor revive it.
///
/// A live object (an open editor, a running conversation) saves its own state, often a little later than the change.
/// Deleting its row, here or by a merge from a peer, severs every writer of the row in the same step: saves that wait
/// are dropped, a late one throws `WriterError.severed` and writes nothing. There is no order to get right.
///
/// A save covers what the object has seen: the row when the writer was made, its own saves, and what `read` returned.
/// Under `causal`, an edit that a peer made meanwhile stays beside it as a conflict.
public final class RowWriter: Sendable {
    /// The row's namespace.
    public let namespace: NamespaceName
    /// The row's key.
    public let key: Key
    let replica: Replica
    private let number: Int
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    private struct State {
        var isSevered = false
        var base: RowVersion
        /// The newest body that is not yet in the store.
        var pending: [UInt8]?
        var timer: Task<Void, Never>?
        var failure: (any Error)?
        var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
        var nextWaiting = 0
    }

    init(
        _ replica: Replica, _ target: WriterRegistry.Target, number: Int, base: RowVersion,
        clock: any Clock<Duration>
    ) {
        self.replica = replica
        namespace = target.namespace
        key = target.key
        self.number = number
        self.clock = clock
        state = Mutex(State(base: base))
    }

    deinit { replica.writers.remove(target, number) }

    var target: WriterRegistry.Target { .init(namespace: namespace, key: key) }

    // MARK: Saving

    /// Writes a body in the place of what this object has seen; it is on the disk when this returns.
    ///
    /// A body that waits since `saveSoon` is older, and is dropped. When the store fails, the body waits for the next
    /// `save` or `flush`.
    /// - Throws: `WriterError.severed`; `GateError`.
    public func save(_ body: [UInt8]) async throws {
        try setPending(body, timer: nil)
        try await replica.savePending(of: self)
    }

    /// Saves a body after a while, unless a newer one comes before that.
    ///
    /// A failure of the store waits in `failure`, and the body for the next `save` or `flush`.
    /// - Throws: `WriterError.severed`.
    public func saveSoon(_ body: [UInt8], after delay: Duration) throws(WriterError) {
        try setPending(
            body,
            timer: Task { [self] in
                do {
                    try await clock.sleep(for: delay)
                    try await replica.savePending(of: self)
                } catch {
                    // A cancelled timer, a severed writer or what `failure` holds.
                }
            })
    }

    /// Saves at once what waits, if anything does.
    /// - Throws: `WriterError.severed`; `GateError`.
    public func flush() async throws {
        try await replica.savePending(of: self)
    }

    /// The row as it is now, after saving what waits; from here on, saves are based on it.
    /// - Throws: `WriterError.severed`; `GateError`.
    public func read() async throws -> LiveRow {
        try await replica.readAgain(for: self)
    }

    /// Whether a body waits to be saved.
    public var hasPending: Bool { state.withLock { $0.pending != nil } }

    /// Why the last save failed, until one succeeds.
    public var failure: (any Error)? { state.withLock { $0.failure } }

    // MARK: Severing

    /// Whether the row was deleted since this writer was made.
    public var isSevered: Bool { state.withLock { $0.isSevered } }

    /// Waits until the row is deleted.
    ///
    /// Returns false if the task was cancelled first.
    public func waitUntilSevered() async -> Bool {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let id: Int? = state.withLock { state in
            guard !state.isSevered else { return nil }
            state.nextWaiting += 1
            state.waiting[state.nextWaiting] = continuation
            return state.nextWaiting
        }
        guard let id else { return true }
        for await _ in stream {}
        return state.withLock { state in
            state.waiting[id] = nil
            return state.isSevered
        }
    }

    func sever() {
        let waiting = state.withLock { state in
            state.isSevered = true
            state.pending = nil
            state.timer?.cancel()
            state.timer = nil
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.finish() }
    }

    // MARK: What the replica does with it

    private func setPending(
        _ body: [UInt8], timer: Task<Void, Never>?
    ) throws(WriterError) {
        let isSevered = state.withLock { state in
            state.timer?.cancel()
            state.timer = state.isSevered ? nil : timer
            state.pending = state.isSevered ? nil : body
            return state.isSevered
        }
        guard isSevered else { return }
        timer?.cancel()
        throw .severed
    }

    /// The newest body and what it is based on.
    func takePending() throws(WriterError) -> (body: [UInt8], base: RowVersion)? {
        let (isSevered, body, base) = state.withLock { state in
            defer { state.pending = nil }
            return (state.isSevered, state.pending, state.base)
        }
        if isSevered { throw .severed }
        return body.map { ($0, base) }
    }

    /// Notes how a save ended; `body` waits again unless a newer one does.
    func saveFailed(_ failure: any Error, keeping body: [UInt8]?) {
        state.withLock { state in
            state.failure = failure
            if !state.isSevered, state.pending == nil { state.pending = body }
        }
    }

    func hasSeen(_ base: RowVersion) { state.withLock { $0.base = base } }

    func hasSaved(_ base: RowVersion) {
        state.withLock { state in
            state.base = base
            state.failure = nil
        }
    }
}
