public import CenotaphWire

/// A named bucket of rows with one policy.
public struct Namespace: Hashable, Sendable {
    /// The name, 1 to 64 bytes.
    public let name: NamespaceName
    /// The policy.
    public let policy: Policy
    /// The namespace of the rows that this one's rows belong to; deleting one deletes its children.
    public let parent: NamespaceName?

    /// Makes a namespace; one with a parent has keys made by `Key(child:of:)`.
    public init(_ name: NamespaceName, _ policy: Policy, childrenOf parent: NamespaceName? = nil) {
        self.name = name
        self.policy = policy
        self.parent = parent
    }
}

/// Why a list of namespaces is no schema.
public enum SchemaError: Error, Hashable, Sendable {
    /// There is none, or more than `Limits.maxNamespaces`.
    case count(Int)
    /// Two have one name.
    case duplicate(NamespaceName)
    /// Its parent is not in the list, or belongs to it in turn, or one of the two has no rows to edit.
    case parent(NamespaceName)
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
        for namespace in sorted { try checkParents(of: namespace) }
    }

    private func checkParents(of namespace: Namespace) throws(SchemaError) {
        var seen: Set<NamespaceName> = []
        var next = namespace
        while let parent = next.parent {
            guard let found = self[parent], found.policy.isEditable, next.policy.isEditable,
                seen.insert(parent).inserted
            else { throw .parent(namespace.name) }
            next = found
        }
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
