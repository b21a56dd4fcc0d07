import Cenotaph
import Testing

/// Replicas in memory that sync over loopback.
struct Fleet {
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("notes", .causal)
        Namespace("devices", .lastWriter)
        Namespace("journal", .log(buried: .erase))
        Namespace("view", .derived)
        Namespace("chat", .messages)
        Namespace("pages", .causal, childrenOf: "notes")
    }

    func replica() throws -> Replica { try Replica.inMemory(schema: schema, keys: keys) }

    func replica(over store: sending any Store) throws -> Replica {
        try Replica(store: store, schema: schema, keys: keys)
    }

    /// Syncs until both hold the same, and checks that they do.
    func sync(_ client: Replica, _ server: Replica) async throws {
        let listening = try await PeerServer(server, at: .tcp(host: "127.0.0.1", port: 0))
        let task = Task { try await listening.run() }
        defer { task.cancel() }
        _ = try await Peer(client, over: listening.address).sync(timeout: .seconds(60))
        #expect(try await client.digests().map(\.root) == server.digests().map(\.root))
    }
}

extension Replica {
    /// The body that a read returns, as text.
    func text(_ namespace: NamespaceName, _ key: Key) throws -> String? {
        try get(namespace, key).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// All values of a row, as texts in order.
    func texts(_ namespace: NamespaceName, _ key: Key) throws -> [String] {
        try get(namespace, key)?.values.map { String(decoding: $0.body, as: UTF8.self) }.sorted()
            ?? []
    }

    func put(_ namespace: NamespaceName, _ key: Key, text: String) throws {
        try put(namespace, key, Array(text.utf8))
    }
}
