import Foundation
import Testing

@testable import cenotaph_cli
import Cenotaph

@Suite struct MirrorTests {
    @Test func twoFoldersStayInStep() throws {
        let fleet = try MirrorFleet()
        try fleet.write("one", "fa/one")
        try fleet.write("two", "fa/deep/er/two")
        try fleet.write("three", "fb/three")
        try fleet.settle()
        try fleet.expectAll(["one": "one", "deep/er/two": "two", "three": "three"])
        // Edit here, delete there, rename.
        try fleet.write("one, edited", "fb/one")
        try fleet.remove("fa/three")
        try fleet.remove("fa/deep/er/two")
        try fleet.write("two", "fa/deep/2")
        try fleet.settle()
        let expected = ["one": "one, edited", "deep/2": "two"]
        try fleet.expectAll(expected)
        #expect(!fleet.exists("fb/deep/er"))
        // Again and again: nothing happens, nothing comes back.
        for _ in 0..<2 {
            for home in ["a", "b"] {
                #expect(
                    try fleet.mirror(home).output
                        == "0 taken in, 0 deleted, 0 files written, 0 files removed\n")
            }
            try fleet.sync()
        }
        try fleet.expectAll(expected)
        let digests = try ["a", "b"].map { try fleet.tool.run("digest", "--home", $0).output }
        #expect(digests[0] == digests[1])
    }

    @Test func aFolderThatIsNotTheOneDeletesNothing() throws {
        let fleet = try MirrorFleet()
        for name in ["one", "two", "three"] { try fleet.write(name, "fa/\(name)") }
        try fleet.settle()
        let all = try fleet.rows("a")
        let marker = try fleet.tool.bytes(of: "fa/.cenotaph-mirror")
        let states: [(String, () throws -> Void)] = [
            ("no marker", { try fleet.remove("fa/.cenotaph-mirror") }),
            (
                "emptied",
                { for name in ["one", "two", "three"] { try fleet.remove("fa/\(name)") } }
            ),
            (
                "another marker",
                {
                    try fleet.write(
                        "cenotaph mirror 00112233445566778899aabbccddeeff", "fa/.cenotaph-mirror")
                }
            ),
            ("no marker at all", { try fleet.write("junk", "fa/.cenotaph-mirror") }),
            ("no folder", { try fleet.remove("fa") }),
        ]
        for (state, change) in states {
            try change()
            for _ in 0..<2 {
                let run = try fleet.mirror("a")
                #expect(run.code == 6, "\(state): \(run.output)")
                #expect(run.errors.contains("nothing was deleted"))
            }
            #expect(try fleet.rows("a") == all, "\(state)")
        }
        // The folder of another replica is not this one's; adopted, what is missing is written.
        try fleet.write("four", "fa/four")
        try fleet.tool.write([UInt8](marker), to: "fa/.cenotaph-mirror")
        try fleet.remove("fa/.cenotaph-mirror")
        #expect(try fleet.mirror("a").code == 6)
        #expect(try fleet.mirror("a", "--adopt").code == 0)
        try fleet.settle()
        try fleet.expectAll(all.merging(["four": "four"]) { $1 })
    }

    @Test func aMassOfMissingFilesIsHeldBack() throws {
        let fleet = try MirrorFleet()
        for index in 0..<30 { try fleet.write("\(index)", "fa/\(index)") }
        try fleet.settle()
        for index in 0..<25 { try fleet.remove("fa/\(index)") }
        try fleet.write("edited", "fa/29")
        for _ in 0..<2 {
            let run = try fleet.mirror("a")
            #expect(run.code == 3)
            #expect(run.output.contains("held back: 25 files are missing; --approve 1"))
        }
        #expect(try fleet.rows("a").count == 30)
        #expect(try fleet.rows("a")["29"] == "edited")
        #expect(try fleet.mirror("a", "--approve", "7").code == 1)
        #expect(try fleet.mirror("a", "--undo", "1").code == 0)
        #expect(try fleet.files("fa").count == 30)
        for index in 0..<25 { try fleet.remove("fa/\(index)") }
        #expect(try fleet.mirror("a").code == 3)
        // A file that is back, or a row that was edited meanwhile, is not deleted with the others.
        try fleet.write("0", "fa/0")
        try fleet.write("edited", "fb/1")
        try fleet.mirror("b")
        try fleet.sync()
        #expect(try fleet.mirror("a", "--approve", "2").code == 0)
        try fleet.settle()
        try fleet.expectAll([
            "0": "0", "1": "edited", "25": "25", "26": "26", "27": "27", "28": "28", "29": "edited",
        ])
    }

    @Test func halfWrittenFilesAreNoRows() throws {
        let fleet = try MirrorFleet()
        try fleet.write("one", "fa/one")
        try fleet.write("half", "fa/.cenotaph-tmp-1-1")
        try fleet.write("half", "fa/deep/.cenotaph-tmp-1-2")
        try fleet.settle()
        try fleet.expectAll(["one": "one"])
        #expect(!fleet.exists("fa/deep/.cenotaph-tmp-1-2"))
    }

    @Test func youngFilesWait() throws {
        let fleet = try MirrorFleet()
        try fleet.write("one", "fa/one")
        try fleet.write("two", "fa/two")
        try fleet.settle()
        try fleet.write("edited", "fa/one")
        let run = try fleet.tool.run(
            "mirror", "notes", "fa", "--home", "a", "--settle", "3600000")
        #expect(run.output.contains("left for the next round"))
        #expect(try fleet.rows("a") == ["one": "one", "two": "two"])
        try fleet.settle()
        try fleet.expectAll(["one": "edited", "two": "two"])
    }

    @Test func aFileBecomesAFolderAndBack() throws {
        let fleet = try MirrorFleet()
        try fleet.write("file", "fa/x")
        try fleet.write("other", "fa/other")
        try fleet.settle()
        try fleet.remove("fa/x")
        try fleet.write("inside", "fa/x/y")
        try fleet.settle()
        try fleet.expectAll(["x/y": "inside", "other": "other"])
        try fleet.remove("fa/x")
        try fleet.write("file again", "fa/x")
        let run = try fleet.mirror("a")
        #expect(run.output.contains("left alone, its row is deleted (--revive takes it in): x\n"))
        try fleet.settle()
        #expect(try fleet.rows("b") == ["other": "other"])
        #expect(try fleet.files("fa")["x"] == "file again")
        #expect(try fleet.mirror("a", "--revive").code == 0)
        try fleet.settle()
        try fleet.expectAll(["x": "file again", "other": "other"])
    }

    @Test func anOldCopyUndeletesNothing() throws {
        let fleet = try MirrorFleet()
        for name in ["one", "two"] { try fleet.write(name, "fa/\(name)") }
        try fleet.settle()
        try fleet.remove("fa/one")
        try fleet.settle()
        try fleet.expectAll(["two": "two"])
        // A backup brings the file back, on the device that never deleted it.
        try fleet.write("one", "fb/one")
        try fleet.settle()
        #expect(try fleet.files("fb")["one"] == "one")
        #expect(try fleet.files("fa") == ["two": "two"])
        for home in ["a", "b"] { #expect(try fleet.rows(home) == ["two": "two"]) }
    }

    /// A file that was deleted in one folder leaves no byte in either home once both are scrubbed.
    @Test func aDeletedFileLeavesNoBytes() throws {
        let fleet = try MirrorFleet()
        let secret = "the file that must not be found again"
        try fleet.write(secret, "fa/secret")
        for index in 0..<40 { try fleet.write("file \(index)", "fa/\(index)") }
        try fleet.settle()
        func isFound(_ home: String) throws -> Bool {
            let folder = fleet.tool.folder.appending(path: home)
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).contains {
                let url = folder.appending(path: $0)
                guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
                else { return false }
                return try Data(contentsOf: url).range(of: Data(secret.utf8)) != nil
            }
        }
        for home in ["a", "b", "fa", "fb"] { #expect(try isFound(home), "\(home)") }
        try fleet.remove("fb/secret")
        try fleet.settle()
        for home in ["a", "b"] {
            let run = try fleet.tool.run("scrub", "--home", home)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
        }
        for home in ["a", "b", "fa", "fb"] { #expect(try !isFound(home), "\(home)") }
    }

    @Test func filesAndRowsThatCannotBe() throws {
        let fleet = try MirrorFleet()
        try fleet.write(String(repeating: "x", count: 983_041), "fa/large")
        try FileManager.default.createSymbolicLink(
            atPath: fleet.tool.path("fa/link"), withDestinationPath: "../b")
        let run = try fleet.mirror("a")
        #expect(run.code == 0)
        #expect(run.errors.contains("skipped: large: over 983040 bytes"))
        #expect(try fleet.rows("a").isEmpty)
        for words in [["mirror", "journal", "fa"], ["mirror", "notes", "a"]] {
            #expect(try fleet.tool.run(words + ["--home", "a"]).code == 2)
        }
    }

    @Test func watchingRepeats() throws {
        let fleet = try MirrorFleet()
        let process = Process()
        process.executableURL = try Tool.executable()
        process.arguments = [
            "mirror", "notes", "fa", "--home", "a", "--settle", "0", "--watch", "1", "--json",
        ]
        process.currentDirectoryURL = fleet.tool.folder
        let output = Pipe()
        process.standardOutput = output
        try fleet.write("one", "fa/one")
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let first = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(first.contains("\"taken\":[\"one\"]"))
        #expect(try fleet.mirror("a").code == 5)
        try fleet.tool.run("put", "notes", "two", "2", "--home", "a")
        let second = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(second.contains("\"written\":[\"two\"]"))
        try fleet.remove("fa/one")
        let third = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(third.contains("\"deleted\":[\"one\"]"))
    }
}
