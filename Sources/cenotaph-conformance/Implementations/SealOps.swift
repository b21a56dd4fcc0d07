internal import CenotaphSeal
internal import CenotaphWire

/// The operations `seal.*` (Spec 05).
enum SealOps {
    static func key(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let key = try sealKey(fields)
        return ["keyID": "\(key.id)", "boxKey": Hex.string(key.boxKeyForVectors)]
    }

    static func open(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let keys = try fleetKeys(fields)
        let sealed = try fields.bytes("bytes")
        return try library { () throws(WireError) in
            let frame = try Envelope.open(sealed, with: keys)
            _ = try Frame.decode(frame)
            return ["frame": Hex.string(frame)]
        }
    }

    static func seal(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let key = try sealKey(fields)
        let nonce = try fields.bytes("nonce", width: Envelope.nonceSize)
        let frame = Part.raw(try fields.bytes("frame"))
        return try library { () throws(WireError) in
            ["bytes": Hex.string(try Envelope.seal(frame, with: key, nonce: nonce))]
        }
    }

    /// The keys that a case of `seal.*` names, with any digest key.
    static func fleetKeys(_ fields: Fields) throws(OpFailure) -> FleetKeys {
        let fleet = try fleet(fields)
        let key = try sealKey(fields)
        return try library { () throws(WireError) in
            try FleetKeys(fleet: fleet, digestKey: .random(), sealKeys: [key])
        }
    }

    /// The seal key that a case names.
    static func sealKey(_ fields: Fields) throws(OpFailure) -> SealKey {
        guard let secret = SecretKey(copying: try fields.bytes("sealKey", width: SecretKey.size))
        else {
            throw .malformed("a seal key is 32 bytes")
        }
        return SealKey(secret, fleet: try fleet(fields))
    }

    private static func fleet(_ fields: Fields) throws(OpFailure) -> ID16 {
        try Fields.value(try fields.bytes("fleet"), width: 16) { (reader) throws(WireError) in
            try reader.id16()
        }
    }
}
