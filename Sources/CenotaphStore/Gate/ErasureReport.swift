internal import CenotaphMerge
public import CenotaphWire

/// How far a delete has gone: here, on other devices, and where nobody can tell.
public struct ErasureReport: Hashable, Sendable {
    /// What this device still has of the deleted body.
    public enum Here: String, Hashable, Sendable {
        /// The row is live: nothing was deleted.
        case notDeleted
        /// Nothing is known of the key.
        case unknown
        /// No table, index or view has it; copies may lie in unused parts of the file until it is scrubbed.
        case removed
        /// The file was rewritten after the last removal: it holds no byte of it.
        case erased
        /// The namespace hides what is buried and keeps it (`log-hide`).
        case hidden
    }

    /// This device.
    public let here: Here
    /// Peers that are known to hold the delete.
    public let acknowledgedBy: [ReplicaID]
    /// Peers that this replica has agreed with before and that are not known to hold the delete yet.
    public let waitingFor: [ReplicaID]

    /// What no report can promise.
    public static let cannotPromise = [
        "devices that this one has never agreed with",
        "backups, snapshots and other copies of a store's file",
        "what people have copied, photographed or remembered",
        "flash memory that keeps old blocks by itself",
    ]
}

extension ReadTransaction {
    /// How far the delete of a key, or of a log's group, has gone.
    ///
    /// O(log n) and the peers.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func erasureReport(
        _ name: NamespaceName, _ key: Key
    ) throws(GateError) -> ErasureReport {
        let explanation = try explain(name, key, milliseconds: 0)
        let here: ErasureReport.Here =
            switch explanation.verdict {
            case .live: .notDeleted
            case .unknown where !explanation.policy.keepsNoTrace: .unknown
            case .buried where explanation.policy == .log(buried: .hide): .hidden
            case .deleted, .buried, .unknown: needsScrub ? .removed : .erased
            }
        let isDone = here == .removed || here == .erased
        let known = isDone ? try knownPeers().map(\.peer) : []
        let waiting = Set(isDone ? explanation.waitingFor : [])
        return ErasureReport(
            here: here, acknowledgedBy: known.filter { !waiting.contains($0) },
            waitingFor: known.filter { waiting.contains($0) })
    }
}

extension Gate {
    /// Rewrites the store so that no byte of a removed body is left in its file or log.
    ///
    /// Takes time and log space in proportion to the store. When another process commits meanwhile, reports of erasure
    /// still say `removed`: what it removed may have come after the rewriting.
    /// - Throws: `GateError.store`: `locked` while another process uses the store, `full`.
    public func scrub() throws {
        try read { _ in }
        let before = changesElsewhere
        try GateError.wrapping { () throws(StoreError) in try store.scrub() }
        _ = try write { if changesElsewhere == before { $0.noteScrubbed() } }
    }
}
