/// Six bytes that stand for a row in sketches: the place of its key, then the start of its leaf (Spec SKETCH-002).
public struct RowID: Hashable, Sendable, BitwiseCopyable {
    /// The six bytes as a big-endian number, below 2^48.
    public let number: UInt64

    /// Takes the lower 48 bits.
    public init(_ number: UInt64) { self.number = number & 0xffff_ffff_ffff }

    /// Makes the id of a row whose key has the given place, 24 bits, and whose leaf is given.
    public init(place: UInt32, leaf: Hash256) { self.init(UInt64(place) << 24 | leaf.w0 >> 40) }

    /// The place of the row's key: the first three bytes (Spec SKETCH-001).
    public var place: UInt32 { UInt32(truncatingIfNeeded: number >> 24) }

    /// The first four bytes, by which rows are asked for.
    public var prefix: UInt32 { UInt32(truncatingIfNeeded: number >> 16) }
}

extension RowID: Comparable {
    /// Byte order.
    public static func < (a: RowID, b: RowID) -> Bool { a.number < b.number }
}

extension RowID: CustomStringConvertible {
    /// Twelve lower-case hexadecimal digits.
    public var description: String {
        Hex.string((0..<6).map { UInt8(truncatingIfNeeded: number >> (40 - 8 * $0)) })
    }
}
