public import CenotaphSeal
public import CenotaphWire

/// The number and the sum of a set's leaves: all that a fingerprint is made of (Spec DIG-002).
///
/// Content: count (8, big-endian), sum (32).
public struct SetSum: Hashable, Sendable {
    /// The number of leaves.
    public private(set) var count: UInt64
    /// The leaves' sum modulo 2^256.
    public private(set) var sum: Hash256

    /// The sum of no leaves.
    public init() {
        count = 0
        sum = .zero
    }

    /// Adds a leaf.
    ///
    /// O(1).
    public mutating func add(_ leaf: Hash256) {
        count &+= 1
        sum = sum &+ leaf
    }

    /// Takes out a leaf that was added before.
    ///
    /// O(1).
    public mutating func remove(_ leaf: Hash256) {
        precondition(count > 0, "a leaf that was never added")
        count -= 1
        sum = sum &- leaf
    }

    /// The fingerprint of this set under a namespace's key (Spec DIG-003).
    ///
    /// O(1).
    public func fingerprint(_ set: RowSet, _ key: NamespaceKey) -> Hash256 {
        key.hash(tag: 0x10 + set.rawValue, self)
    }
}

extension SetSum: WireEncodable {
    /// Forty bytes.
    public var wireSize: Int { 40 }

    /// Appends count and sum.
    public func write(to writer: inout WireWriter) {
        writer.u64(count)
        writer.hash(sum)
    }

    /// Reads count and sum.
    /// - Throws: `truncated`.
    public init(from reader: inout WireReader) throws(WireError) {
        count = try reader.u64()
        sum = try reader.hash()
    }
}
