internal import CenotaphSeal
internal import CenotaphWire

/// The operations `relay.*` (Spec 13).
enum RelayOps {
    static func room(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let digestKey = try key(fields, "digestKey")
        let fleet = try id(fields, "fleet")
        do {
            let keys = try FleetKeys(
                fleet: fleet, digestKey: digestKey, sealKeys: [SealKey(.random(), fleet: fleet)])
            return ["room": "\(keys.relayRoom)"]
        } catch {
            throw .rejected(error)
        }
    }

    static func channel(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let secret = try key(fields, "channelKey")
        let own = try id(fields, "own")
        let contact = try id(fields, "contact")
        do {
            return ["room": "\(try ChannelKeys(secret, own: own, contact: contact).relayRoom)"]
        } catch {
            throw .rejected(error)
        }
    }

    static func greeting(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        switch try library({ () throws(WireError) in try RelayGreeting.read(bytes) }) {
        case .unfinished: return ["state": "unfinished"]
        case .otherVersion: return ["state": "version"]
        case .whole(let greeting, let size):
            return [
                "state": "whole", "size": "\(size)", "room": "\(greeting.room)",
                "token": Hex.string(greeting.token),
            ]
        }
    }

    static func record(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        let isToRelay = try fields.number("toRelay") == 1
        return try library { () throws(WireError) in
            var deframer = RelayDeframer(
                longestNotice: isToRelay
                    ? RelayNotice.longestToRelay : RelayNotice.longestToClient)
            deframer.append(bytes)
            guard let record = try deframer.next() else { return ["state": "unfinished"] }
            let size = bytes.count - deframer.held
            let out = ["state": "whole", "size": "\(size)", "number": "\(record.number)"]
            guard record.number == 0 else { return out }
            let notice = try RelayNotice(record.payload)
            guard isSent(notice, toRelay: isToRelay) else { throw WireError(.type, .relayNotice) }
            return out.merging(self.fields(of: notice)) { $1 }
        }
    }

    private static func isSent(_ notice: RelayNotice, toRelay: Bool) -> Bool {
        switch notice {
        case .taken: true
        case .ping: toRelay
        case .members, .arrived, .departed, .pong, .closing: !toRelay
        }
    }

    private static func fields(of notice: RelayNotice) -> [String: String] {
        switch notice {
        case .members(let numbers):
            ["notice": "members", "members": numbers.map { "\($0)" }.joined(separator: " ")]
        case .arrived(let number): ["notice": "arrived", "who": "\(number)"]
        case .departed(let number): ["notice": "departed", "who": "\(number)"]
        case .ping: ["notice": "ping"]
        case .pong: ["notice": "pong"]
        case .closing(let reason):
            ["notice": "closing"].merging(reason.map { ["reason": "\($0.rawValue)"] } ?? [:]) { $1 }
        case .taken(let number, let bytes):
            ["notice": "taken", "who": "\(number)", "bytes": "\(bytes)"]
        }
    }

    private static func key(_ fields: Fields, _ name: String) throws(OpFailure) -> SecretKey {
        guard let key = SecretKey(copying: try fields.bytes(name, width: SecretKey.size)) else {
            throw .malformed("a key is 32 bytes")
        }
        return key
    }

    private static func id(_ fields: Fields, _ name: String) throws(OpFailure) -> ID16 {
        try Fields.value(try fields.bytes(name, width: 16), width: 16) {
            (reader) throws(WireError) in
            try reader.id16()
        }
    }
}
