/// A refusal told to the peer (Spec 03, "error").
public struct ErrorReport: Hashable, Sendable {
    /// The class.
    public var errorClass: ErrorClass
    /// The request refused, or 0.
    public var request: UInt64
    /// The id of the sentence broken; A-Z, 0-9 and hyphen, at most 16.
    public var rule: String
    /// A line for a person, at most 256 bytes of UTF-8; never compared.
    public var detail: String

    /// Makes a report; detail that is too long is cut at a character.
    public init(_ error: WireError, request: UInt64 = 0, detail: String = "") {
        errorClass = error.errorClass
        self.request = request
        rule = error.rule.rawValue
        self.detail = ""
        for character in detail {
            guard self.detail.utf8.count + character.utf8.count <= Limits.maxDetail else { break }
            self.detail.append(character)
        }
    }
}

extension ErrorReport: WireEncodable {
    /// Bytes of the body.
    public var wireSize: Int {
        1 + WireSize.uvarint(request) + WireSize.byteString([UInt8](rule.utf8))
            + WireSize.byteString([UInt8](detail.utf8))
    }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.u8(errorClass.rawValue)
        writer.uvarint(request)
        writer.byteString([UInt8](rule.utf8))
        writer.byteString([UInt8](detail.utf8))
    }

    init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        guard let errorClass = ErrorClass(rawValue: try reader.u8()) else {
            throw WireError(.range, .errorFields, at: start)
        }
        self.errorClass = errorClass
        request = try reader.uvarint(atMost: Limits.maxRequest, .errorFields)
        rule = try ErrorReport.text(&reader, Limits.maxRule) { byte in
            (65...90).contains(byte) || (48...57).contains(byte) || byte == 45
        }
        detail = try ErrorReport.text(&reader, Limits.maxDetail) { _ in true }
    }

    private static func text(
        _ reader: inout WireReader, _ limit: Int, _ allowed: (UInt8) -> Bool
    ) throws(WireError) -> String {
        let start = reader.offset
        let bytes = try reader.byteString(0, limit)
        guard bytes.allSatisfy(allowed), let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.text, .errorFields, at: start)
        }
        return text
    }
}
