import Cenotaph
import Foundation
import Testing

/// Deletes that an app's listing held back, decided upon by the tool.
@Suite struct HeldCommandTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.run("init", "--namespace", "notes=causal", "--namespace", "devices=last-writer")
    }

    /// Shows the replica an app's table of `devices` with 30 rows, then without.
    private func loseTable() async throws {
        let replica = try await Replica.open(
            at: tool.path(".cenotaph/replica.sqlite"),
            schema: Schema {
                Namespace("notes", .causal)
                Namespace("devices", .lastWriter)
            }, keys: FleetKeyFile.load(tool.path(".cenotaph/fleet.key")), mode: .open)
        var random = SystemRandomNumberGenerator()
        let storage = ID16.random(using: &random)
        let rows = try (10..<40).map { Listing.Row(try Key("d\($0)"), [1]) }
        for rows in [rows, []] {
            let listing = try Listing.complete(
                rows, expectedCount: rows.count, storage: storage)
            try await replica.observe("devices", listing)
        }
    }

    @Test func eventsAreListedApprovedAndUndone() async throws {
        defer { tool.remove() }
        #expect(try tool.run("held").output == "")
        try await loseTable()
        #expect(try tool.run("held").output == "1  devices  app  30 rows\n")
        let keys = try tool.run("held", "--keys").output.split(separator: "\n")
        #expect(keys.count == 31 && keys[1] == "  d10")
        #expect(try tool.run("held", "--json").output.contains("\"rows\":30"))
        #expect(try tool.run("status").output.contains("1 events hold back deletes"))
        #expect(try tool.run("held", "--approve", "2").code == 1)
        #expect(try tool.run("held", "--approve", "1", "--undo", "1").code == 2)
        #expect(try tool.run("held", "--approve", "x").code == 2)
        #expect(try tool.run("list", "devices").output.split(separator: "\n").count == 30)
        // A row that was written meanwhile is not the one that went missing.
        try tool.run("put", "devices", "d20", "newer")
        #expect(try tool.run("held", "--approve", "1").output == "29 rows deleted, 1 kept\n")
        #expect(try tool.run("list", "devices").output == "d20  5 B\n")
        #expect(try tool.run("held").output == "")
        #expect(try tool.run("held", "--undo", "1").code == 1, "decided before")
    }

    @Test func undoneEventsDeleteNothing() async throws {
        defer { tool.remove() }
        try await loseTable()
        let undone = try tool.run("held", "--undo", "1", "--json")
        #expect(undone.code == 0 && undone.output.contains("\"deleted\":[]"))
        #expect(undone.output.contains("\"d10\""))
        #expect(try tool.run("held").output == "")
        #expect(try tool.run("list", "devices").output.split(separator: "\n").count == 30)
    }
}
