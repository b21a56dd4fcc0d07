import Foundation
import Testing

/// The tool as a script meets it: words in, text and exit codes out.
@Suite struct CommandTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.run("init")
    }

    @Test func writesReadsAndDeletes() throws {
        defer { tool.remove() }
        #expect(try tool.run("put", "notes", "a", "hello").code == 0)
        #expect(try tool.run("get", "notes", "a").output == "hello")
        #expect(try tool.run("list", "notes").output == "a  5 B\n")
        #expect(try tool.run("delete", "notes", "a").code == 0)
        #expect(try tool.run("delete", "notes", "a").code == 1)
        #expect(try tool.run("get", "notes", "a").code == 1)
        let refused = try tool.run("put", "notes", "a", "again")
        #expect(refused.code == 3)
        #expect(refused.errors.contains("[MERGE-015]"))
        #expect(try tool.run("put", "notes", "a", "again", "--revive").code == 0)
        #expect(try tool.run("get", "notes", "a").output == "again")
    }

    @Test func logsAreAppendedAndBuried() throws {
        defer { tool.remove() }
        #expect(try tool.run("put", "journal", "1", "hi", "--group", "talk").code == 0)
        #expect(try tool.run("put", "journal", "1", "hi", "--group", "talk").code == 0)
        #expect(try tool.run("put", "journal", "1", "other", "--group", "talk").code == 3)
        #expect(try tool.run("put", "journal", "2", "no group").code == 3)
        #expect(try tool.run("bury", "journal", "talk").code == 0)
        #expect(try tool.run("bury", "journal", "talk").code == 1)
        #expect(try tool.run("list", "journal").output == "")
        #expect(try tool.run("put", "journal", "3", "late", "--group", "talk").code == 3)
    }

    @Test func messagesAreListedOnly() throws {
        defer { tool.remove() }
        #expect(
            try tool.run("init", "--home", "m", "--namespace", "chat=messages").code == 0)
        let listed = try tool.run("list", "chat", "--home", "m")
        #expect(listed.code == 0 && listed.output == "")
        let refused = try tool.run("put", "chat", "a", "hello", "--home", "m")
        #expect(refused.code == 3)
        #expect(refused.errors.contains("messages namespace"))
    }

    @Test func wrongWordsAreUsage() throws {
        defer { tool.remove() }
        for words in [
            ["frob"], ["get"], ["get", "notes"], ["list", "notes", "--bogus"],
            ["sync", "nowhere"], ["inspect", "xyz"], ["sync", "h:1", "--timeout", "0"],
        ] {
            let run = try tool.run(
                words[0], words.count > 1 ? words[1] : "--home=x",
                words.count > 2 ? words[2] : "--home=x", words.count > 3 ? words[3] : "--home=x")
            #expect(run.code == 2, "\(words): \(run.errors)")
        }
        #expect(try tool.run("help").output.contains("exit codes"))
        #expect(try tool.run("help", "sync").output.contains("usage: cenotaph sync"))
    }

    @Test func importNeverDeletesNorUndeletes() throws {
        defer { tool.remove() }
        try tool.write(Array("one".utf8), to: "files/one.txt")
        try tool.write(Array("two".utf8), to: "files/deep/two.txt")
        #expect(try tool.run("import", "notes", "files").output == "2 written, 0 unchanged\n")
        #expect(try tool.run("import", "notes", "files").output == "0 written, 2 unchanged\n")
        try tool.run("delete", "notes", "one.txt")
        let again = try tool.run("import", "notes", "files")
        #expect(again.output == "0 written, 1 unchanged\nskipped, deleted: one.txt\n")
        try FileManager.default.removeItem(atPath: tool.path("files/deep"))
        #expect(try tool.run("import", "notes", "files").code == 0)
        #expect(try tool.run("get", "notes", "deep/two.txt").output == "two")
        #expect(try tool.run("import", "notes", "files", "--revive").code == 0)
        #expect(try tool.run("get", "notes", "one.txt").output == "one")
    }

    @Test func whatCannotBeReadIsSaid() throws {
        defer { tool.remove() }
        try tool.write([UInt8](repeating: 1, count: 983_041), to: "files/large")
        try tool.write([UInt8](repeating: 1, count: 983_040), to: "files/fits")
        let run = try tool.run("import", "notes", "files")
        #expect(run.code == 6)
        #expect(run.output == "1 written, 0 unchanged\n")
        #expect(run.errors.contains("large"))
        #expect(try tool.run("import", "notes", "missing").code == 6)
        #expect(try tool.run("import", "notes", "files/fits").code == 6)
        #expect(try tool.run("list", "notes").output == "fits  983040 B\n")
    }

    @Test func limitsAreNamed() throws {
        defer { tool.remove() }
        let body = [UInt8](repeating: 120, count: 983_041)
        let run = try tool.run("put", "notes", "a", "-", input: body)
        #expect(run.code == 3)
        #expect(run.errors.contains("[CONV-007]"))
        #expect(try tool.run("put", "notes", "a", "-", input: Array(body.dropLast())).code == 0)
        #expect(try tool.run("put", "notes", String(repeating: "k", count: 513), "x").code == 7)
        #expect(try tool.run("put", "nothing", "a", "x").code == 3)
    }

    @Test func foreignAndDamagedFilesAreLeftAlone() throws {
        defer { tool.remove() }
        #expect(try tool.run("init").code == 3)
        let junk = Array("not a store at all".utf8)
        try FileManager.default.removeItem(atPath: tool.path(".cenotaph/replica.sqlite"))
        try tool.write(junk, to: ".cenotaph/replica.sqlite")
        #expect(try tool.run("list", "notes").code == 5)
        #expect(try tool.bytes(of: ".cenotaph/replica.sqlite") == Data(junk))
        #expect(try tool.run("list", "notes", "--home", "elsewhere").code == 5)
    }

    @Test func keyFilesAreGuarded() throws {
        defer { tool.remove() }
        let key = tool.path(".cenotaph/fleet.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let run = try tool.run("list", "notes")
        #expect(run.code == 5)
        #expect(run.errors.contains("[SEAL-031]"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try tool.run("init", "--home", "other").code == 0)
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.copyItem(atPath: tool.path("other/fleet.key"), toPath: key)
        let foreign = try tool.run("list", "notes")
        #expect(foreign.code == 5)
        #expect(foreign.errors.contains("another fleet"))
    }

    @Test func inspectRejectsByRule() throws {
        defer { tool.remove() }
        let run = try tool.run("inspect", "0200")
        #expect(run.code == 7)
        #expect(run.errors.contains("version"))
        #expect(try tool.run("inspect", "").code == 7)
        let short = try tool.run("inspect", "01" + String(repeating: "00", count: 100))
        #expect(short.errors.contains("truncated"))
    }

    @Test func unreachablePeersEndInTime() throws {
        defer { tool.remove() }
        let run = try tool.run("sync", "127.0.0.1:1", "--timeout", "1")
        #expect(run.code == 4)
        #expect(run.errors.contains("trying again"))
    }

    /// The last line says why, not only that time ran out.
    @Test func aFailedSyncEndsWithItsCause() throws {
        defer { tool.remove() }
        let run = try tool.run("sync", "127.0.0.1:1", "--timeout", "1")
        let last = try #require(run.errors.split(separator: "\n").last)
        #expect(last.hasPrefix("cenotaph sync: the two did not agree in time: connect failed"))
    }

    @Test func aFailedJoinLeavesNothing() throws {
        defer { tool.remove() }
        try tool.write(Array("no key".utf8), to: "bad.key")
        for key in ["missing.key", "bad.key"] {
            #expect(try tool.run("init", "--home", "new", "--join", key).code == 5)
            #expect(!FileManager.default.fileExists(atPath: tool.path("new")))
        }
        #expect(
            try tool.run("init", "--home", "new", "--join", ".cenotaph/fleet.key").code == 0)
    }

    @Test func conflictsAreHintedAt() throws {
        defer { tool.remove() }
        try tool.run("init", "--home", "b", "--join", ".cenotaph/fleet.key")
        try tool.run("put", "notes", "a", "one")
        #expect(try tool.run("get", "notes", "a").errors == "")
        try tool.run("put", "notes", "a", "two", "--home", "b")
        let server = Process()
        server.executableURL = try Tool.executable()
        server.arguments = ["serve", "--listen", "unix:s", "--quiet"]
        server.currentDirectoryURL = tool.folder
        let output = Pipe()
        server.standardOutput = output
        try server.run()
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        _ = output.fileHandleForReading.availableData
        #expect(try tool.run("sync", "unix:s", "--home", "b").code == 0)
        for home in [".cenotaph", "b"] {
            let run = try tool.run("get", "notes", "a", "--home", home)
            #expect(["one", "two"].contains(run.output))
            #expect(run.errors == "a has 2 values; get --json shows all\n")
        }
        let status = try tool.run("status", "--home", "b")
        #expect(status.output.contains(": holds all, agreed on news at "))
        try tool.run("put", "notes", "a", "three", "--home", "b")
        #expect(try tool.run("get", "notes", "a", "--home", "b").errors == "")
        let pending = try tool.run("status", "--home", "b").output
        #expect(pending.contains(": may lack notes, agreed on news at "))
        #expect(pending.contains("known to be nowhere else: writes in notes"))
        #expect(
            try tool.run("status", "--home", "b", "--json").output.contains("\"isAtRest\":false"))
    }

    @Test func versionAndStatus() throws {
        defer { tool.remove() }
        let version = try tool.run("--version")
        #expect(version.code == 0 && version.output.hasPrefix("cenotaph "))
        #expect(version.output.contains("store format "))
        let status = try tool.run("status")
        #expect(status.code == 0 && status.output.hasSuffix("never agreed with another replica\n"))
        #expect(try tool.run("status", "--json").output.contains("\"isAtRest\":true"))
    }

    /// Reading commands need no right to write.
    @Test func readingCommandsWriteNothing() throws {
        defer { tool.remove() }
        for key in ["a", "b"] { try tool.run("put", "notes", key, "1") }
        try tool.run("delete", "notes", "b")
        let before = try tool.bytes(of: ".cenotaph/replica.sqlite")
        for words in [
            ["get", "notes", "a"], ["list", "notes"], ["explain", "notes", "a"], ["digest"],
            ["erasure", "notes", "b"], ["status"], ["held"], ["parked"],
        ] {
            #expect(try tool.run(words).code == 0, "\(words)")
        }
        #expect(try tool.bytes(of: ".cenotaph/replica.sqlite") == before)
    }
}
