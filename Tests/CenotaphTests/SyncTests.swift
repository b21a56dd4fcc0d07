import Cenotaph
import Testing

let testSchema = Schema {
    Namespace("notes", .causal)
    Namespace("journal", .log(buried: .erase))
    Namespace("archive", .log(buried: .hide))
}

@Suite struct SyncTests {
    let keys = FleetKeys.generate()

    func replica() throws -> Replica { try Replica.inMemory(schema: testSchema, keys: keys) }

    /// Runs a server for `server` and syncs `client` with it until both agree.
    @discardableResult
    func sync(_ client: Replica, with server: Replica) async throws -> SyncReport {
        let listening = try await PeerServer(server, at: .tcp(host: "127.0.0.1", port: 0))
        let task = Task { try await listening.run() }
        defer { task.cancel() }
        return try await Peer(client, over: listening.address).sync(timeout: .seconds(30))
    }

    @Test func deleteStaysDeleted() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.write { tx in
            for index in 0..<1_000 {
                try tx.put("notes", try Key("note \(index)"), Array("body \(index)".utf8))
            }
        }
        let report = try await sync(tablet, with: phone)
        #expect(report.counts.rowsMerged == 1_000)
        #expect(try await tablet.list("notes").count == 1_000)
        try await phone.delete("notes", "note 7")
        try await tablet.put("notes", "note 8", Array("edited".utf8))
        try await phone.delete("notes", "note 8")
        try await sync(tablet, with: phone)
        for replica in [phone, tablet] {
            #expect(try await replica.get("notes", "note 7") == nil)
            #expect(try await replica.get("notes", "note 8")?.body == Array("edited".utf8))
            #expect(try await replica.list("notes").count == 999)
        }
        let (a, b) = (try await phone.digests(), try await tablet.digests())
        #expect(a.map(\.root) == b.map(\.root))
    }
}
