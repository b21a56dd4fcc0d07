import Foundation
import Testing

/// Runs the built tool in a folder of its own.
struct Tool {
    struct Run {
        let code: Int32
        let output: String
        let errors: String
    }

    let folder: URL
    /// Variables that its processes have beside those of this one.
    var environment: [String: String] = [:]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "cenotaph-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func bytes(of name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    /// The tool stands beside the test bundle.
    static func executable() throws -> URL {
        let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [bundle, Bundle.main.bundleURL, bundle.deletingLastPathComponent()]
            .map { $0.appending(path: "cenotaph") }
        return try #require(
            candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }

    @discardableResult
    func run(_ words: String..., input: [UInt8] = []) throws -> Run {
        try run(words, input: input)
    }

    @discardableResult
    func run(_ words: [String], input: [UInt8] = []) throws -> Run {
        let process = Process()
        process.executableURL = try Tool.executable()
        process.arguments = words
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = stdin
        try process.run()
        stdin.fileHandleForWriting.write(Data(input))
        try stdin.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(
            code: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }
}
