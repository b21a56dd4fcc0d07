internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphWire

/// The operations on messages and on a contact's channel (Spec 05 to 07).
enum MessageOps {
    static func leaf(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try LeafOps.namespaceKey(fields)
        var parts: [Part] = [
            .blob(try fields.bytes("key")), try fields.choice("scope"),
            try fields.choice("delivered"), try fields.choice("hasBase"),
        ]
        if try fields.text("hasBase") == "1" {
            parts += [
                try fields.choice("direction"), .u64(try fields.number("postedAt")),
                .blob(try fields.bytes("body")),
            ]
        }
        parts.append(try fields.choice("hasEdit"))
        if try fields.text("hasEdit") == "1" {
            parts += [
                .u64(try fields.number("editedAt")), .raw(try fields.bytes("opID", width: 16)),
                .blob(try fields.bytes("editBody")),
            ]
        }
        var (out, row) = try LeafOps.leaf(.message, parts, namespace)
        out["set"] = "\(row.set.rawValue)"
        return out
    }

    static func merge(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (merged, table) = try MergeOps.merge(fields, .messages)
        guard case .message(let row) = merged else { throw .malformed("no message") }
        var out = ["merged": Hex.string(row.encoded()), "set": "\(merged.set.rawValue)"]
        out["read"] = table.view[row.key]?.first.map { Hex.string($0) }
        out["duty"] = row.bodyToDeliver.map { Hex.string($0) }
        return out
    }

    static func channelKey(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("channelKey", width: SecretKey.size)
        guard let secret = SecretKey(copying: bytes) else { throw .malformed("no channel key") }
        let (sender, receiver) = (
            try fleet(fields, "sendingFleet"), try fleet(fields, "receivingFleet")
        )
        do throws(WireError) {
            let keys = try ChannelKeys(secret, own: sender, contact: receiver)
            return [
                "keyID": "\(keys.outgoingID)",
                "boxKey": Hex.string(keys.outgoingBoxKeyForVectors),
            ]
        } catch {
            throw .rejected(error)
        }
    }

    static func accept(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (channel, row) = (try channel(fields), try message(fields))
        let accepted = try library { () throws(WireError) in try channel.accepting(row) }
        return ["content": Hex.string(accepted.encoded())]
    }

    static func tell(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (channel, row) = (try channel(fields), try message(fields))
        guard let operation = channel.operation(for: row) else { return ["tells": "0"] }
        return ["tells": "1", "content": Hex.string(operation.encoded())]
    }

    private static func channel(_ fields: Fields) throws(OpFailure) -> MessageChannel {
        let (own, contact) = (try fleet(fields, "own"), try fleet(fields, "contact"))
        guard let channel = MessageChannel(own: own, contact: contact) else {
            throw .malformed("a channel between a fleet and itself")
        }
        return channel
    }

    private static func message(_ fields: Fields) throws(OpFailure) -> MessageRow {
        let content = try fields.bytes("content")
        return try library { () throws(WireError) in
            try decodeWhole(content) { (reader) throws(WireError) in
                try MessageRow(from: &reader)
            }
        }
    }

    private static func fleet(_ fields: Fields, _ name: String) throws(OpFailure) -> ID16 {
        try Fields.value(try fields.bytes(name), width: 16) { (reader) throws(WireError) in
            try reader.id16()
        }
    }
}
