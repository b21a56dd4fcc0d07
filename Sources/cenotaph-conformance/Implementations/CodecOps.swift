internal import CenotaphWire

/// The operations of level L1 (Spec 02 and 03).
enum CodecOps {
    static func uvarint(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        return try library { () throws(WireError) in
            let value = try decodeWhole(bytes) { (reader) throws(WireError) in
                try reader.uvarint()
            }
            return ["value": "\(value)"]
        }
    }

    static func bytes(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        let least = try fields.number("min")
        let most = try fields.number("max")
        guard let least = Int(exactly: least), let most = Int(exactly: most) else {
            throw .malformed("a limit beyond all memory")
        }
        return try library { () throws(WireError) in
            let value = try decodeWhole(bytes) { (reader) throws(WireError) in
                try reader.byteString(least, most)
            }
            return ["value": Hex.string(value)]
        }
    }

    static func stamp(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        return try library { () throws(WireError) in
            let stamp = try decodeWhole(bytes) { (reader) throws(WireError) in
                try reader.stamp()
            }
            return ["time": "\(stamp.time)", "replica": "\(stamp.replica)"]
        }
    }

    static func vector(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        return try library { () throws(WireError) in
            let vector = try decodeWhole(bytes) { (reader) throws(WireError) in
                try VersionVector(from: &reader)
            }
            return FrameFields.vector(vector, "")
        }
    }

    static func frame(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let bytes = try fields.bytes("bytes")
        return try library { () throws(WireError) in
            guard let frame = try Frame.decode(bytes) else { return ["kind": "skip"] }
            return FrameFields.of(frame)
        }
    }
}
