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
        let nonce = try fields.bytes("nonce")
        let frame = Part.raw(try fields.bytes("frame"))
        guard nonce.count == Envelope.nonceSize else { throw .malformed("a nonce is 24 bytes") }
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
        guard let secret = SecretKey(copying: try fields.bytes("sealKey")) else {
            throw .malformed("a seal key is 32 bytes")
        }
        return SealKey(secret, fleet: try fleet(fields))
    }

    private static func fleet(_ fields: Fields) throws(OpFailure) -> ID16 {
        let bytes = try fields.bytes("fleet")
        return try library { () throws(WireError) in
            try decodeWhole(bytes) { (reader) throws(WireError) in try reader.id16() }
        }
    }
}
