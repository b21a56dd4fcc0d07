/// Rows and claims: the body that `reconcile_resp` and `sync_delta` share byte for byte (Spec 03).
public struct Delta: Hashable, Sendable {
    /// The request answered; 0 where nobody asked.
    public var request: UInt64
    /// The part's number within the answer.
    public var part: UInt64
    /// Whether the answer ends here.
    public var last: Bool
    /// The namespace of the rows.
    public var namespace: NamespaceName
    /// The set that the claims speak of.
    public var set: RowSet
    /// The type of all rows.
    public var rowType: RowType
    /// Rows, or pieces of rows, of `rowType`; strictly ascending by key.
    public var rows: [Row]
    /// What the sender holds in ranges that it did not answer with rows.
    public var claims: RangeList

    /// Makes a body.
    public init(
        request: UInt64 = 0, part: UInt64 = 0, last: Bool = true, namespace: NamespaceName,
        set: RowSet, rowType: RowType, rows: [Row], claims: RangeList = RangeList()
    ) {
        self.request = request
        self.part = part
        self.last = last
        self.namespace = namespace
        self.set = set
        self.rowType = rowType
        self.rows = rows
        self.claims = claims
    }

    /// The replicas that the rows name, ascending: the table on the wire.
    public var replicas: [ReplicaID] {
        var replicas: [ReplicaID] = []
        func add(_ replica: ReplicaID) {
            let index = replicas.partitionIndex { $0 < replica }
            if index == replicas.count || replicas[index] != replica {
                replicas.insert(replica, at: index)
            }
        }
        for row in rows { row.forEachStamp { add($0.replica) } }
        return replicas
    }

    /// Bytes that a row takes in a body, its share of the replica table aside.
    public static func size(of row: Row) -> Int {
        switch row {
        case .logEvents(let row):
            row.events.reduce(0) {
                $0 + WireSize.byteString(row.key.bytes) + 2 + 8
                    + WireSize.byteString($1.group.bytes) + WireSize.byteString($1.body)
            }
        case .logMarker(let marker): WireSize.byteString(marker.group.bytes) + 2 + 8
        case .causal(let row):
            row.entries.reduce(
                WireSize.byteString(row.key.bytes) + WireSize.uvarint(row.entries.count)
            ) { $0 + 2 + 8 + 1 + ($1.value.map(WireSize.byteString) ?? 0) }
        case .lastWriter(let row):
            WireSize.byteString(row.key.bytes) + 2 + 8 + 1
                + (row.value.map(WireSize.byteString) ?? 0)
        case .message(let row): row.wireSize
        }
    }
}

/// The replica table of one body, for writing.
private struct ReplicaTable {
    let replicas: [ReplicaID]
    let wide: Bool

    init(_ replicas: [ReplicaID]) {
        self.replicas = replicas
        wide = replicas.count > 128
    }

    func ref(_ replica: ReplicaID) -> Int { replicas.partitionIndex { $0 < replica } }

    /// Bytes of the ref: one below index 128, else two.
    func refSize(_ replica: ReplicaID) -> Int { wide ? WireSize.uvarint(ref(replica)) : 1 }
}

extension Delta: WireEncodable {
    /// Bytes of the body.
    ///
    /// O(rows), sorting the replica table.
    public var wireSize: Int {
        let table = ReplicaTable(replicas)
        var size =
            WireSize.uvarint(request) + WireSize.uvarint(part) + 1
            + WireSize.byteString(namespace.bytes) + 2
            + WireSize.uvarint(table.replicas.count) + 16 * table.replicas.count
            + WireSize.uvarint(wireRowCount) + claims.wireSize
        for row in rows { size += Delta.size(of: row, table) }
        return size
    }

    private static func size(of row: Row, _ table: ReplicaTable) -> Int {
        var size = size(of: row)
        row.forEachStamp { size += table.refSize($0.replica) - 2 }
        return size
    }

    private var wireRowCount: Int {
        rowType != .logEvents
            ? rows.count
            : rows.reduce(0) { count, row in
                if case .logEvents(let row) = row { count + row.events.count } else { count }
            }
    }

    /// Appends the body.
    ///
    /// O(rows), sorting the replica table.
    public func write(to writer: inout WireWriter) {
        let table = ReplicaTable(replicas)
        writer.uvarint(request)
        writer.uvarint(part)
        writer.u8(last ? 1 : 0)
        writer.byteString(namespace.bytes)
        writer.u8(set.rawValue)
        writer.u8(rowType.rawValue)
        writer.uvarint(table.replicas.count)
        for replica in table.replicas { writer.id16(replica.id) }
        writer.uvarint(wireRowCount)
        for row in rows {
            precondition(row.type == rowType, "the rows of a body have one type")
            Delta.write(row, table, to: &writer)
        }
        claims.write(to: &writer)
    }

    private static func write(_ row: Row, _ table: ReplicaTable, to writer: inout WireWriter) {
        switch row {
        case .logEvents(let row):
            for event in row.events {
                writer.byteString(row.key.bytes)
                writer.uvarint(table.ref(event.stamp.replica))
                writer.u64(event.stamp.time)
                writer.byteString(event.group.bytes)
                writer.byteString(event.body)
            }
        case .logMarker(let marker):
            writer.byteString(marker.group.bytes)
            writer.uvarint(table.ref(marker.stamp.replica))
            writer.u64(marker.stamp.time)
        case .causal(let row):
            writer.byteString(row.key.bytes)
            writer.uvarint(row.entries.count)
            for entry in row.entries {
                writer.uvarint(table.ref(entry.replica))
                writer.u64(entry.time)
                writer.value(entry.value)
            }
        case .lastWriter(let row):
            writer.byteString(row.key.bytes)
            writer.uvarint(table.ref(row.stamp.replica))
            writer.u64(row.stamp.time)
            writer.value(row.value)
        case .message(let row): row.write(to: &writer)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        request = try reader.uvarint(atMost: Limits.maxRequest, .deltaNumbers)
        part = try reader.uvarint(atMost: UInt64(Limits.maxParts - 1), .limits)
        last = try reader.flag()
        namespace = try reader.name()
        set = try reader.choice()
        rowType = try reader.choice()
        var rowReader = try DeltaRowReader(from: &reader)
        let size =
            switch rowType {
            case .logEvents: 14
            case .logMarker: 11
            case .causal: 13
            case .lastWriter: 12
            case .message: 22
            }
        rows = []
        for _ in 0..<(try reader.count(size: size)) {
            switch rowType {
            case .logEvents: try rowReader.readEvent(&reader, into: &rows)
            case .logMarker: rows.append(try rowReader.readMarker(&reader, after: rows.last?.key))
            case .causal: rows.append(try rowReader.readCausal(&reader, after: rows.last?.key))
            case .lastWriter:
                rows.append(try rowReader.readLastWriter(&reader, after: rows.last?.key))
            case .message: rows.append(try rowReader.readMessage(&reader, after: rows.last?.key))
            }
        }
        try rowReader.checkTable(reader)
        claims = try RangeList(from: &reader, least: 0, modes: [0, 1, 2, 4])
    }
}
