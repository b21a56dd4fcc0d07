import Foundation
import Testing

/// Two homes of one fleet, `a` and `b`, each with a folder, `fa` and `fb`, and a server for the first.
final class MirrorFleet {
    let tool: Tool
    private let server: Process

    init() throws {
        tool = try Tool()
        try #require(try tool.run("init", "--home", "a").code == 0)
        try #require(try tool.run("init", "--home", "b", "--join", "a/fleet.key").code == 0)
        for name in ["fa", "fb"] {
            try FileManager.default.createDirectory(
                atPath: tool.path(name), withIntermediateDirectories: true)
        }
        server = Process()
        server.executableURL = try Tool.executable()
        server.arguments = ["serve", "--home", "a", "--listen", "unix:s", "--quiet"]
        server.currentDirectoryURL = tool.folder
        let output = Pipe()
        server.standardOutput = output
        try server.run()
        // The line says that it listens.
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        server.terminate()
        server.waitUntilExit()
        tool.remove()
    }

    /// Runs the mirror of one home.
    @discardableResult
    func mirror(_ home: String, _ words: String...) throws -> Tool.Run {
        try tool.run(["mirror", "notes", "f" + home, "--home", home, "--settle", "0"] + words)
    }

    /// Lets the mirror of one home stop at a point as a crash does.
    func crash(_ home: String, at point: String) throws {
        var crashing = tool
        crashing.environment = ["CENOTAPH_MIRROR_CRASH": point]
        let run = try crashing.run([
            "mirror", "notes", "f" + home, "--home", home, "--settle", "0",
        ])
        #expect(run.code == -1, "\(run.output)\(run.errors)")
    }

    func sync() throws {
        let run = try tool.run("sync", "unix:s", "--home", "b")
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Mirrors and syncs until nothing is left to do.
    func settle() throws {
        for _ in 0..<2 {
            for home in ["a", "b"] {
                let run = try mirror(home)
                #expect(run.code == 0, "\(run.output)\(run.errors)")
            }
            try sync()
        }
        for home in ["a", "b"] { try mirror(home) }
    }

    func write(_ text: String, _ path: String) throws {
        try tool.write(Array(text.utf8), to: path)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: tool.path(path))
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: tool.path(path))
    }

    /// The files below a folder with their contents; the marker is none of them.
    func files(_ folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tool.path(folder))
        for path in paths where path != ".cenotaph-mirror" {
            var isFolder: ObjCBool = false
            let whole = tool.path(folder + "/" + path)
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            files[path] = String(
                decoding: try Data(contentsOf: URL(filePath: whole)), as: UTF8.self)
        }
        return files
    }

    /// The live rows of a home: keys and bodies.
    func rows(_ home: String) throws -> [String: String] {
        let lines = try tool.run("list", "notes", "--json", "--bodies", "--home", home).output
        var rows: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let row = try JSONDecoder().decode(ListedRow.self, from: Data(line.utf8))
            rows[row.key] = row.values.first?.body
        }
        return rows
    }

    private struct ListedRow: Decodable {
        struct Value: Decodable { let body: String }
        let key: String
        let values: [Value]
    }

    /// Checks that both folders and both replicas show the same.
    func expectAll(_ expected: [String: String], _ location: SourceLocation = #_sourceLocation)
        throws
    {
        for home in ["a", "b"] {
            #expect(try files("f" + home) == expected, sourceLocation: location)
            #expect(try rows(home) == expected, sourceLocation: location)
        }
    }
}
