/// Follows the tables of `Layout` along bytes.
///
/// Every count and length is checked against what remains first.
struct LayoutWalk {
    private(set) var entries: [ByteDump.Entry] = []
    /// The choices read so far, the innermost table last.
    private var scopes: [[String: UInt8]] = [[:]]
    /// The elements of lists that indexes point into.
    private var tables: [String: [String]] = [:]

    mutating func frame(_ reader: inout WireReader) throws(WireError) {
        try fields(Array(Layout.header.prefix(1)), "", &reader)
        let code = scopes[0]["kind"] ?? 0
        if Layout.skipped.contains(code) {
            try rest("skip", nil, nil, &reader)
            return
        }
        guard let kind = FrameKind(rawValue: code), let body = Layout.kinds[kind] else {
            throw WireError(.type, .kindKnown)
        }
        try fields(Array(Layout.header.dropFirst()), "", &reader)
        try fields(body, "", &reader)
    }

    mutating func fields(
        _ fields: [LayoutField], _ path: String, _ reader: inout WireReader
    ) throws(WireError) {
        for field in fields {
            try read(field.type, field.name, LayoutWalk.join(path, field.name), &reader)
        }
    }

    private static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : name.isEmpty ? path : "\(path).\(name)"
    }

    private mutating func note(
        _ start: Int, _ path: String, _ type: String, _ value: String,
        _ reader: borrowing WireReader
    ) {
        entries.append(
            .init(
                offset: start, length: reader.offset - start, path: path, type: type, value: value))
    }

    private mutating func read(
        _ type: LayoutType, _ name: String, _ path: String, _ reader: inout WireReader
    ) throws(WireError) {
        switch type {
        case .u8(let min, let values): try u8(name, path, min, values, &reader)
        case .uvarint(let min, let max, let index):
            try uvarint(path, min, max, index, &reader)
        case .bytes(let min, let max, _): try bytes(path, min, max, &reader)
        case .fixed(let type): try fixed(type, path, &reader)
        case .list(let list): try self.list(list, name, path, &reader)
        case .rest(let min, let max): try rest(path, min, max, &reader)
        case .structure(let name):
            scopes.append([:])
            try fields(Layout.structs[name] ?? [], path, &reader)
            scopes.removeLast()
        case .choice(let field, let cases):
            let value = scopes.last { $0[field] != nil }?[field]
            try fields(value.flatMap { cases[$0] } ?? [], path, &reader)
        }
    }

    private mutating func u8(
        _ name: String, _ path: String, _ min: LayoutBound?, _ values: [UInt8: String],
        _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        let value = try reader.u8()
        let least: UInt8 =
            switch min {
            case .number(let number): number
            case .field(let field): scopes[scopes.count - 1][field] ?? 0
            case nil: 0
            }
        guard value >= least, values.isEmpty || values[value] != nil else {
            throw WireError(.range, .listedChoice, at: start)
        }
        scopes[scopes.count - 1][name] = value
        let meaning = path == "kind" ? FrameKind(rawValue: value)?.name : values[value]
        note(start, path, "u8", meaning.map { "\(value) (\($0))" } ?? "\(value)", reader)
    }

    private mutating func uvarint(
        _ path: String, _ min: UInt64?, _ max: UInt64?, _ index: String?,
        _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        let value = try reader.uvarint(atMost: max ?? .max, .limits)
        guard value >= min ?? 0 else { throw WireError(.range, .limits, at: start) }
        var text = "\(value)"
        if let table = index.flatMap({ tables[$0] }) {
            guard value < UInt64(table.count) else {
                throw WireError(.range, .deltaNumbers, at: start)
            }
            text += " (\(table[Int(value)]))"
        }
        note(start, path, "uvarint", text, reader)
    }

    private mutating func bytes(
        _ path: String, _ min: Int, _ max: Int, _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        let value = try reader.byteString(min, max)
        let size = WireSize.uvarint(value.count)
        entries.append(
            .init(
                offset: start, length: size, path: "\(path).length", type: "uvarint",
                value: "\(value.count)"))
        note(start + size, path, "bytes", LayoutWalk.text(of: value), reader)
    }

    private static func text(of bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "(empty)" }
        let hex = Hex.string(bytes)
        let readable = Hex.readable(bytes)
        return readable == "0x" + hex ? hex : "\(hex) \"\(readable)\""
    }

    private mutating func fixed(
        _ type: LayoutFixed, _ path: String, _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        let value: String =
            switch type {
            case .replica: "\(try reader.replica())"
            case .id16, .tag: "\(try reader.id16())"
            case .hash: "\(try reader.hash())"
            case .time: "\(try reader.time())"
            case .keyID, .nonce, .ids, .checks, .counters, .idPrefix:
                Hex.string(try reader.bytes(type.size))
            }
        note(start, path, type.rawValue, value, reader)
    }

    private mutating func list(
        _ list: LayoutList, _ name: String, _ path: String, _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        let count = try reader.count(
            least: list.least, limit: list.most, size: list.smallest)
        note(start, LayoutWalk.join(path, "count"), "uvarint", "\(count)", reader)
        var elements: [String] = []
        for index in 0..<count {
            try read(list.element, "", LayoutWalk.join(path, "\(index)"), &reader)
            if case .fixed = list.element, let last = entries.last { elements.append(last.value) }
        }
        if case .fixed = list.element { tables[name] = elements }
    }

    private mutating func rest(
        _ path: String, _ min: Int?, _ max: Int?, _ reader: inout WireReader
    ) throws(WireError) {
        let start = reader.offset
        if let min, reader.remaining < min {
            throw WireError(.truncated, .envelope, at: start + reader.remaining)
        }
        if let max, reader.remaining > max {
            throw WireError(.tooLarge, .envelope, at: start + max)
        }
        note(start, path, "rest", LayoutWalk.text(of: try reader.bytes(reader.remaining)), reader)
    }
}
