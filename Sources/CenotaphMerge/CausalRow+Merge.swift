public import CenotaphWire

extension CausalRow.Entry {
    /// Whether `other`, of the same replica, is above this entry in the total order of Spec MERGE-010.
    func isBelow(_ other: CausalRow.Entry) -> Bool {
        if time != other.time { return time < other.time }
        switch (value, other.value) {
        case (.some, .none): return true
        case (.none, _): return false
        case (.some(let mine), .some(let theirs)): return mine.precedes(theirs)
        }
    }

    var covered: CausalRow.Entry { .init(replica: replica, time: time, value: nil) }
}

extension CausalRow {
    /// The join of two states of one key: for each replica the greater entry (Spec MERGE-010).
    ///
    /// O(entries).
    public func merged(with other: CausalRow) -> CausalRow {
        precondition(key == other.key, "only states of one key merge")
        var result: [Entry] = []
        result.reserveCapacity(entries.count + other.entries.count)
        var mine = entries[...]
        var theirs = other.entries[...]
        while let a = mine.first, let b = theirs.first {
            if a.replica == b.replica {
                result.append(a.isBelow(b) ? b : a)
                mine.removeFirst()
                theirs.removeFirst()
            } else if a.replica < b.replica {
                result.append(a)
                mine.removeFirst()
            } else {
                result.append(b)
                theirs.removeFirst()
            }
        }
        return CausalRow(key: key, ascending: result + mine + theirs)
    }

    /// The values not covered, the one with the greatest stamp first: a read returns it (Spec MERGE-012).
    public var values: [Entry] {
        entries.filter { $0.value != nil }.sorted { $1.stamp < $0.stamp }
    }

    /// The time of that replica's entry, 0 without one.
    public func time(of replica: ReplicaID) -> UInt64 {
        entries.first { $0.replica == replica }?.time ?? 0
    }

    /// The state after `stamp`'s replica put a body over what it sees in `row` (Spec MERGE-013).
    public static func putting(
        _ body: [UInt8], at stamp: Stamp, key: Key, over row: CausalRow?
    ) -> CausalRow {
        written(body, at: stamp, key: key, over: row)
    }

    /// The state after `stamp`'s replica deleted what it sees (Spec MERGE-014).
    public func deleting(at stamp: Stamp) -> CausalRow {
        CausalRow.written(nil, at: stamp, key: key, over: self)
    }

    /// The state after a write over the entries of `row` that its author had seen, all of them without `seen`.
    static func written(
        _ value: [UInt8]?, at stamp: Stamp, key: Key, over row: CausalRow?,
        having seen: VersionVector? = nil
    ) -> CausalRow {
        var entries = (row.map { Array($0.entries) } ?? []).map { entry in
            seen.map { entry.time <= $0[entry.replica] } ?? true ? entry.covered : entry
        }
        let own = Entry(replica: stamp.replica, time: stamp.time, value: value)
        let index = entries.partitionIndex { $0.replica < stamp.replica }
        if index < entries.count, entries[index].replica == stamp.replica {
            precondition(entries[index].time < stamp.time, "a write is above its replica's last")
            entries[index] = own
        } else {
            entries.insert(own, at: index)
        }
        return CausalRow(key: key, ascending: entries)
    }
}
