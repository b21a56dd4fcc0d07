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

    func number(_ name: String) throws(OpFailure) -> UInt64 {
        try Fields.decimal(try text(name), name)
    }

    /// A count of further fields; each of them is there, so the count bounds nothing more.
    func count() throws(OpFailure) -> Int {
        guard let count = Int(try text("count")), (0...values.count).contains(count) else {
            throw .malformed("a count that does not fit its fields")
        }
        return count
    }

    static func hex(_ text: some StringProtocol, _ name: String) throws(OpFailure) -> [UInt8] {
        guard let bytes = Hex.bytes(text) else { throw .malformed("\(name) is not hexadecimal") }
        return bytes
    }

    static func decimal(_ text: some StringProtocol, _ name: String) throws(OpFailure) -> UInt64 {
        guard let number = UInt64(text) else { throw .malformed("\(name) is not a number") }
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
