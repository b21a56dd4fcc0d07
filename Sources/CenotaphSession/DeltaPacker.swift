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
            if size + weight > Limits.partSize || pieces.count > 1 { flush() }
            rows.append(piece)
            size += weight
            total += weight
        }
        if pieces.count > 1 { flush() }
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
        guard weight(of: row) > capacity else { return [row] }
        switch row {
        case .logMarker, .lastWriter, .message: return [row]
        case .logEvents(let row):
            return row.events.map { .logEvents(LogRow(key: row.key, event: $0)) }
        case .causal(let row):
            // Values one by one, then what is covered together: no piece hides a value that is not sent yet.
            let values = row.entries.filter { $0.value != nil }
            let covered = row.entries.filter { $0.value == nil }
            let groups = values.map { [$0] } + (covered.isEmpty ? [] : [covered])
            return groups.compactMap { CausalRow(key: row.key, entries: $0).map { .causal($0) } }
        }
    }
}
