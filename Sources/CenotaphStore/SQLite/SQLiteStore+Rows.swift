public import CenotaphWire

extension SQLiteStore {
    /// The record of that name; see `Store.record(_:)`.
    public func record(_ name: String) throws(StoreError) -> [UInt8]? {
        try read(.record) { (statement) throws(StoreError) in
            try statement.bind(1, text: name)
            guard try statement.step() else { return nil }
            return try statement.bytes(0, 0...Limits.maxRowContent, "the record '\(name)'")
        }
    }

    /// Writes or removes the record of that name; see `Store.setRecord(_:_:)`.
    public func setRecord(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        precondition(value?.count ?? 0 <= Limits.maxRowContent, "a record is too long")
        try write(value == nil ? .dropRecord : .putRecord) { (statement) throws(StoreError) in
            try statement.bind(1, text: name)
            if let value { try statement.bind(2, value) }
        }
    }

    /// The row at an address; see `Store.row(at:)`.
    public func row(at address: RowAddress) throws(StoreError) -> StoredRow? {
        try read(.row) { (statement) throws(StoreError) in
            guard try statement.find(address) else { return nil }
            return try statement.row(from: 0)
        }
    }

    /// Writes or removes the row at an address; see `Store.setRow(at:_:)`.
    public func setRow(at address: RowAddress, _ row: StoredRow?) throws(StoreError) {
        precondition(row?.content.count ?? 0 <= Limits.maxRowContent, "a content is too long")
        if let row {
            try write(.putRow, address, row)
        } else {
            try write(.dropRow) { (statement) throws(StoreError) in try statement.bind(address) }
        }
        rowChanges &+= 1
    }

    /// Writes a row unless one is there; see `Store.insertRow(at:_:)`.
    public func insertRow(at address: RowAddress, _ row: StoredRow) throws(StoreError) -> Bool {
        precondition(row.content.count <= Limits.maxRowContent, "a content is too long")
        guard try write(.insertRow, address, row) > 0 else { return false }
        rowChanges &+= 1
        return true
    }

    /// Visits keys and leaves in key order; see `Store.scanLeaves(_:_:and:_:_:)`.
    public func scanLeaves(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, Hash256) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let query = Query.leaves(ofBoth: other != nil, isBounded: range.high != nil)
        try scan(query, namespace, shelf, other, range) { (key, statement) throws(StoreError) in
            try visit(key, try statement.hash(1))
        }
    }

    /// Visits rows in key order; see `Store.scanRows(_:_:and:_:_:)`.
    public func scanRows(
        _ namespace: Int64, _ shelf: Shelf, and other: Shelf?, _ range: KeyRange,
        _ visit: (Key, StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let query = Query.rows(ofBoth: other != nil, isBounded: range.high != nil)
        try scan(query, namespace, shelf, other, range) { (key, statement) throws(StoreError) in
            try visit(key, try statement.row(from: 1))
        }
    }

    /// Adds a key to a group or takes it out; see `Store.setMember(_:_:_:_:)`.
    public func setMember(
        _ namespace: Int64, _ group: Key, _ key: Key, _ isMember: Bool
    ) throws(StoreError) {
        try write(isMember ? .putMember : .dropMember) { (statement) throws(StoreError) in
            try statement.bind(1, namespace)
            try statement.bind(2, group)
            try statement.bind(3, key)
        }
    }

    /// The keys of a group, ascending; see `Store.members(_:_:)`.
    public func members(_ namespace: Int64, _ group: Key) throws(StoreError) -> [Key] {
        try read(.members) { (statement) throws(StoreError) in
            try statement.bind(1, namespace)
            try statement.bind(2, group)
            var keys: [Key] = []
            while try statement.step() { keys.append(try statement.key(0)) }
            return keys
        }
    }

    /// Steps through the rows of a range, and asks anew behind the last key when a visitor changed rows: so what is
    /// visited is what the protocol says, not what a running statement happens to see.
    private func scan(
        _ query: Query, _ namespace: Int64, _ shelf: Shelf, _ other: Shelf?, _ range: KeyRange,
        _ visit: (Key, Statement) throws(StoreError) -> Bool
    ) throws(StoreError) {
        openScans += 1
        defer { openScans -= 1 }
        var last: Key?
        var isDone = false
        while !isDone {
            let changes = rowChanges
            isDone = try read(query) { (statement) throws(StoreError) in
                try statement.bind(1, namespace)
                try statement.bind(2, Int64(shelf.rawValue))
                // The least byte string above a key is the key and a zero byte.
                try statement.bind(3, last.map { $0.bytes + [0] } ?? range.low?.bytes ?? [])
                if let high = range.high { try statement.bind(4, high) }
                if let other { try statement.bind(5, Int64(other.rawValue)) }
                while try statement.step() {
                    let key = try statement.key(0)
                    let isAfter = last.map { $0 < key } ?? range.low.map { $0 <= key } ?? true
                    guard isAfter else { throw .corrupt("rows are out of order") }
                    last = key
                    guard try visit(key, statement) else { return true }
                    guard changes == rowChanges else { return false }
                }
                return true
            }
        }
    }
}

extension Statement {
    fileprivate func bind(_ address: RowAddress) throws(StoreError) {
        try bind(1, address.namespace)
        try bind(2, Int64(address.shelf.rawValue))
        try bind(3, address.key)
    }

    /// The row whose leaf, type and content are in three columns from `first` on.
    fileprivate func row(from first: Int32) throws(StoreError) -> StoredRow {
        let leaf = try hash(first)
        let number = try number(first + 1, "a type")
        guard let code = UInt8(exactly: number), let type = RowType(rawValue: code) else {
            throw .corrupt("the type \(number) does not exist")
        }
        let content = try bytes(first + 2, 0...Limits.maxRowContent, "a content")
        return StoredRow(leaf: leaf, type: type, content: content)
    }
}
