public import CenotaphWire

/// Packs rows and claims into bodies of about `Limits.partSize` bytes (Spec WIRE-054, WIRE-055).
public struct DeltaPacker {
    /// What a frame can hold beside rows and claims: header, numbers, names, counts.
    private static let overhead = 256
    /// Most bytes of one row, its replicas included, in one frame.
    private static let capacity = Limits.maxFrame - overhead

    private let request: UInt64
    private let namespace: NamespaceName
    private let set: RowSet
    private let rowType: RowType
    private var rows: [Row] = []
    private var claims = RangeList()
    private var size = 0
    /// The replicas that the rows of this part name.
    private var writers: Set<ReplicaID> = []
    private var parts: [Delta] = []
    /// Bytes packed so far, about.
    public private(set) var total = 0

    /// Packs rows of one type in answer to a request, or unasked for request 0.
    public init(request: UInt64 = 0, namespace: NamespaceName, set: RowSet, rowType: RowType) {
        self.request = request
        self.namespace = namespace
        self.set = set
        self.rowType = rowType
    }

    /// Adds a row; rows come in key order.
    public mutating func add(_ row: Row) {
        let pieces = DeltaPacker.pieces(of: row)
        for piece in pieces {
            let weight = DeltaPacker.weight(of: piece)
            let names = piece.stamps.map(\.replica)
            // Pieces of one key cannot stand in one part, and a part names at most 1,024 replicas.
            if pieces.count > 1 || size + weight > Limits.partSize || !hasRoom(for: names) {
                flush()
            }
            rows.append(piece)
            writers.formUnion(names)
            size += weight
            total += weight
            // A part that is full takes no claims either.
            if pieces.count > 1 || size > Limits.partSize { flush() }
        }
    }

    private func hasRoom(for names: [ReplicaID]) -> Bool {
        guard writers.count + names.count > Limits.maxVector else { return true }
        return writers.union(names).count <= Limits.maxVector
    }

    /// Lets `extend` add at most `RangeDescriber.maxEntries` entries to the claims.
    public mutating func addClaims<Failure: Error>(
        _ extend: (RangeList) throws(Failure) -> RangeList
    ) throws(Failure) {
        if claims.entries.count + 2 * Limits.rangeFanout > Limits.maxRanges { flush() }
        let before = claims.isEmpty ? 0 : claims.wireSize
        claims = try extend(claims)
        let grown = claims.wireSize - before
        size += grown
        total += grown
        if size > Limits.partSize { flush() }
    }

    private mutating func flush() {
        guard !rows.isEmpty || !claims.isEmpty else { return }
        parts.append(part(last: false))
        rows = []
        writers = []
        claims = RangeList()
        size = 0
    }

    private func part(last: Bool) -> Delta {
        Delta(
            request: request, part: UInt64(parts.count), last: last, namespace: namespace,
            set: set, rowType: rowType, rows: rows, claims: claims)
    }

    /// The parts; an answer has at least one, and the last says so.
    public consuming func finish() -> [Delta] {
        parts.append(part(last: true))
        return parts
    }

    /// The bodies to send unasked: each stands alone.
    public consuming func finishUnasked() -> [Delta] {
        flush()
        return parts.map { part in
            var part = part
            part.part = 0
            part.last = true
            return part
        }
    }

    /// Most bytes that the row can take in a body, with a table entry for each write.
    private static func weight(of row: Row) -> Int {
        Delta.size(of: row) + 16 * row.stamps.count
    }

    /// The row whole where a frame can hold it, else smaller states of the same key that join to it.
    static func pieces(of row: Row) -> [Row] {
        let weight = weight(of: row)
        guard weight > capacity || row.stamps.count > Limits.maxVector else { return [row] }
        // Even the greatest row makes few enough parts.
        let most = min(max(Limits.partSize, weight / (Limits.maxParts / 4)), capacity)
        switch row {
        case .logMarker, .lastWriter, .message: return [row]
        case .logEvents(let row):
            return chunks(row.events, of: most) { event in
                Delta.size(of: .logEvents(LogRow(key: row.key, event: event))) + 16
            }.compactMap { LogRow(key: row.key, events: Array($0)).map { .logEvents($0) } }
        case .causal(let row):
            // Values first, then what is covered together: no piece hides a value that is not sent yet.
            let values = row.entries.filter { $0.value != nil }
            let covered = row.entries.filter { $0.value == nil }
            let groups = chunks(values, of: most) { entry in
                32 + row.key.count + (entry.value?.count ?? 0)
            }
            return (groups + (covered.isEmpty ? [] : [covered[...]])).compactMap {
                CausalRow(key: row.key, entries: Array($0)).map { .causal($0) }
            }
        }
    }

    /// Cuts a list into runs of at most `most` bytes and 1,024 elements; one larger element stands alone.
    private static func chunks<Element>(
        _ list: [Element], of most: Int, _ weight: (Element) -> Int
    ) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = 0
        var size = 0
        for (index, element) in list.enumerated() {
            let next = weight(element)
            if index > start, size + next > most || index - start == Limits.maxVector {
                chunks.append(list[start..<index])
                start = index
                size = 0
            }
            size += next
        }
        if start < list.count { chunks.append(list[start...]) }
        return chunks
    }
}
