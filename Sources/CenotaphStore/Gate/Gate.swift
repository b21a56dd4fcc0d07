internal import CenotaphDigest
public import CenotaphMerge
public import CenotaphSeal
public import CenotaphWire

/// The one way into a store: every write of a row, local or from a peer, passes a transaction of the gate.
///
/// A transaction changes rows, tombstones, leaves, fingerprints, the clock and knowledge together, or nothing.
/// Not thread-safe: one isolation domain owns a gate.
public final class Gate {
    let store: any Store
    /// The fleet's keys.
    public let keys: FleetKeys
    /// The schema.
    public let schema: Schema
    /// The schema's fingerprint (Spec MODEL-013).
    public let schemaFingerprint: Hash256
    /// This replica's id, minted when the store was first opened.
    public let replica: ReplicaID
    /// Drawn at each open (Spec MODEL-003).
    public let incarnation: ID16
    /// What makes one value of conflicts, by namespace.
    var resolvers: [NamespaceName: ConflictResolver] = [:]
    /// The sketches of sets that are up to what was committed.
    let sketches = KeptSketches()
    private let milliseconds: () -> UInt64
    private var state: GateState
    /// Whether the records may say something else than `state`.
    private var isStale = false
    /// How often a transaction found that another connection had committed.
    private(set) var changesElsewhere = 0

    /// Opens the gate of a store, which becomes a new replica if it was empty.
    ///
    /// Over a store that can only be read nothing is written, every writing transaction throws
    /// `store(.readOnly)`, and a namespace that the store does not have yet is empty.
    /// - Parameters:
    ///   - store: The store; nothing else may write to it but other gates.
    ///   - schema: The namespaces. One that the store does not have is added.
    ///   - keys: The fleet's keys.
    ///   - milliseconds: The wall clock, in milliseconds since 1970.
    ///   - random: Where ids come from.
    /// - Throws: `otherFleet`, `policyChanged`, `store`; `store(.notFound)` for an empty store that can only be read.
    public init(
        store: any Store, schema: Schema, keys: FleetKeys,
        milliseconds: @escaping () -> UInt64,
        random: inout some RandomNumberGenerator
    ) throws(GateError) {
        self.store = store
        self.schema = schema
        self.keys = keys
        self.milliseconds = milliseconds
        schemaFingerprint = keys.schemaFingerprint(
            schema.replicated.map { ($0.name, $0.policy.code) })
        incarnation = ID16.random(using: &random)
        let fresh = ReplicaID.random(using: &random)
        (replica, state) =
            store.isReadOnly
            ? try GateState.openToRead(store, schema, keys)
            : try GateState.open(store, schema, keys, fresh)
    }

    /// The memory that kept sketches take, in bytes, for measurements.
    package var sketchBytes: Int { sketches.byteCount }

    /// Runs `body` in one snapshot and returns what it returns.
    /// - Throws: `GateError.store`, and what `body` throws.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try begin(writing: false)
        defer { store.rollback() }
        return try body(ReadTransaction(gate: self, state: state))
    }

    /// Runs `body` in one transaction, commits it, and returns what it returned beside what changed.
    ///
    /// When `body` or the commit throws, nothing has changed.
    /// - Throws: `GateError`, and what `body` throws.
    public func write<Result>(
        _ body: (WriteTransaction) throws -> Result
    ) throws -> Committed<Result> {
        try begin(writing: true)
        let transaction = WriteTransaction(
            gate: self, state: state, milliseconds: milliseconds())
        do {
            let result = try body(transaction)
            let changed = try transaction.finish()
            // Only a commit that succeeds tells what the store holds; another one may have failed too late.
            isStale = true
            try GateError.wrapping { () throws(StoreError) in try store.commit() }
            state = changed
            isStale = false
            transaction.keepSketches()
            return Committed(
                result: result, changes: transaction.changes, localRows: transaction.localRows,
                epoch: changed.epoch)
        } catch {
            store.rollback()
            throw error
        }
    }

    private func begin(writing: Bool) throws(GateError) {
        try GateError.wrapping { () throws(StoreError) in try store.begin(writing: writing) }
        do {
            let elsewhere = try GateError.wrapping { () throws(StoreError) in
                try store.changedElsewhere()
            }
            if elsewhere {
                isStale = true
                changesElsewhere += 1
            }
            if isStale { state = try GateState.load(store, schema, keys) }
            isStale = false
        } catch {
            store.rollback()
            throw error
        }
    }
}

extension GateError {
    /// Runs `body` and turns a store's failure into the gate's.
    static func wrapping<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(GateError) -> Result {
        do {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}

/// What a committed transaction did.
public struct Committed<Result> {
    /// What its body returned.
    public let result: Result
    /// The rows that changed.
    public let changes: [Change]
    /// The rows that local writes made, in the order of the writes.
    public let localRows: [(namespace: NamespaceName, row: Row)]
    /// The epoch.
    public let epoch: ID16
}

/// A row that a transaction changed.
public struct Change: Hashable, Sendable {
    /// What became of the key.
    public enum Kind: Hashable, Sendable {
        /// It is live, with a new state.
        case updated
        /// It is dead or gone; of a message also: something came that is not to be seen.
        case removed
        /// The key is a group's, and the group is buried.
        case buried
    }

    /// The namespace.
    public let namespace: NamespaceName
    /// The key; for a burial the group.
    public let key: Key
    /// What became of it.
    public let kind: Kind
}
