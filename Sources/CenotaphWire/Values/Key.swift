/// The name of a row or of a group in its namespace: 1 to 512 opaque bytes, compared as bytes (Spec CONV-002).
///
/// On the wire: its length, uvarint, and its bytes.
public struct Key: Hashable, Sendable {
    /// The first bytes, and zeros behind a shorter key.
    private let head: KeyHead
    /// The number of bytes, 1 to 512.
    public let count: Int
    /// All bytes of a key that is longer than its head; keys such as the text of a UUID need no memory of their own.
    private let long: [UInt8]?

    /// Takes 1 to 512 bytes.
    /// - Throws: `range` (Spec PRIM-004).
    public init(_ bytes: [UInt8]) throws(WireError) {
        guard (1...Limits.maxKey).contains(bytes.count) else {
            throw WireError(.range, .bytesLength)
        }
        self.init(unchecked: bytes)
    }

    /// Takes the UTF-8 bytes of a text of 1 to 512 bytes.
    ///
    /// Nothing is normalised.
    /// - Throws: `range` (Spec PRIM-004).
    public init(_ text: String) throws(WireError) { try self.init([UInt8](text.utf8)) }

    package init(unchecked bytes: [UInt8]) {
        head = unsafe bytes.withUnsafeBytes { unsafe KeyHead($0) }
        count = bytes.count
        long = bytes.count > KeyHead.size ? bytes : nil
    }

    /// Copies 1 to 512 bytes that the caller has counted.
    package init(uncheckedCopy bytes: UnsafeRawBufferPointer) {
        head = unsafe KeyHead(bytes)
        count = bytes.count
        long = unsafe bytes.count > KeyHead.size ? [UInt8](bytes) : nil
    }

    /// The bytes, in a new array for a key of up to 40.
    public var bytes: [UInt8] {
        if let long { return long }
        return unsafe withBytes { unsafe [UInt8]($0) }
    }

    /// Lends the bytes to `body`, which keeps none of them.
    @inline(__always)
    package func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let long {
            return try unsafe long.span.withUnsafeBytes(body)
        }
        // Safety: a key without `long` has at most as many bytes as its head.
        return try unsafe withUnsafeBytes(of: head) { (head) throws(Failure) -> Value in
            try unsafe body(UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
    }

    /// The first eight bytes as a big-endian number, zeros behind a shorter key: keys whose numbers differ are ordered as
    /// these.
    package var prefix: UInt64 { head.words.0.bigEndian }

    /// Whether the keys are the same bytes.
    public static func == (a: Key, b: Key) -> Bool {
        a.count == b.count && a.head == b.head && a.long == b.long
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        unsafe withBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension Key: Comparable {
    /// Byte order, a proper prefix first.
    public static func < (a: Key, b: Key) -> Bool {
        if let order = a.head.precedes(b.head) { return order }
        // Equal heads: the zeros behind a shorter key count as bytes, so that only the lengths tell it from a longer one.
        guard let long = a.long, let other = b.long else { return a.count < b.count }
        return long.precedes(other)
    }
}

extension Key: WireEncodable {
    /// Bytes of the length and the bytes.
    public var wireSize: Int { WireSize.uvarint(count) + count }

    /// Appends the length, then the bytes.
    @inline(__always)
    public func write(to writer: inout WireWriter) {
        writer.uvarint(count)
        unsafe withBytes { unsafe writer.raw($0) }
    }
}

extension Key: ExpressibleByStringLiteral {
    /// A literal of 1 to 512 UTF-8 bytes; another length stops the program.
    public init(stringLiteral text: String) {
        precondition((1...Limits.maxKey).contains(text.utf8.count), "a key is 1 to 512 bytes")
        self.init(unchecked: [UInt8](text.utf8))
    }
}

extension Key: CustomStringConvertible {
    /// The key as text if it is printable UTF-8, else in hexadecimal after `0x`.
    public var description: String { Hex.readable(bytes) }
}

extension Key {
    /// The key of a message: its author's fleet id, then the message id of 1 to 496 bytes (Spec 07, "messages").
    /// - Throws: `range`.
    public init(author: ID16, message: [UInt8]) throws(WireError) {
        guard !message.isEmpty else { throw WireError(.range, .bytesLength) }
        try self.init(author.encoded() + message)
    }

    /// Whether the key is that of a message by the given fleet.
    public func isMessage(by author: ID16) -> Bool {
        count >= Limits.minMessageKey && starts(with: author.encoded())
    }

    /// Whether the key begins with these bytes.
    public func starts(with bytes: [UInt8]) -> Bool {
        unsafe withBytes { unsafe $0.starts(with: bytes) }
    }
}

extension Array where Element == UInt8 {
    /// Byte order, a proper prefix first.
    package func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
