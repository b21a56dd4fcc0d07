/// The name of a row or of a group in its namespace: 1 to 512 opaque bytes, compared as bytes (Spec CONV-002).
public struct Key: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Takes 1 to 512 bytes.
    /// - Throws: `range` (Spec PRIM-004).
    public init(_ bytes: [UInt8]) throws(WireError) {
        guard (1...Limits.maxKey).contains(bytes.count) else {
            throw WireError(.range, .bytesLength)
        }
        self.bytes = bytes
    }

    /// Takes the UTF-8 bytes of a text of 1 to 512 bytes.
    ///
    /// Nothing is normalised.
    /// - Throws: `range` (Spec PRIM-004).
    public init(_ text: String) throws(WireError) { try self.init([UInt8](text.utf8)) }

    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension Key: Comparable {
    /// Byte order, a proper prefix first.
    public static func < (a: Key, b: Key) -> Bool { a.bytes.precedes(b.bytes) }
}

extension Key: ExpressibleByStringLiteral {
    /// A literal of 1 to 512 UTF-8 bytes; another length stops the program.
    public init(stringLiteral text: String) {
        precondition((1...Limits.maxKey).contains(text.utf8.count), "a key is 1 to 512 bytes")
        bytes = [UInt8](text.utf8)
    }
}

extension Key: CustomStringConvertible {
    /// The key as text if it is printable UTF-8, else in hexadecimal after `0x`.
    public var description: String { Hex.readable(bytes) }
}

/// The name of a namespace: 1 to 64 opaque bytes.
public struct NamespaceName: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Takes 1 to 64 bytes.
    /// - Throws: `range` (Spec PRIM-004).
    public init(_ bytes: [UInt8]) throws(WireError) {
        guard (1...Limits.maxName).contains(bytes.count) else {
            throw WireError(.range, .bytesLength)
        }
        self.bytes = bytes
    }

    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension NamespaceName: Comparable {
    /// Byte order, a proper prefix first.
    public static func < (a: NamespaceName, b: NamespaceName) -> Bool { a.bytes.precedes(b.bytes) }
}

extension NamespaceName: ExpressibleByStringLiteral {
    /// A literal of 1 to 64 UTF-8 bytes; another length stops the program.
    public init(stringLiteral text: String) {
        precondition((1...Limits.maxName).contains(text.utf8.count), "a name is 1 to 64 bytes")
        bytes = [UInt8](text.utf8)
    }
}

extension NamespaceName: CustomStringConvertible {
    /// The name as text if it is printable UTF-8, else in hexadecimal after `0x`.
    public var description: String { Hex.readable(bytes) }
}

extension Array where Element == UInt8 {
    /// Byte order, a proper prefix first.
    package func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
