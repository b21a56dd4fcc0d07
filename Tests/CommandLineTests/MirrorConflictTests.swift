import Cenotaph
import Foundation
import Testing

@testable import cenotaph_cli

/// What peers, crashes and other programs do to a mirror.
@Suite struct MirrorConflictTests {
    @Test func keysThatAreNoPaths() throws {
        for text in ["a", "a/b", "...", "a/..b", ".hidden", "-rf", "a b", "\\", "é"] {
            #expect(try MirrorPath(try Key(text)).bytes == Array(text.utf8))
        }
        let refused: [(String, MirrorPath.Refusal)] = [
            ("/a", .empty), ("a/", .empty), ("a//b", .empty), ("/", .empty), (".", .upwards),
            ("..", .upwards), ("../a", .upwards), ("a/../b", .upwards), ("a/.", .upwards),
            ("a\0b", .zero), (String(repeating: "n", count: 256), .long),
            (".cenotaph-mirror", .reserved), ("a/.cenotaph-tmp-1", .reserved),
        ]
        for (text, refusal) in refused {
            #expect(throws: refusal) { try MirrorPath(try Key(text)) }
        }
    }

    @Test func aHostilePeerWritesNothingOutside() throws {
        let fleet = try MirrorFleet()
        try fleet.write("one", "fa/one")
        // The replica's own folder may lie in the mirrored one, and links may lead out of it.
        try fleet.settle()
        try FileManager.default.moveItem(
            atPath: fleet.tool.path("b"), toPath: fleet.tool.path("fb/b"))
        try FileManager.default.createDirectory(
            atPath: fleet.tool.path("outside"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: fleet.tool.path("fb/link"), withDestinationPath: "../outside")
        try FileManager.default.createSymbolicLink(
            atPath: fleet.tool.path("fb/file"), withDestinationPath: "../outside/file")
        let keys = [
            "../evil", "/evil", "a/../../evil", "a//evil", "..", "b/fleet.key", "b/new",
            "link/evil", "file", ".cenotaph-mirror", "good/but a file is there",
            String(repeating: "n", count: 256),
        ]
        for key in keys {
            #expect(try fleet.tool.run("put", "notes", key, "evil", "--home", "a").code == 0)
        }
        #expect(try fleet.tool.run("put", "notes", "good", "good", "--home", "a").code == 0)
        #expect(try fleet.tool.run("sync", "unix:s", "--home", "fb/b").code == 0)
        let before = try Set(
            FileManager.default.contentsOfDirectory(atPath: fleet.tool.folder.path))
        let key = try fleet.tool.bytes(of: "fb/b/fleet.key")
        for _ in 0..<2 {
            let run = try fleet.tool.run(
                "mirror", "notes", "fb", "--home", "fb/b", "--settle", "0")
            #expect(run.code == 0, "\(run.errors)")
            for key in keys { #expect(run.errors.contains("skipped: row \(key): "), "\(key)") }
        }
        #expect(try fleet.tool.bytes(of: "fb/good") == Data("good".utf8))
        #expect(try fleet.tool.bytes(of: "fb/b/fleet.key") == key)
        #expect(!fleet.exists("fb/b/new") && !fleet.exists("outside/evil"))
        #expect(!fleet.exists("outside/file"))
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: fleet.tool.folder.path))
                == before)
        // Rows that can be no files are not files that are missing.
        #expect(try fleet.rows("fb/b").count == keys.count + 2)
    }

    @Test(arguments: [true, false])
    func anEditSurvivesAConcurrentDelete(deleteFirst: Bool) throws {
        let fleet = try MirrorFleet()
        for name in ["x", "y", "z"] { try fleet.write("1", "fa/\(name)") }
        try fleet.settle()
        try fleet.remove("fa/x")
        try fleet.remove("fa/z")
        try fleet.write("2", "fb/x")
        // The edit may be seen before the deletion is merged or only after it.
        for home in deleteFirst ? ["a"] : ["b", "a"] { try fleet.mirror(home) }
        try fleet.sync()
        try fleet.settle()
        try fleet.expectAll(["x": "2", "y": "1"])
    }

    @Test func twoEditsBothSurvive() throws {
        let fleet = try MirrorFleet()
        try fleet.write("1", "fa/x")
        try fleet.settle()
        try fleet.write("from a", "fa/x")
        try fleet.write("from b", "fb/x")
        try fleet.mirror("a")
        try fleet.sync()
        let run = try fleet.mirror("b")
        #expect(run.output.contains("conflict, get --json shows it: x"))
        try fleet.settle()
        let shown = try #require(try fleet.files("fa")["x"])
        try fleet.expectAll(["x": shown])
        for home in ["a", "b"] {
            let all = try fleet.tool.run("get", "notes", "x", "--json", "--home", home).output
            #expect(all.contains("from a") && all.contains("from b"))
        }
        try fleet.remove("fa/x")
        try fleet.settle()
        try fleet.expectAll([:])
    }

    /// A file that is being written is neither taken in nor overwritten, removed or taken for missing.
    @Test func whatIsBeingWrittenIsLeftAlone() throws {
        let fleet = try MirrorFleet()
        for name in ["x", "y", "z"] { try fleet.write("1", "fa/\(name)") }
        try fleet.settle()
        for name in ["x", "y"] { try fleet.write("being written", "fb/\(name)") }
        try fleet.write("being written", "fb/new")
        try fleet.write("2", "fa/x")
        try fleet.remove("fa/y")
        try fleet.write("2", "fa/new")
        try fleet.mirror("a")
        try fleet.sync()
        for _ in 0..<2 {
            try fleet.tool.run("mirror", "notes", "fb", "--home", "b", "--settle", "3600000")
            #expect(
                try fleet.files("fb") == [
                    "x": "being written", "y": "being written", "new": "being written", "z": "1",
                ])
        }
        try fleet.settle()
        let files = try fleet.files("fa")
        #expect(files["y"] == "being written" && files.count == 4)
        try fleet.expectAll(files)
        for name in ["x", "new"] {
            let all = try fleet.tool.run("get", "notes", name, "--json", "--home", "a").output
            #expect(all.contains("being written") && all.contains("\"2\""))
        }
    }

    @Test func anotherProgramOfThisDeviceWroteTheRow() throws {
        let fleet = try MirrorFleet()
        try fleet.write("1", "fa/x.txt")
        try fleet.settle()
        try fleet.write("by an editor", "fa/x.txt")
        try fleet.tool.run("put", "notes", "x.txt", "by hand", "--home", "a")
        try fleet.settle()
        let files = try fleet.files("fb")
        #expect(files["x.txt"] == "by an editor")
        #expect(files.count == 2 && files.values.contains("by hand"))
        try fleet.expectAll(files)
    }

    /// SIGKILL at every step, then a change by a peer, then another run: nothing is lost, nothing comes back.
    @Test(arguments: ["intent", "files"], ["none", "edit", "delete"])
    func crashesWhileFilesAreWritten(point: String, change: String) throws {
        let fleet = try MirrorFleet()
        try fleet.write("1", "fa/old")
        try fleet.write("1", "fa/kept")
        try fleet.settle()
        try fleet.write("2", "fa/old")
        try fleet.write("2", "fa/new")
        try fleet.mirror("a")
        try fleet.sync()
        try fleet.crash("b", at: point)
        for name in ["old", "new"] where change != "none" {
            change == "edit" ? try fleet.write("3", "fa/\(name)") : try fleet.remove("fa/\(name)")
        }
        try fleet.mirror("a")
        try fleet.sync()
        try fleet.settle()
        switch change {
        case "none": try fleet.expectAll(["old": "2", "new": "2", "kept": "1"])
        case "edit": try fleet.expectAll(["old": "3", "new": "3", "kept": "1"])
        default: try fleet.expectAll(["kept": "1"])
        }
        let row = try fleet.tool.run("get", "notes", "old", "--json", "--home", "b").output
        #expect(row.components(separatedBy: "\"body\"").count <= 2, "no conflict was made: \(row)")
    }

    @Test func crashesWhileFilesAreRemovedOrTakenIn() throws {
        let fleet = try MirrorFleet()
        for name in ["x", "y", "z"] { try fleet.write("1", "fa/\(name)") }
        try fleet.settle()
        try fleet.remove("fa/x")
        try fleet.write("2", "fa/y")
        try fleet.write("new", "fa/new")
        try fleet.crash("a", at: "listing")
        #expect(try fleet.rows("a") == ["x": "1", "y": "2", "z": "1", "new": "new"])
        try fleet.mirror("a")
        try fleet.sync()
        try fleet.crash("b", at: "removals")
        try fleet.settle()
        try fleet.expectAll(["y": "2", "z": "1", "new": "new"])
    }

    /// The super-user may read everything, so there is nothing to test.
    @Test(.enabled(if: geteuid() != 0))
    func whatCannotBeReadIsNotMissing() throws {
        let fleet = try MirrorFleet()
        try fleet.write("1", "fa/x")
        try fleet.write("1", "fa/deep/y")
        try fleet.settle()
        try fleet.remove("fa/x")
        let folder = fleet.tool.path("fa/deep")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder)
        #expect(try fleet.mirror("a").code == 6)
        #expect(try fleet.rows("a") == ["x": "1", "deep/y": "1"])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        try fleet.settle()
        try fleet.expectAll(["deep/y": "1"])
    }
}
