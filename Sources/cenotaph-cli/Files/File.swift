import Glibc

/// Why a file or folder could not be used: what was tried, on what, and the system's error number.
struct FileError: Error, CustomStringConvertible {
    let what: String
    let path: String
    let number: Int32

    var description: String {
        "\(path): cannot \(what): \(System.words(number))"
    }
}

/// Files by their paths.
enum File {
    /// The bytes of a file.
    /// - Throws: `FileError`; a file over the limit has `EFBIG`.
    static func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try read(Array(path.utf8), atMost: limit)
    }

    /// The bytes of a file whose path may be any bytes.
    static func read(_ path: [UInt8], atMost limit: Int) throws(FileError) -> [UInt8] {
        let opened = unsafe withPath(path) { unsafe open($0, O_RDONLY | O_CLOEXEC) }
        return try Descriptor(opened, "read", path).read(atMost: limit, path)
    }

    /// Writes a whole file anew.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileError("write", Array(path.utf8)) }
        guard System.write(bytes, to: descriptor) else {
            close(descriptor)
            throw FileError("write", Array(path.utf8))
        }
        guard close(descriptor) == 0 else { throw FileError("write", Array(path.utf8)) }
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Makes a folder unless it is there; its parent must be there.
    static func makeFolder(_ path: String) throws(FileError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FileError("make", Array(path.utf8))
        }
    }

    /// Calls `body` with the path as the system wants it.
    static func withPath<Result>(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        let characters = path.map { CChar(bitPattern: $0) } + [0]
        // Safety: the array ends with a zero and lives for the call.
        return unsafe characters.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("no path") }
            return unsafe body(base)
        }
    }
}

extension FileError {
    init(_ what: String, _ path: [UInt8], number: Int32 = errno) {
        self.init(what: what, path: String(decoding: path, as: UTF8.self), number: number)
    }
}

extension File {
    /// A new folder that only this user may use.
    static func makeTemporaryFolder() throws(FileError) -> String {
        var template =
            Array((System.environment("TMPDIR") ?? "/tmp").utf8) + Array("/cenotaph-XXXXXX".utf8)
            + [0]
        // Safety: the system writes into this array's own storage, which ends with a zero.
        let made = unsafe template.withUnsafeMutableBytes { buffer in
            guard let base = unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress else {
                return false
            }
            return unsafe mkdtemp(base) != nil
        }
        guard made else { throw FileError("make", Array(template.dropLast())) }
        return String(decoding: template.dropLast(), as: UTF8.self)
    }

    /// Removes a folder and all below it, as far as that can be done.
    static func removeFolder(_ path: String) {
        guard let tree = try? FileTree(path) else { return }
        var folders: Set<[UInt8]> = []
        for file in tree.files {
            unsafe _ = withPath(file.path) { unsafe unlink($0) }
            folders.insert(Array(file.path.prefix(file.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)))
        }
        for folder in folders.sorted(by: { $0.count > $1.count }) {
            unsafe _ = withPath(folder) { unsafe rmdir($0) }
        }
        unsafe _ = rmdir(path)
    }
}
