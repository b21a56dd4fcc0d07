/// A question about one set of one namespace, asked with a sketch (Spec 03, "sketch_req").
public struct SketchRequest: Hashable, Sendable {
    /// What is asked.
    ///
    /// The wire's form numbers are the order of the cases.
    public enum Question: Hashable, Sendable {
        /// What differs from a set of `count` rows with these counters, 128 bytes, and these first cells.
        case open(count: UInt64, counters: [UInt8], cells: [SketchCell])
        /// That many cells of yours, from `first` on.
        case more(first: Int, wanted: Int)
        /// Your rows whose ids begin with these four bytes each, strictly ascending.
        case rows([UInt32])
    }

    /// The requester's number for it: 1 to `Limits.maxRequest`.
    public var request: UInt64
    /// The namespace.
    public var namespace: NamespaceName
    /// The set.
    public var set: RowSet
    /// What is asked.
    public var question: Question

    /// Makes a request.
    public init(request: UInt64, namespace: NamespaceName, set: RowSet, _ question: Question) {
        self.request = request
        self.namespace = namespace
        self.set = set
        self.question = question
    }
}

extension SketchRequest: WireEncodable {
    /// Bytes of the body.
    public var wireSize: Int {
        let head = WireSize.uvarint(request) + WireSize.byteString(namespace.bytes) + 2
        switch question {
        case .open(let count, let counters, let cells):
            return head + WireSize.uvarint(count) + counters.count + WireSize.cells(cells)
        case .more(let first, let wanted):
            return head + WireSize.uvarint(first) + WireSize.uvarint(wanted)
        case .rows(let rows): return head + WireSize.uvarint(rows.count) + 4 * rows.count
        }
    }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(request)
        writer.byteString(namespace.bytes)
        writer.u8(set.rawValue)
        switch question {
        case .open(let count, let counters, let cells):
            writer.u8(0)
            writer.uvarint(count)
            writer.raw(counters)
            writer.cells(cells)
        case .more(let first, let wanted):
            writer.u8(1)
            writer.uvarint(first)
            writer.uvarint(wanted)
        case .rows(let rows):
            writer.u8(2)
            writer.uvarint(rows.count)
            for row in rows { writer.u32(row) }
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        request = try reader.sketchRequest()
        namespace = try reader.name()
        set = try reader.choice()
        switch try reader.form(atMost: 2) {
        case 0:
            question = .open(
                count: try reader.uvarint(), counters: try reader.bytes(Limits.sketchCounters),
                cells: try reader.cells(from: 0, .sketchNumbers))
        case 1:
            let most = UInt64(Limits.maxCells)
            let first = try reader.uvarint(atMost: most, .sketchNumbers)
            let start = reader.offset
            let wanted = try reader.uvarint(atMost: most - first, .sketchNumbers)
            guard wanted >= 1 else { throw reader.fail(.range, .sketchNumbers, at: start) }
            question = .more(first: Int(first), wanted: Int(wanted))
        default:
            var rows: [UInt32] = []
            for _
                in 0..<(try reader.count(
                    least: 1, limit: Limits.maxCells, size: 4, below: .sketchNumbers))
            {
                let start = reader.offset
                let row = try reader.u32()
                try reader.ascends(rows.last, row, .sketchRowsAscend, at: start)
                rows.append(row)
            }
            question = .rows(rows)
        }
    }
}
