import Cenotaph
import Glibc

/// The folder of one replica: `fleet.key`, `schema` and `replica.sqlite`.
struct Home {
    let path: String

    init(_ arguments: Arguments) {
        path = arguments.value("home") ?? System.environment("CENOTAPH_HOME") ?? ".cenotaph"
    }

    var keyFile: String { path + "/fleet.key" }
    var schemaFile: String { path + "/schema" }
    var storeFile: String { path + "/replica.sqlite" }

    /// Opens the replica, which must be there.
    func open(_ mode: OpenMode = .open) async throws -> Replica {
        let (keys, schema) = (try FleetKeyFile.load(keyFile), try schema())
        do {
            return try await Replica.open(at: storeFile, schema: schema, keys: keys, mode: mode)
        } catch StoreError.olderFormat {
            // Only to read, a file of an older format cannot be brought to the newest.
            return try await Replica.open(at: storeFile, schema: schema, keys: keys, mode: .open)
        }
    }

    /// The schema: a line `NAME=POLICY` for each namespace.
    func schema() throws -> Schema {
        let text: [UInt8]
        do {
            text = try File.read(schemaFile, atMost: 65_536)
        } catch {
            throw Failure(.unusable, "no schema in \(path); cenotaph init makes one")
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return try Schema(lines.map { try Home.namespace(String($0)) })
    }

    /// The namespace that `NAME=POLICY` names.
    static func namespace(_ text: String) throws -> Namespace {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let policies: [String: Policy] = [
            "causal": .causal, "log": .log(buried: .erase), "log-hide": .log(buried: .hide),
            "last-writer": .lastWriter, "messages": .messages, "derived": .derived,
        ]
        guard parts.count == 2, let policy = policies[String(parts[1])] else {
            throw Failure(
                .usage,
                "not NAME=causal, =last-writer, =log, =log-hide, =messages or =derived: \(text)")
        }
        return Namespace(try NamespaceName(Array(parts[0].utf8)), policy)
    }

    /// Makes the folder with a key file, a schema and an empty replica.
    ///
    /// An unfinished one is finished. Nothing is made if the key file to join by cannot be used.
    func make(joining keyPath: String?, _ namespaces: [Namespace]) async throws -> Replica {
        let schema = try Schema(namespaces)
        let keys = try keyPath.map { try FleetKeyFile.load($0) } ?? FleetKeys.generate()
        try File.makeFolder(path)
        if !File.exists(keyFile) { try FleetKeyFile.save(keys, to: keyFile) }
        let lines = schema.namespaces.map { "\($0.name)=\($0.policy)\n" }
        try File.write(Array(lines.joined().utf8), to: schemaFile)
        return try await Replica.open(
            at: storeFile, schema: schema, keys: try FleetKeyFile.load(keyFile))
    }
}
