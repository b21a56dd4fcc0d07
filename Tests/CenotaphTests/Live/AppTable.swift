import Cenotaph
import Testing

/// An app that keeps its rows in a table of its own and shows them to a replica.
struct AppTable {
    var rows: [String: String]
    let storage: ID16

    init(_ rows: [String: String] = [:]) {
        self.rows = rows
        var random = SystemRandomNumberGenerator()
        storage = ID16.random(using: &random)
    }

    /// A table of `count` rows, "0" to "count - 1".
    init(count: Int) {
        self.init(Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "body \($0)") }))
    }

    func listed() throws -> [Listing.Row] {
        try rows.map { Listing.Row(try Key($0.key), Array($0.value.utf8)) }
    }

    func complete() throws -> Listing {
        try Listing.complete(listed(), expectedCount: rows.count, storage: storage)
    }

    func partial() throws -> Listing { try Listing.partial(listed(), storage: storage) }

    /// Takes in what peers changed, as an app does.
    mutating func apply(
        _ replica: Replica, _ namespace: NamespaceName = "notes", stopBeforeFinishing: Bool = false
    ) async throws {
        let storage = storage
        for key in try await replica.read({ try $0.unapplied(namespace) }) {
            let task = try await replica.write { tx in
                try tx.startApplying(namespace, key, storage: storage)
            }
            let name = String(decoding: key.bytes, as: UTF8.self)
            switch task {
            case .write(let row): rows[name] = String(decoding: row.body, as: UTF8.self)
            case .remove: rows[name] = nil
            case .nothing: continue
            }
            if stopBeforeFinishing { continue }
            try await replica.write { tx in
                if case .write(let row) = task {
                    try tx.finishApplying(namespace, key, row.body, storage: storage)
                } else {
                    try tx.finishRemoving(namespace, key, storage: storage)
                }
            }
        }
    }
}

extension Replica {
    /// The live rows of a namespace as texts.
    func table(_ namespace: NamespaceName = "notes") throws -> [String: String] {
        let rows = try list(namespace).map { row in
            (
                String(decoding: row.key.bytes, as: UTF8.self),
                String(decoding: row.body, as: UTF8.self)
            )
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

/// The stores that tests of observing run over.
enum StoreKind: CaseIterable {
    case memory, sqlite

    /// Hands a replica to a test, and a way to close it and open it again; in memory there is none.
    func with(
        _ fleet: Fleet, _ body: (Replica, () async throws -> Replica) async throws -> Void
    ) async throws {
        switch self {
        case .memory:
            let replica = try fleet.replica()
            try await body(replica, { replica })
        case .sqlite:
            let file = try StoreFile()
            defer { file.remove() }
            let open = {
                try await Replica.open(at: file.path, schema: fleet.schema, keys: fleet.keys)
            }
            try await body(try await open(), open)
        }
    }
}
