public import CenotaphWire

/// One value of a conflict: what its author wrote, and when.
public struct ConflictValue: Hashable, Sendable {
    /// The write.
    public let stamp: Stamp
    /// The body.
    public let body: [UInt8]

    /// Makes a value.
    public init(stamp: Stamp, body: [UInt8]) {
        self.stamp = stamp
        self.body = body
    }
}

/// Why a conflict was left as it is.
public enum ResolverError: Error, Hashable, Sendable {
    /// The namespace has no resolver.
    case missing
    /// Two calls with the same values in the same order gave two bodies (Spec MERGE-061).
    case unsteady
    /// Two orders of the same values gave two bodies (Spec MERGE-061).
    case orderDependent
    /// The resolver threw, with its error's words.
    case failed(String)
    /// The body is over `Limits.maxBody` bytes.
    case bodyTooLarge(bytes: Int)
}

/// Makes one body of the values of a conflict, for reads (Spec 07, "Resolvers").
///
/// A resolver is a function of the set of values and of nothing else: not of their order, of a clock, of chance or of
/// the device. Two devices with one resolver then show the same, and whoever has none shows the value with the greatest
/// stamp. It runs inside transactions, so it must be quick, and must not call the replica.
public struct ConflictResolver: Sendable {
    private let body: @Sendable ([ConflictValue]) throws -> [UInt8]

    /// Most values of which every order is tried.
    private static let mostPermuted = 4

    /// Makes a resolver of a function, which is given at least two values in any order.
    public init(_ body: @escaping @Sendable ([ConflictValue]) throws -> [UInt8]) {
        self.body = body
    }

    /// The body that the values make.
    ///
    /// Values of equal bodies make that body, without a call (Spec MERGE-062). Otherwise every order of up to four values
    /// is tried, and a few orders of more; the first of them twice.
    /// - Throws: `ResolverError`, but not `missing`.
    public func resolve(_ values: [ConflictValue]) throws(ResolverError) -> [UInt8] {
        let values = values.sorted { $1.stamp < $0.stamp }
        if let first = values.first, values.allSatisfy({ $0.body == first.body }) {
            return first.body
        }
        let result = try call(values)
        guard try call(values) == result else { throw .unsteady }
        for order in ConflictResolver.orders(of: values) {
            guard try call(order) == result else { throw .orderDependent }
        }
        guard result.count <= Limits.maxBody else { throw .bodyTooLarge(bytes: result.count) }
        return result
    }

    private func call(_ values: [ConflictValue]) throws(ResolverError) -> [UInt8] {
        do {
            return try body(values)
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Orders in which a result may differ.
    private static func orders(of values: [ConflictValue]) -> [[ConflictValue]] {
        guard values.count > mostPermuted else { return permutations(of: values) }
        let half = values.count / 2
        return [
            values.reversed(),
            Array(values[half...] + values[..<half]),
            Array(values[1...] + values[..<1]),
            values.sorted { $0.body.lexicographicallyPrecedes($1.body) },
        ]
    }

    private static func permutations(of values: [ConflictValue]) -> [[ConflictValue]] {
        guard values.count > 1 else { return [values] }
        return values.indices.flatMap { index in
            var rest = values
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }
}
