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
    public var rows: [Row] { didSet { replicas = Delta.replicas(of: rows) } }
    /// The replicas that the rows name, ascending: the table on the wire.
    public private(set) var replicas: [ReplicaID]
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
        replicas = Delta.replicas(of: rows)
        self.claims = claims
    }

    private static func replicas(of rows: [Row]) -> [ReplicaID] {
        var replicas: [ReplicaID] = []
        func add(_ replica: ReplicaID) {
            let index = replicas.partitionIndex { $0 < replica }
            if index == replicas.count || replicas[index] != replica {
                replicas.insert(replica, at: index)
            }
        }
        // Most rows are written by the replica that wrote the one before.
        var last: ReplicaID?
        let rows = rows.span
        for index in rows.indices {
            rows[index].forEachStamp { stamp in
                guard stamp.replica != last else { return }
                last = stamp.replica
                add(stamp.replica)
            }
        }
        return replicas
    }

    /// Bytes that a row takes in a body, its share of the replica table aside.
    public static func size(of row: borrowing Row) -> Int {
        switch row {
        case .logEvents(let row):
            row.events.reduce(0) {
                $0 + row.key.wireSize + 2 + 8
                    + $1.group.wireSize + WireSize.byteString($1.body)
            }
        case .logMarker(let marker): marker.group.wireSize + 2 + 8
        case .causal(let row):
            row.key.wireSize + WireSize.uvarint(row.entries.count)
                + 10 * row.entries.count + row.entries.valueSize
        case .lastWriter(let row):
            row.key.wireSize + 2 + 8 + WireSize.value(row.value)
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
        let rows = rows.span
        for index in rows.indices { size += Delta.size(of: rows[index], table) }
        return size
    }

    private static func size(of row: borrowing Row, _ table: ReplicaTable) -> Int {
        var size = size(of: row)
        if table.wide {
            row.forEachStamp { size += table.refSize($0.replica) - 2 }
        } else {
            size -= row.stampCount
        }
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
        let rows = rows.span
        for index in rows.indices {
            Delta.write(rows[index], rowType, table, to: &writer)
        }
        claims.write(to: &writer)
    }

    private static func write(
        _ row: borrowing Row, _ type: RowType, _ table: ReplicaTable, to writer: inout WireWriter
    ) {
        precondition(row.type == type, "the rows of a body have one type")
        switch row {
        case .logEvents(let row):
            for event in row.events {
                row.key.write(to: &writer)
                writer.uvarint(table.ref(event.stamp.replica))
                writer.u64(event.stamp.time)
                event.group.write(to: &writer)
                writer.byteString(event.body)
            }
        case .logMarker(let marker):
            marker.group.write(to: &writer)
            writer.uvarint(table.ref(marker.stamp.replica))
            writer.u64(marker.stamp.time)
        case .causal(let row):
            row.key.write(to: &writer)
            writer.uvarint(row.entries.count)
            row.entries.visit { entry in
                writer.uvarint(table.ref(entry.replica))
                writer.u64(entry.time)
                writer.value(entry.value)
            }
        case .lastWriter(let row):
            row.key.write(to: &writer)
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
        let count = try reader.count(size: size)
        rows = []
        rows.reserveCapacity(min(count, 1_024))
        for _ in 0..<count {
            switch rowType {
            case .logEvents: try rowReader.readEvent(&reader, into: &rows)
            case .logMarker: rows.append(try rowReader.readMarker(&reader))
            case .causal: rows.append(try rowReader.readCausal(&reader))
            case .lastWriter: rows.append(try rowReader.readLastWriter(&reader))
            case .message: rows.append(try rowReader.readMessage(&reader))
            }
        }
        try rowReader.checkTable(reader)
        replicas = rowReader.replicas
        claims = try RangeList(from: &reader, least: 0, modes: [0, 1, 2, 4])
    }
}
