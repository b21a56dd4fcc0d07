internal import CenotaphDigest
internal import CenotaphSeal
internal import CenotaphWire

/// The operations `leaf.*` (Spec 04).
///
/// The content is written down just as the input gives it, wrong order included; reading it back strictly is
/// the library's judgement of it.
enum LeafOps {
    static func event(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try namespaceKey(fields)
        let parts = try list(fields, .logEvents) { (index) throws(OpFailure) in
            [
                .u64(try fields.number("\(index).time")),
                .raw(try fields.bytes("\(index).replica", width: 16)),
                .blob(try key(fields, "\(index).group")), .blob(try fields.bytes("\(index).body")),
            ]
        }
        return try leaf(.logEvents, parts, namespace).out
    }

    static func marker(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try namespaceKey(fields)
        let parts: [Part] = [
            .blob(try key(fields, "group")), .u64(try fields.number("time")),
            .raw(try fields.bytes("replica", width: 16)),
        ]
        return try leaf(.logMarker, parts, namespace).out
    }

    static func causal(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try namespaceKey(fields)
        let parts = try list(fields, .causal) { (index) throws(OpFailure) in
            let head: [Part] = [
                .raw(try fields.bytes("\(index).replica", width: 16)),
                .u64(try fields.number("\(index).time")),
                try fields.choice("\(index).state"),
            ]
            guard try fields.number("\(index).state") == 1 else { return head }
            return head + [.blob(try fields.bytes("\(index).body"))]
        }
        var (out, row) = try leaf(.causal, parts, namespace)
        out["set"] = "\(row.set.rawValue)"
        return out
    }

    static func lastWriter(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try namespaceKey(fields)
        var parts: [Part] = [
            .blob(try key(fields, "key")), .u64(try fields.number("time")),
            .raw(try fields.bytes("replica", width: 16)),
            try fields.choice("state"),
        ]
        if try fields.number("state") == 1 { parts.append(.blob(try fields.bytes("body"))) }
        var (out, row) = try leaf(.lastWriter, parts, namespace)
        out["set"] = "\(row.set.rawValue)"
        return out
    }

    /// The key and the elements of a row, element by element: one that no content can hold is judged after those before it
    /// (Spec CONV-005).
    private static func list(
        _ fields: Fields, _ type: RowType, _ element: (Int) throws(OpFailure) -> [Part]
    ) throws(OpFailure) -> [Part] {
        let key = Part.blob(try key(fields, "key"))
        let count = try fields.count()
        if type == .causal, count > Limits.maxVector {
            throw .rejected(WireError(.range, .limits))
        }
        var elements: [Part] = []
        for index in 0..<count {
            do throws(OpFailure) {
                elements += try element(index)
            } catch {
                guard case .rejected = error, index > 0 else { throw error }
                let before = Parts(parts: [key, .count(index)] + elements).encoded()
                _ = try library { () throws(WireError) in try Row(type: type, content: before) }
                throw error
            }
        }
        return [key, .count(count)] + elements
    }

    /// The namespace key that an operation's `digestKey` and `namespace` make.
    static func namespaceKey(_ fields: Fields) throws(OpFailure) -> NamespaceKey {
        let bytes = try fields.bytes("namespace")
        return try DigestOps.keys(fields).namespaceKey(
            try library { () throws(WireError) in try NamespaceName(bytes) })
    }

    /// The bytes of a key or group that the library takes.
    ///
    /// It is asked before the content is read back, where a short one might look like a count that does not fit.
    private static func key(_ fields: Fields, _ name: String) throws(OpFailure) -> [UInt8] {
        let bytes = try fields.bytes(name)
        return try library { () throws(WireError) in try Key(bytes).bytes }
    }

    static func leaf(
        _ type: RowType, _ parts: [Part], _ namespace: NamespaceKey
    ) throws(OpFailure) -> (out: [String: String], row: Row) {
        let content = Parts(parts: parts).encoded()
        let row = try library { () throws(WireError) in try Row(type: type, content: content) }
        return (
            ["content": Hex.string(row.encoded()), "leaf": "\(namespace.leaf(of: row))"], row
        )
    }
}

/// A primitive, written without any check of its value.
enum Part: WireEncodable {
    case count(Int)
    case u64(UInt64)
    case raw([UInt8])
    case blob([UInt8])

    var wireSize: Int {
        switch self {
        case .count(let count): WireSize.uvarint(count)
        case .u64: 8
        case .raw(let bytes): bytes.count
        case .blob(let bytes): WireSize.byteString(bytes)
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .count(let count): writer.uvarint(count)
        case .u64(let number): writer.u64(number)
        case .raw(let bytes): writer.raw(bytes)
        case .blob(let bytes): writer.byteString(bytes)
        }
    }
}

private struct Parts: WireEncodable {
    let parts: [Part]

    var wireSize: Int { parts.reduce(0) { $0 + $1.wireSize } }

    func write(to writer: inout WireWriter) {
        for part in parts { part.write(to: &writer) }
    }
}
