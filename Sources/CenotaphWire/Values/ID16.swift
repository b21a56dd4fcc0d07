/// Sixteen bytes: an incarnation, an epoch id, a challenge or a frame's recipient.
public struct ID16: Hashable, Sendable, BitwiseCopyable {
    /// The first eight bytes as a big-endian number.
    public let high: UInt64
    /// The last eight bytes as a big-endian number.
    public let low: UInt64

    /// Makes an id of two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Sixteen zero bytes: every replica as a recipient, the first epoch as an epoch id.
    public static let zero = ID16(high: 0, low: 0)

    /// Sixteen bytes from a random source.
    public static func random(using generator: inout some RandomNumberGenerator) -> ID16 {
        ID16(high: generator.next(), low: generator.next())
    }
}

extension ID16: Comparable {
    /// Byte order.
    public static func < (a: ID16, b: ID16) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }
}

extension ID16: WireEncodable {
    /// Sixteen bytes.
    public var wireSize: Int { 16 }
    /// Appends the sixteen bytes.
    public func write(to writer: inout WireWriter) { writer.id16(self) }
}

extension ID16: CustomStringConvertible {
    /// Thirty-two lower-case hexadecimal digits.
    public var description: String { Hex.string(encoded()) }
}
