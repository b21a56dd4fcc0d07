public import Cenotaph

/// One local write, drawn at random.
public enum RandomOperation: Hashable, Sendable {
    /// A plain put: a first write or an edit.
    case put(NamespaceName, Key, [UInt8])
    /// An explicit revive.
    case revive(NamespaceName, Key, [UInt8])
    /// A delete.
    case delete(NamespaceName, Key)
    /// An append to a group of a log.
    case append(NamespaceName, Key, group: Key, [UInt8])
    /// A burial of a group of a log.
    case bury(NamespaceName, group: Key)

    /// Does it.
    ///
    /// - Returns: False where the rules refuse it, as they may: a dead key, a buried group, a key in use.
    /// - Throws: every other failure of the gate.
    @discardableResult
    public func apply(to transaction: WriteTransaction) throws(GateError) -> Bool {
        do {
            switch self {
            case .put(let name, let key, let body): try transaction.put(name, key, body)
            case .revive(let name, let key, let body): try transaction.revive(name, key, body)
            case .delete(let name, let key): return try transaction.delete(name, key)
            case .append(let name, let key, let group, let body):
                return try transaction.append(name, key, group: group, body)
            case .bury(let name, let group): return try transaction.bury(name, group: group)
            }
            return true
        } catch {
            switch error {
            case .refused(.rowDeleted), .refused(.groupBuried), .refused(.eventExists):
                return false
            default: throw error
            }
        }
    }
}

/// Draws local writes over a handful of keys, so that replicas meet on them.
public struct OperationGenerator: Sendable {
    private let namespaces: [Namespace]
    private let keys: [Key]
    private let groups: [Key]
    private var bodies = 0
    /// How often a group is buried, of all writes to a log.
    public var burials = 0.15

    /// Draws for the namespaces of a schema.
    /// - Parameters:
    ///   - schema: The schema.
    ///   - keys: How many keys there are in each namespace.
    ///   - groups: How many groups there are in each log.
    public init(schema: Schema, keys: Int = 5, groups: Int = 4) {
        namespaces = schema.namespaces
        // Prefixes of one another and bytes at both ends of the order, where comparisons go wrong.
        self.keys = (0..<keys).map { OperationGenerator.key($0, 0x00) }
        self.groups = (0..<groups).map { OperationGenerator.key($0, 0xff) }
    }

    private static func key(_ number: Int, _ tail: UInt8) -> Key {
        let bytes = [UInt8(truncatingIfNeeded: number / 2 + 0x61)]
        guard let key = try? Key(number.isMultiple(of: 2) ? bytes : bytes + [tail]) else {
            preconditionFailure("one or two bytes are a key")
        }
        return key
    }

    /// Draws the next write.
    public mutating func next(using random: inout SeededRandom) -> RandomOperation {
        let namespace = namespaces[random.below(namespaces.count)]
        let key = keys[random.below(keys.count)]
        switch namespace.policy {
        case .causal, .lastWriter, .derived:
            switch random.below(8) {
            case 0...3: return .put(namespace.name, key, body(using: &random))
            case 4, 5: return .delete(namespace.name, key)
            default: return .revive(namespace.name, key, body(using: &random))
            }
        case .log:
            let group = groups[random.below(groups.count)]
            if random.chance(burials) { return .bury(namespace.name, group: group) }
            return .append(namespace.name, key, group: group, body(using: &random))
        }
    }

    /// Bodies that tell the writes apart, and now and then one that does not.
    private mutating func body(using random: inout SeededRandom) -> [UInt8] {
        if random.chance(0.1) { return [] }
        bodies += 1
        return Array("body \(random.chance(0.1) ? 0 : bodies)".utf8)
    }
}
