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
