internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// A gate's transaction as a session's store.
struct GateSnapshot: ReconcileStore {
    let transaction: WriteTransaction

    var epoch: ID16 { transaction.epoch }
    var digests: [NamespaceDigest] { transaction.digests }
    var summary: ID16 { transaction.summary }

    func policy(of namespace: NamespaceName) -> Policy? { transaction.policy(of: namespace) }

    func key(of namespace: NamespaceName) throws(GateError) -> NamespaceKey {
        try transaction.key(of: namespace)
    }

    func sum(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange
    ) throws(GateError) -> SetSum {
        try transaction.sum(namespace, set, range)
    }

    func leaf(
        _ namespace: NamespaceName, _ set: RowSet, _ key: Key
    ) throws(GateError) -> Hash256? {
        try transaction.leaf(namespace, set, key)
    }

    func row(_ namespace: NamespaceName, _ set: RowSet, _ key: Key) throws(GateError) -> Row? {
        try transaction.row(namespace, set, key)
    }

    func forEachLeaf(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Key, Hash256) -> Bool
    ) throws(GateError) {
        try transaction.forEachLeaf(namespace, set, range, visit)
    }

    func forEachRow(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Row, Hash256) -> Bool
    ) throws(GateError) {
        try transaction.forEachRow(namespace, set, range, visit)
    }

    func merge(_ namespace: NamespaceName, _ row: Row) throws(GateError) -> MergeOutcome {
        try transaction.merge(namespace, row)
    }

    func noteAgreement(
        _ peer: ReplicaID, _ namespace: NamespaceName
    ) throws(GateError) {
        try transaction.noteAgreement(peer, namespace)
    }

    func joinKnowledge(
        _ namespace: NamespaceName, _ knowledge: VersionVector
    ) throws(GateError) {
        try transaction.joinKnowledge(namespace, knowledge)
    }
}
