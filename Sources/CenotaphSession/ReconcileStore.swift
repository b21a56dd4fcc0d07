public import CenotaphDigest
public import CenotaphMerge
public import CenotaphSeal
public import CenotaphWire

/// The rows of a replica as a session needs them: one snapshot, lent for the length of a call.
public protocol ReconcileStore {
    /// What reading or merging may throw; the session passes it on.
    associatedtype Failure: Error

    /// The epoch of the snapshot.
    var epoch: ID16 { get }

    /// The digest of every replicated namespace, ascending by name.
    var digests: [NamespaceDigest] { get }

    /// The summary of the snapshot (Spec DIG-008).
    var summary: ID16 { get }

    /// The policy of a namespace, or `nil` if the schema has none of that name.
    func policy(of namespace: NamespaceName) -> Policy?

    /// The key of a namespace of the schema.
    func key(of namespace: NamespaceName) throws(Failure) -> NamespaceKey

    /// The number and the sum of the leaves in a range. O(1) for all keys, else one scan of the range.
    func sum(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange
    ) throws(Failure) -> SetSum

    /// The leaf of a key, or `nil`. O(log n).
    func leaf(_ namespace: NamespaceName, _ set: RowSet, _ key: Key) throws(Failure) -> Hash256?

    /// The row of a key, or `nil`. O(log n).
    func row(_ namespace: NamespaceName, _ set: RowSet, _ key: Key) throws(Failure) -> Row?

    /// The first cells of a set's sketch, and its counters. O(cells) where the store keeps so many, else one scan.
    func sketch(
        _ namespace: NamespaceName, _ set: RowSet, size: Int
    ) throws(Failure) -> Sketch

    /// Visits the rows whose keys have one of some places, 24 bits, with their ids, in key order until `visit` returns
    /// false. The places ascend, each listed once. O(log n) for each place and each row.
    func forEachRow(
        _ namespace: NamespaceName, _ set: RowSet, places: [UInt32], _ visit: (Row, RowID) -> Bool
    ) throws(Failure)

    /// Visits keys and leaves of a range in key order until `visit` returns false.
    func forEachLeaf(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Key, Hash256) -> Bool
    ) throws(Failure)

    /// Visits rows and leaves of a range in key order until `visit` returns false.
    func forEachRow(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        _ visit: (Row, Hash256) -> Bool
    ) throws(Failure)

    /// Merges rows whose type fits the namespace's policy, and returns the outcome of each.
    func merge(_ namespace: NamespaceName, _ rows: [Row]) throws(Failure) -> [MergeOutcome]

    /// Remembers that a peer holds what is held here of a namespace.
    func noteAgreement(_ peer: ReplicaID, _ namespace: NamespaceName) throws(Failure)

    /// Joins a peer's knowledge of a namespace in which both fingerprints are equal (Spec SYNC-013).
    func joinKnowledge(_ namespace: NamespaceName, _ knowledge: VersionVector) throws(Failure)
}

extension ReconcileStore {
    /// The range described as Spec DIG-009 says, at the end of `list`.
    ///
    /// Two scans of the range at most.
    package func describe(
        _ namespace: NamespaceName, _ set: RowSet, _ range: KeyRange,
        appendingTo list: RangeList = RangeList(), count known: UInt64? = nil
    ) throws(Failure) -> RangeList {
        let count = if let known { known } else { try sum(namespace, set, range).count }
        var describer = RangeDescriber(
            range, set, count: Int(count), key: try key(of: namespace), appendingTo: list)
        try forEachLeaf(namespace, set, range) { (key, leaf) in
            describer.feed(key, leaf)
            return true
        }
        return describer.finish()
    }
}
