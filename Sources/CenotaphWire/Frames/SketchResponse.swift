/// The answer to a sketch that did not tell all (Spec 03, "sketch_resp").
public struct SketchResponse: Hashable, Sendable {
    /// What is answered.
    ///
    /// The wire's form numbers are the order of the cases.
    public enum Answer: Hashable, Sendable {
        /// The sender's own cells, from `first` on.
        case cells(first: Int, [SketchCell])
        /// The sets differ too much; about so many rows.
        case tooMany(estimate: UInt64)
    }

    /// The request that is answered: 1 to `Limits.maxRequest`.
    public var request: UInt64
    /// The namespace.
    public var namespace: NamespaceName
    /// The set.
    public var set: RowSet
    /// The rows that the sender holds in the set.
    public var count: UInt64
    /// What is answered.
    public var answer: Answer

    /// Makes a response.
    public init(
        request: UInt64, namespace: NamespaceName, set: RowSet, count: UInt64, _ answer: Answer
    ) {
        self.request = request
        self.namespace = namespace
        self.set = set
        self.count = count
        self.answer = answer
    }
}

extension SketchResponse: WireEncodable {
    /// Bytes of the body.
    public var wireSize: Int {
        let head =
            WireSize.uvarint(request) + WireSize.byteString(namespace.bytes) + 2
            + WireSize.uvarint(count)
        switch answer {
        case .cells(let first, let cells):
            return head + WireSize.uvarint(first) + WireSize.cells(cells)
        case .tooMany(let estimate): return head + WireSize.uvarint(estimate)
        }
    }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(request)
        writer.byteString(namespace.bytes)
        writer.u8(set.rawValue)
        switch answer {
        case .cells(let first, let cells):
            writer.u8(0)
            writer.uvarint(count)
            writer.uvarint(first)
            writer.cells(cells)
        case .tooMany(let estimate):
            writer.u8(1)
            writer.uvarint(count)
            writer.uvarint(estimate)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        request = try reader.sketchRequest()
        namespace = try reader.name()
        set = try reader.choice()
        let form = try reader.form(atMost: 1)
        count = try reader.uvarint()
        guard form == 0 else {
            answer = .tooMany(estimate: try reader.uvarint())
            return
        }
        let first = Int(try reader.uvarint(atMost: UInt64(Limits.maxCells), .sketchCells))
        answer = .cells(first: first, try reader.cells(from: first, .sketchCells))
    }
}

extension WireReader {
    @_lifetime(self: copy self)
    mutating func sketchRequest() throws(WireError) -> UInt64 {
        let start = offset
        let request = try uvarint(atMost: Limits.maxRequest, .sketchNumbers)
        guard request >= 1 else { throw fail(.range, .sketchNumbers, at: start) }
        return request
    }

    @_lifetime(self: copy self)
    mutating func form(atMost limit: UInt8) throws(WireError) -> UInt8 {
        let start = offset
        let form = try u8()
        guard form <= limit else { throw fail(.range, .listedChoice, at: start) }
        return form
    }

    /// Reads the cells of a sketch from `first` on; they end at `Limits.maxCells`.
    @_lifetime(self: copy self)
    mutating func cells(from first: Int, _ rule: Rule) throws(WireError) -> [SketchCell] {
        let start = offset
        let most = UInt64(Limits.maxCells - first)
        let claimed = try uvarint(atMost: most, rule)
        guard claimed >= 1 else { throw fail(.range, rule, at: start) }
        guard claimed <= UInt64(remaining / SketchCell.size) else {
            throw fail(.truncated, .countFitsInput, at: start)
        }
        var cells: [SketchCell] = []
        cells.reserveCapacity(Int(claimed))
        for _ in 0..<claimed { cells.append(try SketchCell(from: &self)) }
        return cells
    }

    @_lifetime(self: copy self)
    mutating func u32() throws(WireError) -> UInt32 {
        guard remaining >= 4 else { throw fail(.truncated, .valueComplete) }
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 8 | UInt32(try u8()) }
        return value
    }
}

extension WireWriter {
    @_lifetime(self: copy self)
    mutating func cells(_ cells: [SketchCell]) {
        uvarint(cells.count)
        for cell in cells { cell.write(to: &self) }
    }

    @_lifetime(self: copy self)
    mutating func u32(_ value: UInt32) {
        for shift in [24, 16, 8, 0] { u8(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}

extension WireSize {
    static func cells(_ cells: [SketchCell]) -> Int {
        uvarint(cells.count) + SketchCell.size * cells.count
    }
}
