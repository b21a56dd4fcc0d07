import Cenotaph
import Foundation
import Testing

/// A replica that is opened to read only.
@Suite struct ReadOnlyTests {
    let fleet = Fleet()

    private func open(_ file: StoreFile, _ mode: OpenMode = .readOnly) async throws -> Replica {
        try await Replica.open(
            at: file.path, schema: fleet.schema, keys: fleet.keys, mode: mode)
    }

    @Test func itReadsWhileAnotherWrites() async throws {
        let file = try StoreFile()
        defer { file.remove() }
        let writer = try await open(file, .create)
        try await writer.put("notes", "k", text: "1")
        let reader = try await open(file)
        #expect(reader.id == writer.id)
        for number in 2..<6 {
            try await writer.put("notes", "k", text: "\(number)")
            #expect(try await reader.text("notes", "k") == "\(number)")
            #expect(try await reader.digests().map(\.root) == writer.digests().map(\.root))
        }
        #expect(try await reader.explain("notes", "k").verdict == .live)
        #expect(try await reader.readStatus().onlyHere == ["notes"])
    }

    @Test func everyWriteIsRefused() async throws {
        let file = try StoreFile()
        defer { file.remove() }
        do {
            let writer = try await open(file, .create)
            try await writer.put("notes", "k", text: "1")
        }
        let before = try Data(contentsOf: URL(filePath: file.path))
        do {
            let reader = try await open(file)
            let refused = GateError.store(.readOnly)
            await #expect(throws: refused) { try await reader.put("notes", "k", text: "2") }
            await #expect(throws: refused) { try await reader.delete("notes", "k") }
            await #expect(throws: refused) { try await reader.scrub() }
            await #expect(throws: refused) { try await reader.resolve("notes", "k") }
            await #expect(throws: refused) { try await reader.write { _ in } }
            #expect(try await reader.text("notes", "k") == "1")
            // It can take no rows from a peer either.
            let other = try fleet.replica()
            try await other.put("notes", "l", text: "1")
            let server = try await RunningServer(other)
            await #expect(throws: refused) {
                try await Peer(reader, over: server.address).sync(timeout: .seconds(30))
            }
            await server.stop()
        }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    }

    @Test func whatIsNotThereIsNotMade() async throws {
        let file = try StoreFile()
        defer { file.remove() }
        await #expect(throws: StoreError.notFound) { try await open(file) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try SQLiteStore(path: file.path, mode: .create).close()
        await #expect(throws: GateError.store(.notFound)) { try await open(file) }
        _ = try await open(file, .create)
        await #expect(throws: GateError.otherFleet) {
            try await Replica.open(
                at: file.path, schema: fleet.schema, keys: FleetKeys.generate(),
                mode: .readOnly)
        }
    }

    /// A namespace that the app's new version added reads as empty until somebody writes.
    @Test func aNewNamespaceIsEmpty() async throws {
        let file = try StoreFile()
        defer { file.remove() }
        let old = Schema { Namespace("notes", .causal) }
        let writer = try await Replica.open(at: file.path, schema: old, keys: fleet.keys)
        try await writer.put("notes", "k", text: "1")
        let reader = try await open(file)
        #expect(try await reader.list("journal").isEmpty)
        #expect(try await reader.text("notes", "k") == "1")
        let newer = try await open(file, .open)
        try await newer.write { try $0.append("journal", "e", group: "g", [1]) }
        #expect(try await reader.list("journal").count == 1)
    }
}
