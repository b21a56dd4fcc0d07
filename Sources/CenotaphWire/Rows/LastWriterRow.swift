/// The state of one key under the `lastWriter` policy: its greatest write (Spec 07, "lastWriter").
///
/// Content: bytes key, stamp (24), state (1: 0 deleted, 1 value) and, for a value, bytes body.
public struct LastWriterRow: Hashable, Sendable {
    /// The key.
    public let key: Key
    /// The write.
    public let stamp: Stamp
    /// The body, 0 to 983,040 bytes; `nil` once deleted.
    public let value: [UInt8]?

    /// Makes a row.
    public init(key: Key, stamp: Stamp, value: [UInt8]?) {
        self.key = key
        self.stamp = stamp
        self.value = value
    }
}

extension LastWriterRow: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int {
        key.wireSize + 24 + WireSize.value(value)
    }

    /// Appends the canonical content.
    public func write(to writer: inout WireWriter) {
        key.write(to: &writer)
        writer.stamp(stamp)
        writer.value(value)
    }

    /// Reads a canonical content.
    /// - Throws: `truncated`, `noncanonical`, `range` (Spec LEAF-004).
    public init(from reader: inout WireReader) throws(WireError) {
        key = try reader.key()
        stamp = try reader.stamp()
        value = try reader.value()
    }
}

extension WireWriter {
    /// Appends a state byte, 0 without a value and 1 before one, and the value's byte string.
    @_lifetime(self: copy self)
    mutating func value(_ value: [UInt8]?) {
        u8(value == nil ? 0 : 1)
        if let value { byteString(value) }
    }
}

extension WireSize {
    /// Bytes of a state byte and of the value's byte string.
    @inline(__always)
    static func value(_ value: [UInt8]?) -> Int {
        guard let value else { return 1 }
        return 1 + byteString(value)
    }
}

extension WireReader {
    /// Reads a state byte and, after 1, a body.
    /// - Throws: `truncated`, `noncanonical`, `range`.
    @_lifetime(self: copy self)
    mutating func value() throws(WireError) -> [UInt8]? {
        try flag() ? try byteString(0, Limits.maxBody) : nil
    }
}
