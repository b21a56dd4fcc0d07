internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphWire

/// The operations on sets, schemas and summaries (Spec 04 and 01).
enum DigestOps {
    static func fingerprint(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let question = try Question(fields)
        var sum = SetSum()
        for item in question.items { sum.add(item.leaf) }
        return [
            "count": "\(sum.count)", "sum": "\(sum.sum)",
            "fingerprint": "\(sum.fingerprint(question.set, question.key))",
        ]
    }

    static func split(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let question = try Question(fields)
        var describer = RangeDescriber(
            question.range, question.set, count: question.items.count, key: question.key)
        for item in question.items { describer.feed(item.key, item.leaf) }
        // The describer leads up to the range with a skip; the description begins after it.
        let entries = describer.finish().entries.drop { $0.content == .skip }
        var description = RangeList()
        for entry in entries { description.append(KeyRange(to: entry.high), entry.content) }
        let bytes = description.encoded().dropFirst(WireSize.uvarint(entries.count))
        return ["description": Hex.string(bytes)]
    }

    static func root(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let key = try LeafOps.namespaceKey(fields)
        let live = try hash(fields, "live")
        let tombstones = try hash(fields, "tombstones")
        return ["root": "\(key.root(live: live, tombstones: tombstones))"]
    }

    static func schema(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let keys = try keys(fields)
        var entries: [(name: NamespaceName, code: UInt8)] = []
        for index in 0..<(try fields.count()) {
            let bytes = try fields.bytes("\(index).name")
            let name = try library { () throws(WireError) in try NamespaceName(bytes) }
            let code = UInt8(exactly: try fields.number("\(index).code"))
            // The library has no policy for the reserved codes 4 and 5, which have a fingerprint all the same.
            guard let code, (1...5).contains(code) else {
                throw .rejected(WireError(.range, .listedChoice))
            }
            entries.append((name, code))
        }
        do throws(SchemaError) {
            _ = try Schema(entries.map { Namespace($0.name, .causal) })
        } catch {
            switch error {
            case .count: throw .rejected(WireError(.range, .limits))
            case .duplicate: throw .rejected(WireError(.duplicate, .listAscends))
            case .parent: throw .malformed("a schema without parents has none that is wrong")
            }
        }
        return ["fingerprint": "\(keys.schemaFingerprint(entries))"]
    }

    static func summary(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let keys = try keys(fields)
        let epoch = try Fields.value(try fields.bytes("epoch"), width: 16) {
            (reader) throws(WireError) in try reader.id16()
        }
        var parts: [SummaryPart] = []
        for index in 0..<(try fields.count()) {
            let name = try fields.bytes("\(index).name")
            let root = try hash(fields, "\(index).root")
            let knowledge = try fields.bytes("\(index).knowledge")
            parts.append(
                try library { () throws(WireError) in
                    SummaryPart(
                        name: try NamespaceName(name), root: root,
                        knowledge: try decodeWhole(knowledge) { (reader) throws(WireError) in
                            try VersionVector(from: &reader)
                        })
                })
        }
        return ["summary": "\(keys.summary(epoch: epoch, parts))"]
    }

    /// Fleet keys with the digest key of an operation; the seal key plays no part in it.
    static func keys(_ fields: Fields) throws(OpFailure) -> FleetKeys {
        guard
            let digestKey = SecretKey(copying: try fields.bytes("digestKey", width: SecretKey.size))
        else {
            throw .malformed("a digest key is 32 bytes")
        }
        do {
            return try FleetKeys(
                fleet: .zero, digestKey: digestKey, sealKeys: [SealKey(.random(), fleet: .zero)])
        } catch {
            throw .rejected(error)
        }
    }

    static func hash(_ fields: Fields, _ name: String) throws(OpFailure) -> Hash256 {
        try hash(try fields.bytes(name))
    }

    fileprivate static func hash(_ bytes: [UInt8]) throws(OpFailure) -> Hash256 {
        try Fields.value(bytes, width: 32) { (reader) throws(WireError) in try reader.hash() }
    }
}

/// The common input of `fingerprint` and `split`.
private struct Question {
    let key: NamespaceKey
    let set: RowSet
    let range: KeyRange
    /// The rows in the range, ascending.
    let items: [(key: Key, leaf: Hash256)]

    init(_ fields: Fields) throws(OpFailure) {
        key = try LeafOps.namespaceKey(fields)
        let code = UInt8(exactly: try fields.number("set"))
        guard let set = code.flatMap({ RowSet(rawValue: $0) }) else {
            throw .rejected(WireError(.range, .listedChoice))
        }
        self.set = set
        range = KeyRange(
            from: try Question.bound(fields, "lo"), to: try Question.bound(fields, "hi"))
        var items: [(key: Key, leaf: Hash256)] = []
        for item in try fields.text("items").split(separator: " ") {
            let halves = item.split(separator: ":", omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw .malformed("an item is key:leaf") }
            let keyBytes = try Fields.hex(halves[0], "items")
            let key = try library { () throws(WireError) in try Key(keyBytes) }
            if let last = items.last?.key, !(last < key) { throw .malformed("items ascend") }
            items.append((key, try DigestOps.hash(try Fields.hex(halves[1], "items"))))
        }
        let range = range
        self.items = items.filter { range.contains($0.key) }
    }

    private static func bound(_ fields: Fields, _ name: String) throws(OpFailure) -> Key? {
        let bytes = try fields.bytes(name)
        guard !bytes.isEmpty else { return nil }
        return try library { () throws(WireError) in try Key(bytes) }
    }
}
