public import CenotaphWire

/// A named bucket of rows with one policy.
public struct Namespace: Hashable, Sendable {
    /// The name, 1 to 64 bytes.
    public let name: NamespaceName
    /// The policy.
    public let policy: Policy

    /// Makes a namespace.
    public init(_ name: NamespaceName, _ policy: Policy) {
        self.name = name
        self.policy = policy
    }
}

/// Why a list of namespaces is no schema.
public enum SchemaError: Error, Hashable, Sendable {
    /// There is none, or more than `Limits.maxNamespaces`.
    case count(Int)
    /// Two have one name.
    case duplicate(NamespaceName)
}

/// The namespaces of an app; the replicated ones are equal on all its devices (Spec 01).
public struct Schema: Hashable, Sendable {
    /// The namespaces, ascending by name.
    public let namespaces: [Namespace]
    /// The namespaces that travel: all but the derived ones.
    public var replicated: [Namespace] { namespaces.filter(\.policy.isReplicated) }

    /// Takes 1 to 64 namespaces of different names, in any order.
    /// - Throws: `SchemaError`.
    public init(_ namespaces: [Namespace]) throws(SchemaError) {
        guard (1...Limits.maxNamespaces).contains(namespaces.count) else {
            throw .count(namespaces.count)
        }
        let sorted = namespaces.sorted { $0.name < $1.name }
        for (a, b) in zip(sorted, sorted.dropFirst()) where a.name == b.name {
            throw .duplicate(a.name)
        }
        self.namespaces = sorted
    }

    /// Takes the namespaces listed in braces.
    ///
    /// A list that is no schema stops the program.
    public init(@SchemaBuilder _ list: () -> [Namespace]) {
        do {
            try self.init(list())
        } catch {
            preconditionFailure("not a schema: \(error)")
        }
    }

    /// The namespace of that name, or `nil`.
    ///
    /// O(log n).
    public subscript(name: NamespaceName) -> Namespace? {
        let index = namespaces.partitionIndex { $0.name < name }
        return index < namespaces.count && namespaces[index].name == name ? namespaces[index] : nil
    }
}

/// Collects the namespaces of a schema.
@resultBuilder
public enum SchemaBuilder {
    /// The namespaces one after another.
    public static func buildBlock(_ namespaces: Namespace...) -> [Namespace] { namespaces }
}
