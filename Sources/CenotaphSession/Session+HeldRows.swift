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
        let theirPlaces = Set(difference.onlyB.map(\.place))
        let edited = difference.onlyA.filter { theirPlaces.contains($0.place) }
        guard !edited.isEmpty else { return held }
        let ids = Set(edited)
        try store.forEachRow(
            id.namespace, id.set, places: edited.map(\.place).withoutRepeats
        ) { row, rowID in
            guard ids.contains(rowID) else { return true }
            // A peer that knows every write of the row holds a later version, not an earlier one.
            let stamps = row.stamps
            guard !stamps.isEmpty, stamps.allSatisfy({ $0.time <= known[$0.replica] }) else {
                return true
            }
            held.own.insert(rowID)
            held.keys.append(row.key)
            held.size += row.key.count
            return held.size < Session.answerBudget
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
