package import CenotaphDigest
package import CenotaphMerge
package import CenotaphSeal
internal import CenotaphSession
package import CenotaphStore
package import CenotaphWire

/// A gate's transaction as a session's store.
package struct GateSnapshot: ReconcileStore {
    let transaction: WriteTransaction

    package init(transaction: WriteTransaction) { self.transaction = transaction }

    package var epoch: ID16 { transaction.epoch }
    package var digests: [NamespaceDigest] { transaction.digests }
    package var summary: ID16 { transaction.summary }

    package func policy(of namespace: NamespaceName) -> Policy? {
        transaction.policy(of: namespace)
    }

    package func key(of namespace: NamespaceName) throws(GateError) -> NamespaceKey {
        try transaction.key(of: namespace)
    }

    package func sum(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange
    ) throws(GateError) -> SetSum {
        try transaction.sum(namespace, set, range)
    }

    package func leaf(
        _ namespace: NamespaceName, _ set: RowSet, _ key: Key
    ) throws(GateError) -> Hash256? {
        try transaction.leaf(namespace, set, key)
    }

    package func row(_ namespace: NamespaceName, _ set: RowSet, _ key: Key) throws(GateError)
        -> Row?
    {
        try transaction.row(namespace, set, key)
    }

    package func sketch(
        _ namespace: NamespaceName, _ set: RowSet, size: Int
    ) throws(GateError) -> Sketch {
        try transaction.sketch(namespace, set, size: size)
    }

    package func forEachRow(
        _ namespace: NamespaceName, _ set: RowSet, places: [UInt32], _ visit: (Row, RowID) -> Bool
    ) throws(GateError) {
        try transaction.forEachRow(namespace, set, places: places, visit)
    }

    package func forEachLeaf(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Key, Hash256) -> Bool
    ) throws(GateError) {
        try transaction.forEachLeaf(namespace, set, range, visit)
    }

    package func forEachRow(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Row, Hash256) -> Bool
    ) throws(GateError) {
        try transaction.forEachRow(namespace, set, range, visit)
    }

    package func merge(
        _ namespace: NamespaceName, _ rows: [Row]
    ) throws(GateError) -> [MergeOutcome] {
        try transaction.merge(namespace, rows)
    }

    package func noteAgreement(
        _ peer: ReplicaID, _ namespace: NamespaceName
    ) throws(GateError) {
        try transaction.noteAgreement(peer, namespace)
    }

    package func joinKnowledge(
        _ namespace: NamespaceName, _ knowledge: VersionVector
    ) throws(GateError) {
        try transaction.joinKnowledge(namespace, knowledge)
    }
}
