import Cenotaph
import Foundation
import Testing

/// After a delete and a scrub, the store's files hold no byte of the body.
@Suite struct ErasureTests {
    let folder: URL
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("notes", .causal)
        Namespace("devices", .lastWriter)
        Namespace("journal", .log(buried: .erase))
        Namespace("archive", .log(buried: .hide))
        Namespace("cache", .derived)
    }
    let secret = Array("the body that must not be found again".utf8)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "cenotaph-erasure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Whether any file of the store holds the secret.
    func isFound() throws -> Bool {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .contains { try Data(contentsOf: $0).range(of: Data(secret)) != nil }
    }

    func open() async throws -> Replica {
        try await Replica.open(
            at: folder.appending(path: "store").path, schema: schema, keys: keys)
    }

    /// Rows around the secret one, so that it lies among others.
    func fill(_ tx: WriteTransaction) throws {
        for index in 0..<300 {
            let body = [UInt8](repeating: UInt8(index % 251), count: 40 + index)
            try tx.put("notes", try Key("note \(index)"), index == 150 ? secret : body)
            try tx.put("devices", try Key("device \(index)"), index == 150 ? secret : body)
            try tx.put("cache", try Key("item \(index)"), index == 150 ? secret : body)
            let group: Key = index == 150 ? "secret" : "talk"
            try tx.append(
                "journal", try Key("event \(index)"), group: group, index == 150 ? secret : body)
        }
    }

    @Test func everyPolicyErases() async throws {
        defer { remove() }
        let replica = try await open()
        try await replica.write(fill)
        #expect(try isFound())
        try await replica.write { tx in
            try tx.delete("notes", "note 150")
            try tx.delete("devices", "device 150")
            try tx.delete("cache", "item 150")
            try tx.bury("journal", group: "secret")
        }
        let before = try await replica.read { try $0.erasureReport("notes", "note 150") }
        #expect(before.here == .removed)
        try await replica.scrub()
        #expect(try !isFound())
        for (name, key) in [
            ("notes", "note 150"), ("devices", "device 150"), ("journal", "secret"),
        ] as [(NamespaceName, Key)] {
            let report = try await replica.read { try $0.erasureReport(name, key) }
            #expect(report.here == .erased, "\(name)")
        }
        #expect(try await replica.list("notes").count == 299)
        try await replica.delete("notes", "note 1")
        let after = try await replica.read { try $0.erasureReport("notes", "note 150") }
        #expect(after.here == .removed)
    }

    @Test func anOverwrittenBodyGoesToo() async throws {
        defer { remove() }
        let replica = try await open()
        try await replica.put("notes", "a", secret)
        try await replica.put("notes", "a", [1])
        try await replica.scrub()
        #expect(try !isFound())
    }

    @Test func hiddenGroupsAreSaidToBeKept() async throws {
        defer { remove() }
        let replica = try await open()
        try await replica.write { tx in
            try tx.append("archive", "event", group: "talk", secret)
            try tx.bury("archive", group: "talk")
        }
        try await replica.scrub()
        #expect(try isFound())
        let report = try await replica.read { try $0.erasureReport("archive", "event") }
        #expect(report.here == .hidden)
    }
}
