import Foundation
import Testing

/// Several processes on one store at a time.
@Suite struct SharedStoreTests {
    /// Starts the tool and does not wait.
    private func start(_ tool: Tool, _ words: String...) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = try Tool.executable()
        process.arguments = words
        process.currentDirectoryURL = tool.folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    /// Writers wait for each other, and nothing is lost: beside a server that has the store open all the while.
    @Test func manyWritersAndAServer() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.run("init", "--home", "a")
        try tool.run("init", "--home", "b", "--join", "a/fleet.key")
        let (server, output) = try start(
            tool, "serve", "--home", "a", "--listen", "unix:s", "--quiet")
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        _ = output.fileHandleForReading.availableData
        for writer in 0..<4 {
            for file in 0..<50 {
                try tool.write(Array("\(file)".utf8), to: "files\(writer)/w\(writer)-\(file)")
            }
        }
        let writers = try (0..<4).map {
            try start(tool, "import", "notes", "files\($0)", "--home", "a")
        }
        // A reader in the middle sees some of it, and disturbs nobody.
        for _ in 0..<5 { #expect(try tool.run("list", "notes", "--home", "a").code == 0) }
        for (writer, output) in writers {
            _ = output.fileHandleForReading.readDataToEndOfFile()
            writer.waitUntilExit()
            #expect(writer.terminationStatus == 0)
        }
        try tool.run("delete", "notes", "w0-0", "--home", "a")
        // The server hands out what the others wrote, and takes in rows beside them.
        try tool.run("put", "notes", "from b", "1", "--home", "b")
        let sync = try tool.run("sync", "unix:s", "--home", "b")
        #expect(sync.code == 0, "\(sync.errors)")
        for home in ["a", "b"] {
            let listed = try tool.run("list", "notes", "--home", home).output
            #expect(listed.split(separator: "\n").count == 200, "199 of the writers, one of b")
        }
        #expect(
            try tool.run("digest", "--home", "a").output
                == tool.run("digest", "--home", "b").output)
    }
}
