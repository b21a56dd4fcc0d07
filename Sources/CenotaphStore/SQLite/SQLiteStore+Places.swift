public import CenotaphWire

/// Places of keys, in two tables: `place`, which finds them, and `fresh`, where new ones wait.
///
/// A new key's place is appended to `fresh`, at a third of the cost of a row. All that wait are sorted into `place` at
/// once: when they are many, when a place is looked for in a writing transaction, and before one is forgotten. So a
/// load of a million rows rewrites each page of `place` a few times, and not once for each row in it.
extension SQLiteStore {
    /// Notes the place of a key or forgets it; see `Store.setPlace(_:_:_:_:)`.
    public func setPlace(
        _ namespace: Int64, _ place: UInt32, _ key: Key, _ isHeld: Bool
    ) throws(StoreError) {
        if !isHeld { try sortFresh() }
        try run(isHeld ? .putPlace : .dropPlace) { (statement) throws(StoreError) in
            try statement.run(namespace, place, key)
        }
        // SQLite numbers the rows of a table that only grows from 1, and begins anew when it was emptied.
        if isHeld, connection.lastRowNumber >= maxFresh { try sortFresh() }
    }

    /// The keys of some places; see `Store.keys(_:places:)`.
    public func keys(
        _ namespace: Int64, places: [UInt32]
    ) throws(StoreError) -> [(key: Key, place: UInt32)] {
        if isWriting { try sortFresh() }
        var keys: [(key: Key, place: UInt32)] = []
        try read(.keysOfPlace) { (statement) throws(StoreError) in
            for place in places where try statement.find(namespace, place) {
                repeat { keys.append((try statement.key(0), place)) } while try statement.step()
            }
        }
        if !isWriting { try addFresh(to: &keys, namespace, places) }
        return keys
    }

    /// Adds the keys that wait.
    private func addFresh(
        to keys: inout [(key: Key, place: UInt32)], _ namespace: Int64, _ places: [UInt32]
    ) throws(StoreError) {
        guard try hasFresh() else { return }
        var known: [UInt32: Set<Key>] = [:]
        for place in places { known[place] = [] }
        for (key, place) in keys { known[place]?.insert(key) }
        try read(.freshKeys) { (statement) throws(StoreError) in
            try statement.bind(1, namespace)
            while try statement.step() {
                let number = try statement.number(1, "a place")
                guard let place = UInt32(exactly: number), known[place] != nil else { continue }
                let key = try statement.key(0)
                if known[place]?.insert(key).inserted == true { keys.append((key, place)) }
            }
        }
    }

    private func sortFresh() throws(StoreError) {
        guard try hasFresh() else { return }
        try write(.sortFresh) { _ in }
        try write(.dropFresh) { _ in }
    }

    private func hasFresh() throws(StoreError) -> Bool {
        try read(.anyFresh) { (statement) throws(StoreError) in
            guard try statement.step() else { return false }
            return try statement.number(0, "a choice") != 0
        }
    }
}
