import Foundation
import Testing

@testable import cenotaph_cli

/// Files that are exchanged between the moment that they are listed and the one that they are read.
@Suite struct FileTreeTests {
    private func entry(_ tool: Tool) throws -> FileTree.Entry {
        try tool.write([1, 2, 3], to: "files/deep/a")
        let entry = try #require(try FileTree(tool.path("files")).files.first)
        #expect(try entry.read(atMost: 10) == [1, 2, 3])
        return entry
    }

    @Test func anotherFileInItsPlaceIsRefused() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let entry = try entry(tool)
        let manager = FileManager.default
        let path = tool.path("files/deep/a")
        try tool.write([9], to: "secret")
        let exchanges: [() throws -> Void] = [
            {
                try manager.createSymbolicLink(
                    atPath: path, withDestinationPath: tool.path("secret"))
            },
            { try tool.write([9], to: "files/deep/a") },
            { try manager.createDirectory(atPath: path, withIntermediateDirectories: true) },
            { #expect(mkfifo(path, 0o600) == 0) },
            {},
        ]
        // Kept under another name, so that its number is not given to the file in its place.
        try manager.moveItem(atPath: path, toPath: tool.path("kept"))
        for exchange in exchanges {
            try exchange()
            #expect(throws: FileError.self) { try entry.read(atMost: 10) }
            try? manager.removeItem(atPath: path)
        }
    }

    @Test func aLinkInItsFoldersPlaceIsRefused() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let entry = try entry(tool)
        try tool.write([9], to: "elsewhere/a")
        try FileManager.default.moveItem(
            atPath: tool.path("files/deep"), toPath: tool.path("kept"))
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("files/deep"), withDestinationPath: tool.path("elsewhere"))
        #expect(throws: FileError.self) { try entry.read(atMost: 10) }
    }

    @Test func aLongerFileIsRefused() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let entry = try entry(tool)
        #expect(throws: FileError.self) { try entry.read(atMost: 2) }
    }
}
