import Foundation
import Testing

/// A running `cenotaph` process that a test ends or kills.
final class RunningTool {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private(set) var firstLine = ""

    /// Starts it and waits for the line that it prints when it is ready.
    init(_ tool: Tool, _ words: String...) throws {
        process.executableURL = try Tool.executable()
        process.arguments = words
        process.currentDirectoryURL = tool.folder
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            line.append(byte)
        }
        firstLine = String(decoding: line, as: UTF8.self)
    }

    deinit { if process.isRunning { kill() } }

    /// The word after the last space of the first line: where it listens.
    var place: String { firstLine.split(separator: " ").last.map(String.init) ?? "" }

    var id: Int32 { process.processIdentifier }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end; returns its exit code and what it wrote to standard error.
    func terminate() -> (code: Int32, errors: String) {
        process.terminate()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationReason == .exit ? process.terminationStatus : -1,
            String(decoding: text, as: UTF8.self)
        )
    }
}
