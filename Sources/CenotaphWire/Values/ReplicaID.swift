/// The id of one replica: sixteen random bytes, never all zero (Spec MODEL-001, MODEL-002).
public struct ReplicaID: Hashable, Sendable, BitwiseCopyable {
    /// The sixteen bytes.
    public let id: ID16

    /// Takes sixteen bytes; `nil` if all are zero.
    public init?(_ id: ID16) {
        guard id != .zero else { return nil }
        self.id = id
    }

    /// Mints an id from a random source.
    public static func random(using generator: inout some RandomNumberGenerator) -> ReplicaID {
        while true {
            if let replica = ReplicaID(ID16.random(using: &generator)) { return replica }
        }
    }
}

extension ReplicaID: Comparable {
    /// Byte order.
    public static func < (a: ReplicaID, b: ReplicaID) -> Bool { a.id < b.id }
}

extension ReplicaID: CustomStringConvertible {
    /// Thirty-two lower-case hexadecimal digits.
    public var description: String { id.description }
}
