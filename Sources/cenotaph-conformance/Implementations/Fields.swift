internal import CenotaphWire

/// Why an operation has no result.
enum OpFailure: Error, Hashable {
    /// The library rejects the input.
    case rejected(WireError)
    /// The request itself makes no sense: a vector or a checker is wrong.
    case malformed(String)
    /// The operation is not known.
    case unsupported
}

/// The input of an operation: flat strings (Spec 11).
struct Fields {
    let values: [String: String]

    func text(_ name: String) throws(OpFailure) -> String {
        guard let value = values[name] else { throw .malformed("no field \(name)") }
        return value
    }

    func bytes(_ name: String) throws(OpFailure) -> [UInt8] {
        try Fields.hex(try text(name), name)
    }

    /// Bytes of a fixed width; another width is `range` (Spec 11, "Operations").
    func bytes(_ name: String, width: Int) throws(OpFailure) -> [UInt8] {
        try Fields.checked(try bytes(name), width: width)
    }

    func number(_ name: String) throws(OpFailure) -> UInt64 {
        try Fields.decimal(try text(name), name)
    }

    /// A count of further fields; each of them is there, so the count bounds nothing more.
    func count() throws(OpFailure) -> Int {
        let count = try number("count")
        guard count <= UInt64(values.count) else {
            throw .malformed("a count that does not fit its fields")
        }
        return Int(count)
    }

    static func checked(_ bytes: [UInt8], width: Int) throws(OpFailure) -> [UInt8] {
        guard bytes.count == width else { throw .rejected(WireError(.range, .bytesLength)) }
        return bytes
    }

    /// A choice as the byte of a content; a number that no byte holds is `range` (Spec PRIM-008).
    func choice(_ name: String) throws(OpFailure) -> Part {
        guard let byte = UInt8(exactly: try number(name)) else {
            throw .rejected(WireError(.range, .listedChoice))
        }
        return .raw([byte])
    }

    /// Bytes in lower-case hexadecimal; upper case is no spelling of a value (Spec 11).
    static func hex(_ text: some StringProtocol, _ name: String) throws(OpFailure) -> [UInt8] {
        guard let bytes = Hex.bytes(text), Hex.string(bytes) == text
        else { throw .malformed("\(name) is not lower-case hexadecimal") }
        return bytes
    }

    /// A value of fixed width, read by the library.
    static func value<Value>(
        _ bytes: [UInt8], width: Int, _ read: (inout WireReader) throws(WireError) -> Value
    ) throws(OpFailure) -> Value {
        let bytes = try checked(bytes, width: width)
        return try library { () throws(WireError) in try decodeWhole(bytes, .valueEnds, read) }
    }

    static func decimal(_ text: some StringProtocol, _ name: String) throws(OpFailure) -> UInt64 {
        guard let number = UInt64(text), "\(number)" == text else {
            throw .malformed("\(name) is not a number in decimal")
        }
        return number
    }
}

/// Runs library code and turns its rejection into an operation's.
func library<Value>(
    _ body: () throws(WireError) -> Value
) throws(OpFailure) -> Value {
    do {
        return try body()
    } catch {
        throw .rejected(error)
    }
}
