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
