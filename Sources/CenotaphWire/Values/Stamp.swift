/// The name of one write: when, and by which replica (Spec 01, "Times and stamps").
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | time, big-endian: 48 bits of milliseconds since 1970, 16 bits of counter |
/// | 8 | 16 | replica |
public struct Stamp: Hashable, Sendable, BitwiseCopyable {
    /// The time: 1 to `Limits.maxTime`.
    public let time: UInt64
    /// The replica that wrote.
    public let replica: ReplicaID

    /// Makes a stamp.
    public init(time: UInt64, replica: ReplicaID) {
        self.time = time
        self.replica = replica
    }

    /// The time's milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: UInt64 { time >> 16 }
}

extension Stamp: Comparable {
    /// By time, then by the replica's bytes (Spec MODEL-004).
    public static func < (a: Stamp, b: Stamp) -> Bool {
        a.time != b.time ? a.time < b.time : a.replica < b.replica
    }
}

extension Stamp: WireEncodable {
    /// Twenty-four bytes.
    public var wireSize: Int { 24 }
    /// Appends time and replica.
    public func write(to writer: inout WireWriter) { writer.stamp(self) }
}
