import Glibc

/// A file of tokens, one a line, that only its owner may read.
enum TokenFile {
    /// The tokens.
    /// - Throws: `Failure` for a file that others may read or write, that holds none, or one of more than 64 bytes.
    static func read(_ path: String) throws -> [[UInt8]] {
        let name = Array(path.utf8)
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        let file = try Descriptor(opened, "read", name)
        guard try file.status(name).st_mode & 0o077 == 0 else {
            throw Failure(.unusable, "\(path) may be read by others; chmod 600 it")
        }
        let lines = try file.read(atMost: 65_536, name).split(separator: 10).map(Array.init)
        guard !lines.isEmpty, lines.allSatisfy({ $0.count <= 64 }) else {
            throw Failure(.unusable, "\(path) must hold tokens of at most 64 bytes, one a line")
        }
        return lines
    }
}
