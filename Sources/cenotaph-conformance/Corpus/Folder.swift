internal import FoundationEssentials

/// Reading files and folders by path.
enum Folder {
    static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    /// Writes a file.
    ///
    /// Returns whether the system let it.
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        (try? Data(bytes).write(to: URL(filePath: path))) != nil
    }

    /// Makes the folder of a file, and those above it.
    ///
    /// Returns whether it is there.
    static func make(_ path: String) -> Bool {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        if folder.isEmpty { return true }
        return
            (try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)) != nil
    }

    static func names(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func decode<Value: Decodable>(
        _: Value.Type, _ bytes: [UInt8], _ name: String
    ) throws(Stop) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw .corpus("\(name) is not what a vector file or manifest looks like: \(error)")
        }
    }
}
