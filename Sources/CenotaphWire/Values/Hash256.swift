/// Thirty-two bytes: a leaf, a fingerprint, a root, or a sum of leaves.
public struct Hash256: Hashable, Sendable, BitwiseCopyable {
    /// The four big-endian words, first to last.
    public let w0, w1, w2, w3: UInt64

    /// Makes a hash of four big-endian words.
    public init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// Thirty-two zero bytes.
    public static let zero = Hash256(0, 0, 0, 0)

    /// The first sixteen bytes, which stand for the hash in range lists.
    public var tag: ID16 { ID16(high: w0, low: w1) }

    /// The sum modulo 2^256 (Spec DIG-002).
    public static func &+ (a: Hash256, b: Hash256) -> Hash256 {
        let (s3, c3) = a.w3.addingReportingOverflow(b.w3)
        let (s2, c2) = add(a.w2, b.w2, c3)
        let (s1, c1) = add(a.w1, b.w1, c2)
        return Hash256(a.w0 &+ b.w0 &+ (c1 ? 1 : 0), s1, s2, s3)
    }

    /// The difference modulo 2^256.
    public static func &- (a: Hash256, b: Hash256) -> Hash256 {
        a &+ Hash256(~b.w0, ~b.w1, ~b.w2, ~b.w3) &+ Hash256(0, 0, 0, 1)
    }

    private static func add(_ a: UInt64, _ b: UInt64, _ carry: Bool) -> (UInt64, Bool) {
        let (partial, first) = a.addingReportingOverflow(b)
        let (sum, second) = partial.addingReportingOverflow(carry ? 1 : 0)
        return (sum, first || second)
    }
}

extension Hash256: WireEncodable {
    /// Thirty-two bytes.
    public var wireSize: Int { 32 }
    /// Appends the thirty-two bytes.
    public func write(to writer: inout WireWriter) { writer.hash(self) }
}

extension Hash256: CustomStringConvertible {
    /// Sixty-four lower-case hexadecimal digits.
    public var description: String { Hex.string(encoded()) }
}
