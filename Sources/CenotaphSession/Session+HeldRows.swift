internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// Rows that a sketch told to be missing at the peer, which seems to have newer versions: they wait here until those
/// have come (Spec SYNC-050).
struct HeldRows {
    /// The ids of the rows.
    var own: Set<RowID> = []
    var keys: [Key] = []
    /// Bytes of the keys.
    var size = 0
    /// The ids of the rows that the peer alone has.
    var theirs: Set<RowID> = []
}

extension Session {
    /// The rows of this side that wait for versions of the peer's.
    ///
    /// O(log n) for each row whose place is also that of one of the peer's.
    func rowsToHold<Store: ReconcileStore>(
        _ difference: SketchDifference, _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> HeldRows {
        var held = HeldRows()
        guard let known = peerDigests?[id.namespace]?.knowledge else { return held }
        let places = Set(difference.onlyB.map(\.place))
        for row in difference.onlyA
        where places.contains(row.place) && held.size < Session.answerBudget {
            for (key, leaf) in try store.rows(id.namespace, id.set, place: row.place)
            where RowID(place: row.place, leaf: leaf) == row {
                // A peer that knows every write of the row holds a later version, not an earlier one.
                let stamps = try store.row(id.namespace, id.set, key)?.stamps ?? []
                guard !stamps.isEmpty, stamps.allSatisfy({ $0.time <= known[$0.replica] }) else {
                    continue
                }
                held.own.insert(row)
                held.keys.append(key)
                held.size += key.bytes.count
            }
        }
        if !held.own.isEmpty { held.theirs = Set(difference.onlyB) }
        return held
    }

    /// The ids of the rows, as they are held now, that the peer did not have.
    func rowsToSend<Store: ReconcileStore>(
        _ held: HeldRows, _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> [RowID] {
        guard !held.keys.isEmpty else { return [] }
        let namespace = try store.key(of: id.namespace)
        var rows: [RowID] = []
        for key in held.keys {
            guard let leaf = try store.leaf(id.namespace, id.set, key) else { continue }
            let row = RowID(place: namespace.place(of: key), leaf: leaf)
            if !held.theirs.contains(row) { rows.append(row) }
        }
        return rows.sorted()
    }
}
