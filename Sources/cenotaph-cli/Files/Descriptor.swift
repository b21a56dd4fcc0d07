import Glibc

/// An open file or folder, closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes an open descriptor.
    /// - Throws: `FileError` with the system's error if it is none.
    init(_ number: Int32, _ what: String, _ path: [UInt8]) throws(FileError) {
        guard number >= 0 else { throw FileError(what, path) }
        self.number = number
    }

    deinit { close(number) }

    /// The stamp, and whether it is a folder or a regular file.
    func status(_ path: [UInt8]) throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw FileError("look at", path) }
        return status
    }

    /// The names in this folder, in byte order.
    func names(_ path: [UInt8]) throws(FileError) -> [[UInt8]] {
        let own = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw FileError("list", path) }
        guard let stream = unsafe fdopendir(own) else {
            close(own)
            throw FileError("list", path)
        }
        defer { unsafe closedir(stream) }
        return try unsafe File.names(stream, path)
    }

    /// The status of a name in this folder, or `nil` if there is none; a link is not followed.
    func status(of name: [UInt8], _ path: [UInt8]) throws(FileError) -> stat? {
        var status = stat()
        let found = unsafe File.withPath(name) {
            unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        if found == 0 { return status }
        guard errno == ENOENT else { throw FileError("look at", path) }
        return nil
    }

    /// Opens a folder in this folder; a link is not followed.
    func folder(_ name: [UInt8], _ path: [UInt8]) throws(FileError) -> Descriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = unsafe File.withPath(name) { unsafe openat(number, $0, flags) }
        return try Descriptor(opened, "open", path)
    }

    /// Reads to the end.
    /// - Throws: `FileError`; `EFBIG` over the limit.
    func read(atMost limit: Int, _ path: [UInt8]) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var count = 0
            let room = min(65_536, limit + 1 - bytes.count)
            // Safety: the system writes at most `room` bytes to the fresh buffer.
            bytes += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                count = unsafe Glibc.read(number, buffer.baseAddress, room)
                initialized = max(count, 0)
            }
            guard count >= 0 else { throw FileError("read", path) }
            if count == 0 { return bytes }
        }
        throw FileError("read", path, number: EFBIG)
    }
}

extension stat {
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
