internal import CenotaphDigest
public import CenotaphMerge
public import CenotaphSeal
internal import CenotaphSession
public import CenotaphStore
public import CenotaphWire

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// One store on one device: what an app reads and writes, kept in step with the fleet's other replicas.
///
/// Every write commits its row, tombstone, leaf and fingerprint together, on the disk, before it returns.
public actor Replica {
    nonisolated private let executor: BlockingExecutor
    let gate: Gate
    private let milliseconds: @Sendable () -> UInt64
    private var feeds: [Int: (namespace: NamespaceName, feed: ChangeFeed)] = [:]
    var nextFeed = 0
    var statusFeeds: [Int: WakeupFeed] = [:]
    var linkObstacles = LinkObstacles()
    var links: [LinkID: Link] = [:]
    var nextLink = 0

    /// This replica's id.
    public nonisolated let id: ReplicaID
    /// The fleet's keys.
    nonisolated let keys: FleetKeys
    /// The writers that live objects hold.
    nonisolated let writers = WriterRegistry()
    /// The schema.
    public nonisolated let schema: Schema

    /// Jobs run one by one on a queue of the replica's own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens the replica in a SQLite file, which by default is made if it is missing.
    ///
    /// Several processes may have one file open: writers wait for each other, and each sees what the others committed with
    /// its next transaction. To read only, the mode `readOnly` changes no byte of the file, also while another process
    /// writes; every write then throws `GateError.store(.readOnly)`, and so does taking rows from a peer.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - schema: The namespaces, the same on every device of the fleet.
    ///   - keys: The fleet's keys.
    ///   - mode: Whether the file must be there, and whether it may be written.
    /// - Returns: The replica.
    /// - Throws: `StoreError` for the file, `GateError` for its contents.
    public static func open(
        at path: String, schema: Schema, keys: FleetKeys, mode: OpenMode = .create
    ) async throws -> Replica {
        try Replica(
            store: SQLiteStore(path: path, mode: mode), schema: schema, keys: keys)
    }

    /// Opens a replica that lives as long as its process, for tests and previews.
    /// - Throws: `GateError`.
    public static func inMemory(schema: Schema, keys: FleetKeys) throws -> Replica {
        try Replica(store: MemoryStore(), schema: schema, keys: keys)
    }

    /// Opens the replica in a store of the caller's making, which nothing else uses from now on.
    /// - Parameters:
    ///   - store: The store.
    ///   - schema: The namespaces.
    ///   - keys: The fleet's keys.
    ///   - milliseconds: The wall clock, in milliseconds since 1970.
    /// - Throws: `GateError`.
    public init(
        store: sending any Store, schema: Schema, keys: FleetKeys,
        milliseconds: @escaping @Sendable () -> UInt64 = { Replica.wallClock() }
    ) throws {
        var random = SystemRandomNumberGenerator()
        gate = try Gate(
            store: store, schema: schema, keys: keys, milliseconds: milliseconds, random: &random)
        self.milliseconds = milliseconds
        id = gate.replica
        self.keys = keys
        self.schema = schema
        executor = BlockingExecutor(label: "cenotaph.replica")
    }

    // MARK: Reading and writing

    /// Reads from one snapshot.
    /// - Throws: `GateError`, and what `body` throws.
    public func read<Result: Sendable>(
        _ body: @Sendable (ReadTransaction) throws -> Result
    ) throws -> Result {
        try gate.read(body)
    }

    /// Reads and writes in one transaction, which is on the disk when this returns.
    ///
    /// When `body` throws, nothing has changed. Connected peers are sent the rows at once.
    /// - Throws: `GateError`, and what `body` throws.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @Sendable (WriteTransaction) throws -> Result
    ) throws -> Result {
        let committed = try gate.write(body)
        publish(committed.changes)
        pushLocalWrites(committed.localRows, epoch: committed.epoch)
        wakeStatus()
        return committed.result
    }

    /// The live row of a key, or `nil`.
    ///
    /// O(log n).
    /// - Throws: `GateError`.
    public func get(_ namespace: NamespaceName, _ key: Key) throws -> LiveRow? {
        try gate.read { try $0.get(namespace, key) }
    }

    /// The live rows of a namespace in key order.
    ///
    /// O(n).
    /// - Throws: `GateError`.
    public func list(_ namespace: NamespaceName) throws -> [LiveRow] {
        try gate.read { try $0.list(namespace) }
    }

    /// Writes a body under a key of a causal namespace.
    /// - Throws: `GateError`.
    public func put(_ namespace: NamespaceName, _ key: Key, _ body: [UInt8]) throws {
        try write { try $0.put(namespace, key, body) }
    }

    /// Deletes a key of a causal namespace.
    ///
    /// Returns whether there was anything to delete.
    /// - Throws: `GateError`.
    @discardableResult
    public func delete(_ namespace: NamespaceName, _ key: Key) throws -> Bool {
        try write { try $0.delete(namespace, key) }
    }

    /// Why a key, or a group of a log, is alive or dead.
    ///
    /// O(log n) and the size of the row.
    /// - Throws: `GateError`.
    public func explain(_ namespace: NamespaceName, _ key: Key) throws -> Explanation {
        let now = milliseconds()
        return try gate.read { try $0.explain(namespace, key, milliseconds: now) }
    }

    /// Rewrites the store so that no byte of a removed body is left in its file or log.
    ///
    /// Takes time in proportion to the store. Deletes by themselves leave no body in any table, but may leave copies
    /// in unused parts of the file.
    /// - Throws: `GateError`.
    public func scrub() throws { try gate.scrub() }

    /// The digest of every namespace with its root, ascending by name.
    /// - Throws: `GateError`.
    public func digests() throws -> [(digest: NamespaceDigest, root: Hash256)] {
        try gate.read { snapshot in
            try snapshot.digests.map { ($0, try snapshot.root($0.name)) }
        }
    }

    /// The changes of a namespace from now on, local ones and those of peers.
    public func changes(in namespace: NamespaceName) -> Changes {
        let feed = ChangeFeed()
        let number = nextFeed
        nextFeed += 1
        feeds[number] = (namespace, feed)
        feed.onEnd { [weak self] in Task { await self?.removeFeed(number) } }
        return Changes(feed: feed)
    }

    private func removeFeed(_ number: Int) { feeds[number] = nil }

    /// Tells of what a transaction changed; before anything else, the writers of deleted rows are cut off.
    func publish(_ changes: [Change]) {
        guard !changes.isEmpty else { return }
        writers.sever(changes)
        for (namespace, feed) in feeds.values {
            feed.add(changes.filter { $0.namespace == namespace })
        }
    }

    /// The system's wall clock, in milliseconds since 1970; 0 if it cannot be read.
    public static func wallClock() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0, now.tv_sec >= 0 else { return 0 }
        return UInt64(now.tv_sec) * 1_000 + UInt64(now.tv_nsec) / 1_000_000
    }
}
