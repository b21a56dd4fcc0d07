import Cenotaph
import Dispatch
import FoundationEssentials
import Glibc

/// One device of the demo: a folder, and processes that work on it.
final class Device {
    let name: String
    let home: String
    private var server: ChildProcess?
    /// The greatest memory of any of its processes, in KiB.
    private(set) var peakKiB = 0

    init(_ name: String, in folder: String) {
        self.name = name
        home = folder + "/" + name
    }

    /// What a device shows: keys and sizes of its live rows, and its roots.
    struct View: Equatable {
        var notes: [String: Int] = [:]
        var events: [String: Int] = [:]
        var digests: [DigestReport] = []
    }

    /// Runs one command on the device.
    @discardableResult
    func run(_ words: [String], codes: Set<Int32> = [0]) throws -> [String] {
        let (lines, ending) = try ChildProcess.run(words + ["--home", home], codes: codes)
        peakKiB = max(peakKiB, ending.peakKiB)
        return lines
    }

    /// Reads both namespaces and the digests, each with a process of its own.
    func view() throws -> View {
        View(
            notes: try rows("notes"), events: try rows("journal"),
            digests: try decode(try run(["digest", "--json"]).joined()))
    }

    /// The body of a note, or `nil`.
    func body(_ key: String) throws -> String? {
        let lines = try run(["get", "notes", key, "--json"], codes: [0, 1])
        guard let line = lines.first else { return nil }
        let row: RowReport = try decode(line)
        return row.values.first?.body
    }

    private func rows(_ namespace: String) throws -> [String: Int] {
        var rows: [String: Int] = [:]
        for line in try run(["list", namespace, "--json"]) {
            let row: RowReport = try decode(line)
            rows[row.key] = row.values.first?.bytes
        }
        return rows
    }

    /// Starts to serve; returns where.
    func serve() throws -> PeerAddress {
        let child = try ChildProcess(["serve", "--quiet", "--home", home], name: name)
        guard let line = child.readLine(), let word = line.split(separator: " ").last else {
            throw Failure(.bug, "\(name) does not serve")
        }
        server = child
        return try Command.peerAddress(String(word))
    }

    /// Stops serving.
    func stopServing() {
        guard let server else { return }
        peakKiB = max(peakKiB, server.end(with: SIGTERM).peakKiB)
        self.server = nil
    }

    /// Starts a sync and does not wait for its end.
    func startSync(_ address: PeerAddress) throws -> ChildProcess {
        try ChildProcess(
            ["sync", Command.text(of: address), "--json", "--home", home, "--timeout", "600"],
            name: name)
    }

    /// Syncs to the end.
    func sync(_ address: PeerAddress) async throws -> LinkReport {
        let words = [
            "sync", Command.text(of: address), "--json", "--timeout", "600", "--home", home,
        ]
        // Waiting for a process holds up a thread, so it is not one of those that run tasks.
        let (lines, ending) = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try ChildProcess.run(words) })
            }
        }
        peakKiB = max(peakKiB, ending.peakKiB)
        return try decode(lines.joined())
    }

    private func decode<Value: Decodable>(_ line: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(line.utf8))
    }
}
