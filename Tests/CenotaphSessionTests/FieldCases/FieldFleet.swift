import Cenotaph
import CenotaphTesting
import Testing

/// One namespace of each policy, one whose rows belong to others, and one that never travels.
let everyPolicy = Schema {
    Namespace("notes", .causal)
    Namespace("pages", .causal, childrenOf: "notes")
    Namespace("devices", .lastWriter)
    Namespace("journal", .log(buried: .erase))
    Namespace("archive", .log(buried: .hide))
    Namespace("chat", .messages)
    Namespace("cache", .derived)
}

/// A kind of row that can die, and how: the cases that hold for every policy run over all of these.
enum Mortal: String, CaseIterable {
    case note, device, event, hiddenEvent, message

    /// The namespace of `everyPolicy` that it lies in.
    var namespace: NamespaceName {
        switch self {
        case .note: "notes"
        case .device: "devices"
        case .event: "journal"
        case .hiddenEvent: "archive"
        case .message: "chat"
        }
    }

    /// The key of the row that a text names.
    func key(_ name: String, in transaction: ReadTransaction) throws -> Key {
        self == .message ? try transaction.ownMessage(Array(name.utf8)) : try Key(name)
    }

    /// Writes the row for the first time; an event gets a group of its own.
    func create(_ name: String, _ transaction: WriteTransaction) throws {
        let body = Array("body of \(name)".utf8)
        let key = try key(name, in: transaction)
        switch self {
        case .note, .device: try transaction.put(namespace, key, body)
        case .event, .hiddenEvent: try transaction.append(namespace, key, group: key, body)
        case .message: try transaction.post(namespace, key, body)
        }
    }

    /// Deletes the row; returns whether there was anything to do.
    @discardableResult
    func kill(_ name: String, _ transaction: WriteTransaction) throws -> Bool {
        let key = try key(name, in: transaction)
        switch self {
        case .note, .device: return try transaction.delete(namespace, key)
        case .event, .hiddenEvent: return try transaction.bury(namespace, group: key)
        case .message: return try transaction.deleteForEveryone(namespace, key)
        }
    }

    /// Whether a plain write to the dead row is refused.
    func refusesToWrite(_ name: String, _ transaction: WriteTransaction) throws -> Bool {
        do {
            try create(name, transaction)
            return false
        } catch GateError.refused(let refusal) {
            switch refusal {
            case .rowDeleted, .groupBuried, .messageExists: return true
            default: return false
            }
        }
    }
}

extension SimulatedFleet {
    /// Replicas in memory with a namespace of each policy.
    static func ofEveryPolicy(_ count: Int, for test: String) throws -> SimulatedFleet {
        try SimulatedFleet(count, schema: everyPolicy, random: SeededRandom(for: test))
    }

    // MARK: Writes and reads of one row

    func put(_ replica: Int, _ name: NamespaceName, _ key: Key, _ body: String) throws {
        try write(replica) { try $0.put(name, key, Array(body.utf8)) }
    }

    func revive(_ replica: Int, _ name: NamespaceName, _ key: Key, _ body: String) throws {
        try write(replica) { try $0.revive(name, key, Array(body.utf8)) }
    }

    func delete(_ replica: Int, _ name: NamespaceName, _ key: Key) throws {
        try write(replica) { _ = try $0.delete(name, key) }
    }

    func append(_ replica: Int, _ name: NamespaceName, _ key: Key, group: Key) throws {
        try write(replica) { try $0.append(name, key, group: group, key.bytes) }
    }

    func create(_ replica: Int, _ kind: Mortal, _ name: String) throws {
        try write(replica) { try kind.create(name, $0) }
    }

    func kill(_ replica: Int, _ kind: Mortal, _ name: String) throws {
        try write(replica) { _ = try kind.kill(name, $0) }
    }

    /// The bodies under a key, as text; the first one is what a read returns.
    func seen(_ replica: Int, _ name: NamespaceName, _ key: Key) throws -> [String] {
        try read(replica) { try $0.get(name, key) }?.values
            .map { String(decoding: $0.body, as: UTF8.self) } ?? []
    }

    func isSeen(_ replica: Int, _ kind: Mortal, _ name: String) throws -> Bool {
        try read(replica) { try $0.get(kind.namespace, kind.key(name, in: $0)) != nil }
    }

    /// The key of a message of this fleet.
    func message(_ name: String) throws -> Key {
        try Key(author: keys.fleet, message: Array(name.utf8))
    }

    /// The number of tombstones of a namespace.
    func tombstones(_ replica: Int, _ name: NamespaceName) throws -> UInt64 {
        try #require(try replicas[replica].digests().first { $0.name == name }).tombstones.count
    }

    /// The rows that a replica holds of a namespace, both sets.
    func rows(_ replica: Int, _ name: NamespaceName) throws -> [Row] {
        var rows: [Row] = []
        try read(replica) { snapshot in
            for set in RowSet.allCases {
                try snapshot.forEachRow(name, set, .all) { row, _ in
                    rows.append(row)
                    return true
                }
            }
        }
        return rows
    }

    /// Lets no row of a replica over a link, and everything else: it hears of the other's rows and tells none.
    func holdBackRows(of replica: Int, on link: SimulatedLink) {
        link.carries = { [self] sent in
            guard sent.sender == replica else { return true }
            switch frame(in: sent.sealed)?.body {
            case .reconcileResponse, .syncDelta: return false
            default: return true
            }
        }
    }

    // MARK: The end

    /// Joins all replicas until they are quiet, and fails the test unless they show the same, agree, and rest.
    func expectRest(within rounds: Int = 12, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        cutAll()
        for link in links { link.carries = { _ in true } }
        try connectAll()
        try runUntilQuiet(within: rounds)
        #expect(
            try isConverged(), "seed \(random.seed): fingerprints differ",
            sourceLocation: sourceLocation)
        let names = everyPolicy.replicated.map(\.name)
        let views = try replicas.map { replica in
            try replica.view().filter { names.contains($0.key) }
        }
        #expect(
            views.allSatisfy { $0 == views[0] }, "seed \(random.seed): views differ",
            sourceLocation: sourceLocation)
        try expectSilence(sourceLocation: sourceLocation)
    }

    /// As `expectRest`, and every replica shows these bodies under a key.
    func expectRest(
        _ name: NamespaceName, _ expected: [Key: [String]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expectRest(sourceLocation: sourceLocation)
        for replica in replicas.indices {
            for (key, bodies) in expected {
                #expect(
                    try seen(replica, name, key) == bodies, "\(key) on \(replica)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    /// As `expectRest`, and no replica shows the row.
    func expectRest(
        dead kind: Mortal, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expectRest(sourceLocation: sourceLocation)
        for replica in replicas.indices {
            for name in names {
                #expect(
                    try !isSeen(replica, kind, name), "\(kind) \(name) on \(replica)",
                    sourceLocation: sourceLocation)
            }
        }
    }
}

/// All orders of a list.
func orders<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return orders(rest).map { [first] + $0 }
    }
}
