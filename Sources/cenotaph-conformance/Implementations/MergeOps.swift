internal import CenotaphMerge
internal import CenotaphWire

/// The operations `merge.*` (Spec 07).
enum MergeOps {
    static func causal(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (merged, table) = try merge(fields, .causal)
        var out = ["merged": Hex.string(merged.encoded()), "set": "\(merged.set.rawValue)"]
        out["read"] = table.view[merged.key]?.first.map { Hex.string($0) }
        return out
    }

    static func lastWriter(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (merged, _) = try merge(fields, .lastWriter)
        return ["merged": Hex.string(merged.encoded()), "set": "\(merged.set.rawValue)"]
    }

    /// Merges two or three contents of one key.
    static func merge(
        _ fields: Fields, _ policy: Policy
    ) throws(OpFailure) -> (Row, RowDictionary) {
        let type = policy.rowType(in: .live)
        var rows: [Row] = []
        for name in ["a", "b", "c"] where name == "a" || fields.values[name] != nil {
            let content = try fields.bytes(name)
            rows.append(
                try library { () throws(WireError) in try Row(type: type, content: content) })
        }
        guard Set(rows.map(\.key)).count == 1 else { throw .malformed("states of several keys") }
        var table = RowDictionary()
        for row in rows { try merge(row, into: &table, under: policy) }
        guard let merged = RowSet.allCases.flatMap({ table.rows($0) }).first else {
            throw .malformed("nothing was merged")
        }
        return (merged, table)
    }

    /// Merges a row; a refusal has the class of the limit that it would exceed (Spec CONV-009).
    private static func merge(
        _ row: Row, into table: inout RowDictionary, under policy: Policy
    ) throws(OpFailure) {
        guard case .refused(let name) = table.merge(row, under: policy) else { return }
        throw .rejected(WireError(name, .rowContentLimit))
    }

    static func log(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let code = UInt8(exactly: try fields.number("code"))
        guard let policy = code.flatMap({ Policy(code: $0) }), case .log = policy else {
            throw .malformed("the code of a log is 1 or 2")
        }
        var table = RowDictionary()
        for step in try fields.text("steps").split(separator: " ") {
            try merge(row(step), into: &table, under: policy)
        }
        return [
            "events": table.rows(.live).flatMap(spelling).joined(separator: " "),
            "markers": table.rows(.tombstones).flatMap(spelling).joined(separator: " "),
            "view": table.view.keys.sorted().map { Hex.string($0.bytes) }.joined(separator: " "),
        ]
    }

    /// One step, `event:KEY:TIME:REPLICA:GROUP:BODY` or `marker:GROUP:TIME:REPLICA`.
    private static func row(_ step: Substring) throws(OpFailure) -> Row {
        let parts = step.split(separator: ":", omittingEmptySubsequences: false)
        let isEvent = parts.first == "event" && parts.count == 6
        guard isEvent || (parts.first == "marker" && parts.count == 4) else {
            throw .malformed("a step that is neither event nor marker")
        }
        let keyBytes = try Fields.hex(parts[1], "steps")
        let time = try Fields.decimal(parts[2], "steps")
        let replica = try Fields.checked(try Fields.hex(parts[3], "steps"), width: 16)
        let key = try library { () throws(WireError) in try Key(keyBytes) }
        let stampBytes = Part.u64(time).encoded() + replica
        let stamp = try library { () throws(WireError) in
            try decodeWhole(stampBytes) { (reader) throws(WireError) in try reader.stamp() }
        }
        guard isEvent else { return .logMarker(LogMarker(group: key, stamp: stamp)) }
        let groupBytes = try Fields.hex(parts[4], "steps")
        let body = try Fields.hex(parts[5], "steps")
        let group = try library { () throws(WireError) in try Key(groupBytes) }
        return .logEvents(
            LogRow(key: key, event: LogEvent(stamp: stamp, group: group, body: body)))
    }

    private static func spelling(_ row: Row) -> [String] {
        switch row {
        case .logEvents(let row):
            row.events.map { event in
                [
                    "event", Hex.string(row.key.bytes), "\(event.stamp.time)",
                    "\(event.stamp.replica)", Hex.string(event.group.bytes), Hex.string(event.body),
                ].joined(separator: ":")
            }
        case .logMarker(let marker):
            [
                [
                    "marker", Hex.string(marker.group.bytes), "\(marker.stamp.time)",
                    "\(marker.stamp.replica)",
                ].joined(separator: ":")
            ]
        case .causal, .lastWriter, .message: []
        }
    }
}
