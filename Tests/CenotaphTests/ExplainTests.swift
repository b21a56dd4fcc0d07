import Cenotaph
import Synchronization
import Testing

/// Why a key is alive or dead, told by rule and stamp.
@Suite struct ExplainTests {
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("notes", .causal)
        Namespace("devices", .lastWriter)
        Namespace("journal", .log(buried: .erase))
        Namespace("archive", .log(buried: .hide))
        Namespace("cache", .derived)
    }

    func replica(at milliseconds: UInt64 = 1_000) throws -> Replica {
        try Replica(
            store: MemoryStore(), schema: schema, keys: keys, milliseconds: { milliseconds })
    }

    func sync(_ client: Replica, with server: Replica) async throws {
        let listening = try await PeerServer(server, at: .tcp(host: "127.0.0.1", port: 0))
        let task = Task { try await listening.run() }
        defer { task.cancel() }
        _ = try await Peer(client, over: listening.address).sync(timeout: .seconds(30))
    }

    @Test func eachPolicyNamesItsRule() async throws {
        let replica = try replica()
        try await replica.write { tx in
            try tx.put("notes", "live", [1])
            try tx.put("notes", "dead", [1])
            try tx.delete("notes", "dead")
            try tx.put("devices", "live", [1])
            try tx.delete("devices", "dead")
            try tx.append("journal", "event", group: "talk", [1])
            try tx.append("journal", "gone", group: "old", [1])
            try tx.bury("journal", group: "old")
            try tx.append("archive", "hidden", group: "old", [1])
            try tx.bury("archive", group: "old")
            try tx.put("cache", "live", [1])
        }
        let expected: [(NamespaceName, Key, Explanation.Verdict, String, [Explanation.Fate])] = [
            ("notes", "live", .live, "MERGE-011", [.read]),
            ("notes", "dead", .deleted, "MERGE-011", [.covered]),
            ("notes", "never", .unknown, "MODEL-010", []),
            ("devices", "live", .live, "MERGE-020", [.read]),
            ("devices", "dead", .deleted, "MERGE-020", [.deleted]),
            ("journal", "event", .live, "MERGE-005", [.read]),
            ("journal", "gone", .unknown, "MODEL-010", []),
            ("journal", "old", .buried, "MERGE-003", [.buried]),
            ("archive", "hidden", .buried, "MERGE-004", [.buried]),
            ("cache", "live", .live, "MERGE-020", [.read]),
        ]
        for (name, key, verdict, rule, fates) in expected {
            let explanation = try await replica.explain(name, key)
            #expect(explanation.verdict == verdict, "\(name) \(key)")
            #expect(explanation.rule == rule, "\(name) \(key)")
            #expect(explanation.writes.map(\.fate) == fates, "\(name) \(key)")
            #expect(explanation.waitingFor.isEmpty)
        }
    }

    @Test func conflictsAndCoveredWritesAreListed() async throws {
        let (phone, tablet) = (try replica(at: 1_000), try replica(at: 2_000))
        try await phone.put("notes", "a", [1])
        try await tablet.put("notes", "a", [2])
        try await sync(tablet, with: phone)
        let conflict = try await phone.explain("notes", "a")
        #expect(conflict.rule == "MERGE-012")
        #expect(conflict.writes.map(\.fate) == [.read, .conflict])
        #expect(conflict.writes[0].stamp.replica == tablet.id)
        #expect(conflict.writes.map(\.ahead) == [1_000, 0])
        try await phone.put("notes", "a", [3])
        let covered = try await phone.explain("notes", "a")
        #expect(covered.writes.map(\.fate) == [.read, .covered])
    }

    @Test func peersThatLackTheDecidingWriteAreNamed() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.put("notes", "a", [1])
        try await sync(tablet, with: phone)
        #expect(try await tablet.explain("notes", "a").waitingFor.isEmpty)
        try await tablet.delete("notes", "a")
        let waiting = try await tablet.explain("notes", "a")
        #expect(waiting.waitingFor == [phone.id])
        try await sync(tablet, with: phone)
        #expect(try await tablet.explain("notes", "a").waitingFor.isEmpty)
    }

    @Test func derivedRowsNeverTravel() async throws {
        let (phone, tablet) = (try replica(), try replica())
        try await phone.put("cache", "a", [1])
        let before = try await phone.digests().map(\.root)
        try await phone.put("cache", "b", [2])
        #expect(try await phone.digests().map(\.root) == before)
        #expect(try await phone.digests().map(\.digest.name).contains("cache") == false)
        try await sync(tablet, with: phone)
        #expect(try await tablet.list("cache").isEmpty)
        #expect(try await phone.list("cache").count == 2)
        #expect(try await phone.delete("cache", "a"))
        try await phone.put("cache", "a", [3])
        #expect(try await phone.get("cache", "a")?.body == [3])
    }
}
