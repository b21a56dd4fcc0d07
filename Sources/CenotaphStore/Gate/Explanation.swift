public import CenotaphMerge
public import CenotaphWire

/// Why a key is alive or dead.
public struct Explanation: Hashable, Sendable {
    /// What an app sees of the key.
    public enum Verdict: String, Hashable, Sendable {
        /// A read returns a body.
        case live
        /// It was deleted, and no write that the delete had not seen is here.
        case deleted
        /// Its group is buried, or it is a buried group.
        case buried
        /// Nothing is held of it.
        case unknown
    }

    /// What became of one write.
    public enum Fate: String, Hashable, Sendable {
        /// A read returns it.
        case read
        /// It is readable beside what is read, until the next write covers both.
        case conflict
        /// A later write had seen it and took its place, or it was itself a delete: a causal row does not say which.
        case covered
        /// It deleted the row.
        case deleted
        /// It buried the group.
        case buried
    }

    /// One write that is known of the key.
    public struct Write: Hashable, Sendable {
        /// Its stamp.
        public let stamp: Stamp
        /// What became of it.
        public let fate: Fate
        /// How far its time is ahead of this device's clock, in milliseconds; 0 if it is not.
        public let ahead: UInt64
    }

    /// The verdict.
    public let verdict: Verdict
    /// The id of the sentence in the specification that decides.
    public let rule: String
    /// The namespace's policy.
    public let policy: Policy
    /// The writes known: the one that is read first, then the latest first.
    public let writes: [Write]
    /// Peers that this replica has agreed with before and that are not known to hold all of these writes; under
    /// `messages`, whose rows name no replica, all writes of the namespace.
    public let waitingFor: [ReplicaID]
}

extension ReadTransaction {
    /// Why a key, or a group of a log, is alive or dead.
    ///
    /// O(log n) and the size of the row.
    /// - Parameters:
    ///   - name: The namespace.
    ///   - key: The key, or the group.
    ///   - milliseconds: The device's clock, to tell stamps that are ahead of it.
    /// - Returns: The verdict, its rule, and the writes behind it.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func explain(
        _ name: NamespaceName, _ key: Key, milliseconds: UInt64
    ) throws(GateError) -> Explanation {
        let policy = try namespace(name).namespace.policy
        let (verdict, rule, fates) = try judge(name, key, policy)
        let writes = fates.map { stamp, fate in
            let ahead = stamp.milliseconds > milliseconds ? stamp.milliseconds - milliseconds : 0
            return Explanation.Write(stamp: stamp, fate: fate, ahead: ahead)
        }
        var waiting: [ReplicaID] = []
        if policy.isReplicated {
            let own = try namespace(name).knowledge.entries.map {
                Stamp(time: $0.time, replica: $0.replica)
            }
            for (peer, state) in try knownPeers() {
                let knowledge = state.knowledge[name] ?? VersionVector()
                let stamps = policy == .messages ? own : fates.map(\.0)
                let lacks = stamps.contains { stamp in
                    stamp.replica != peer && knowledge[stamp.replica] < stamp.time
                }
                if lacks { waiting.append(peer) }
            }
        }
        return Explanation(
            verdict: verdict, rule: rule, policy: policy, writes: writes, waitingFor: waiting)
    }

    private typealias Judgement = (
        verdict: Explanation.Verdict, rule: String, fates: [(Stamp, Explanation.Fate)]
    )

    private func judge(
        _ name: NamespaceName, _ key: Key, _ policy: Policy
    ) throws(GateError) -> Judgement {
        switch policy {
        case .causal:
            for set in RowSet.allCases {
                guard case .causal(let row)? = try row(name, set, key) else { continue }
                let judgement = judge(row)
                guard case .resolved? = try get(name, key)?.resolution else { return judgement }
                // A read returns none of the values, but what the app's resolver makes of them.
                let fates = judgement.fates.map { ($0.0, $0.1 == .read ? .conflict : $0.1) }
                return (judgement.verdict, "MERGE-060", fates)
            }
        case .lastWriter, .derived:
            for set in RowSet.allCases {
                guard case .lastWriter(let row)? = try row(name, set, key) else { continue }
                let isLive = row.value != nil
                return (
                    isLive ? .live : .deleted, "MERGE-020", [(row.stamp, isLive ? .read : .deleted)]
                )
            }
        case .log: return try judgeLog(name, key)
        case .messages:
            guard let row = try message(name, key) else { break }
            // A message's row names no replica: what is known of its writes is the row itself.
            if row.scope != .live { return (.deleted, "MERGE-033", []) }
            return row.base == nil ? (.unknown, "MERGE-034", []) : (.live, "MERGE-034", [])
        }
        return (.unknown, "MODEL-010", [])
    }

    private func judge(_ row: CausalRow) -> Judgement {
        let values = row.values
        let covered = row.entries.filter { $0.value == nil }.map(\.stamp).sorted { $1 < $0 }
        guard let read = values.first else {
            return (.deleted, "MERGE-011", covered.map { ($0, .covered) })
        }
        let fates: [(Stamp, Explanation.Fate)] =
            [(read.stamp, .read)] + values.dropFirst().map { ($0.stamp, .conflict) }
            + covered.map { ($0, .covered) }
        return (.live, values.count > 1 ? "MERGE-012" : "MERGE-011", fates)
    }

    /// A key of a log, or a group.
    private func judgeLog(
        _ name: NamespaceName, _ key: Key
    ) throws(GateError) -> Judgement {
        if case .logEvents(let row)? = try row(name, .live, key) {
            var markers: [(Stamp, Explanation.Fate)] = []
            var seen: [(Stamp, Explanation.Fate)] = []
            for event in row.events {
                if case .logMarker(let marker)? = try self.row(name, .tombstones, event.group) {
                    markers.append((marker.stamp, .buried))
                } else {
                    seen.append((event.stamp, .read))
                }
            }
            return seen.isEmpty ? (.buried, "MERGE-004", markers) : (.live, "MERGE-005", seen)
        }
        if case .logMarker(let marker)? = try row(name, .tombstones, key) {
            return (.buried, "MERGE-003", [(marker.stamp, .buried)])
        }
        return (.unknown, "MODEL-010", [])
    }
}
