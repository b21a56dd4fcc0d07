import CenotaphStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of one test, removed with its last reference.
final class TempFolder {
    let path: String
    private let isLent: Bool

    init() throws {
        let root = FileManager.default.temporaryDirectory.path
        path = "\(root)/cenotaph-\(UUID().uuidString)"
        isLent = false
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The folder at a path, for a child process that may stop at any time: its parent made it and removes it.
    init(lentBy path: String) {
        self.path = path
        isLent = true
    }

    deinit { if !isLent { remove() } }

    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    func file(_ name: String = "store.db") -> String { "\(path)/\(name)" }

    /// A store in the folder.
    func store(
        _ name: String = "store.db", _ mode: OpenMode = .create,
        busyTimeout: Duration = .milliseconds(50)
    ) throws -> SQLiteStore {
        try SQLiteStore(path: file(name), mode: mode, busyTimeout: busyTimeout)
    }

    func write(_ bytes: [UInt8], _ name: String = "store.db") throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    /// The bytes of a file.
    func read(_ name: String = "store.db") throws -> [UInt8] {
        // Not by Foundation, which leaks when it reads an empty file.
        guard let stream = fopen(file(name), "r") else { throw POSIXError(.ENOENT) }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Whether the bytes are still those of the store's file.
    ///
    /// A failure prints none of them.
    func holds(_ bytes: [UInt8]) throws -> Bool { try read() == bytes }

    /// The names of the files, ascending.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Every file and its bytes.
    func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try names() { contents[name] = try read(name) }
        return contents
    }

    /// The permission bits of a file.
    func permissions(_ name: String = "store.db") -> Int {
        var status = stat()
        return stat(file(name), &status) == 0 ? Int(status.st_mode & 0o777) : -1
    }

    func copy(_ from: String, _ to: String) throws {
        try FileManager.default.copyItem(atPath: file(from), toPath: file(to))
    }
}
