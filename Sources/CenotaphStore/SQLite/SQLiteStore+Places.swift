public import CenotaphWire

/// Places of keys, in two tables: `place`, which finds them, and `fresh`, where new ones wait.
///
/// A new key's place is appended to `fresh`, at a third of the cost of a row. All that wait are sorted into `place` at
/// once: when they are many, when a place is looked for in a writing transaction, and before one is forgotten. So a
/// load of a million rows rewrites each page of `place` some times, and not once for each row in it.
extension SQLiteStore {
    /// Most places that wait: more are sorted in for the same price each, and reading transactions pass all of them.
    package static let maxFresh: Int64 = 65_536

    /// Notes the place of a key or forgets it; see `Store.setPlace(_:_:_:_:)`.
    public func setPlace(
        _ namespace: Int64, _ place: UInt32, _ key: Key, _ isHeld: Bool
    ) throws(StoreError) {
        if !isHeld { try sortFresh() }
        try run(isHeld ? .putPlace : .dropPlace) { (statement) throws(StoreError) in
            try statement.run(namespace, place, key)
        }
        // SQLite numbers the rows of a table that only grows from 1, and begins anew when it was emptied.
        if isHeld, connection.lastRowNumber >= SQLiteStore.maxFresh { try sortFresh() }
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
        if !isWriting { keys += try freshKeys(namespace, places, except: keys.map(\.key)) }
        return keys
    }

    /// The keys of some places that only wait.
    private func freshKeys(
        _ namespace: Int64, _ places: [UInt32], except known: [Key]
    ) throws(StoreError) -> [(key: Key, place: UInt32)] {
        guard try hasFresh() else { return [] }
        let places = Set(places)
        var known = Set(known)
        return try read(.freshKeys) { (statement) throws(StoreError) in
            try statement.bind(1, namespace)
            var keys: [(key: Key, place: UInt32)] = []
            while try statement.step() {
                guard let place = UInt32(exactly: try statement.number(1, "a place")),
                    places.contains(place)
                else { continue }
                let key = try statement.key(0)
                if known.insert(key).inserted { keys.append((key, place)) }
            }
            return keys
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
