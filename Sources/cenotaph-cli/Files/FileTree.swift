import Glibc

/// The regular files below a folder.
struct FileTree {
    /// A file: its path below the folder and its whole path, both as bytes.
    struct Entry {
        let relative: [UInt8]
        let path: [UInt8]
        let size: Int
        fileprivate let device: dev_t
        fileprivate let inode: ino_t

        /// The bytes of the file that was listed.
        ///
        /// Links are not followed: whatever has taken its place since, also by another folder's, is refused.
        /// - Throws: `FileError`; `ESTALE` for another file, `EFBIG` for one over the limit.
        func read(atMost limit: Int) throws(FileError) -> [UInt8] {
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let opened = unsafe File.withPath(path) { unsafe open($0, flags) }
            let descriptor = try Descriptor(opened, "read", path)
            let status = try descriptor.status(path)
            guard status.isFile, status.st_dev == device, status.st_ino == inode else {
                throw FileError("read", path, number: ESTALE)
            }
            return try descriptor.read(atMost: limit, path)
        }
    }

    /// The files, in byte order of their relative paths.
    ///
    /// Symbolic links are not followed.
    private(set) var files: [Entry] = []
    /// The replica's own folder, which is never a place of an app's files.
    private var home: (device: dev_t, inode: ino_t)?
    /// Folders that could not be listed.
    ///
    /// What they hold is unknown, not absent.
    private(set) var unreadable: [FileError] = []

    /// Lists a folder.
    /// - Throws: `FileError` if the folder itself cannot be listed.
    init(_ folder: String, leavingOut home: String? = nil, limit: Int = .max) throws(FileError) {
        if let home {
            var status = stat()
            let found = unsafe stat(home, &status) == 0
            self.home = found ? (status.st_dev, status.st_ino) : nil
        }
        let root = Array(folder.utf8)
        let names = try FileTree.names(in: root)
        walk(root, [], names, limit)
        files.sort { $0.relative.lexicographicallyPrecedes($1.relative) }
    }

    private mutating func walk(
        _ folder: [UInt8], _ prefix: [UInt8], _ names: [[UInt8]], _ limit: Int
    ) {
        for name in names where files.count < limit {
            let path = folder + [UInt8(ascii: "/")] + name
            var status = stat()
            guard unsafe File.withPath(path, { unsafe lstat($0, &status) }) == 0 else {
                unreadable.append(FileError("look at", path))
                continue
            }
            if status.st_mode & S_IFMT == S_IFREG {
                files.append(
                    Entry(
                        relative: prefix + name, path: path, size: Int(status.st_size),
                        device: status.st_dev, inode: status.st_ino))
            } else if let home, home == (status.st_dev, status.st_ino) {
                continue
            } else if status.st_mode & S_IFMT == S_IFDIR {
                do {
                    let inner = try FileTree.names(in: path)
                    walk(path, prefix + name + [UInt8(ascii: "/")], inner, limit)
                } catch {
                    unreadable.append(error)
                }
            }
        }
    }

    /// The names in a folder, in byte order.
    private static func names(in folder: [UInt8]) throws(FileError) -> [[UInt8]] {
        guard let stream = unsafe File.withPath(folder, { unsafe opendir($0) }) else {
            throw FileError("list", folder)
        }
        defer { unsafe closedir(stream) }
        return try unsafe File.names(stream, folder)
    }
}

extension File {
    /// The names in an open folder, in byte order.
    static func names(
        _ stream: OpaquePointer, _ folder: [UInt8]
    ) throws(FileError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            // Safety: the system ends the name with a zero inside the entry's own buffer.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                unsafe Array(buffer.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        guard errno == 0 else { throw FileError("list", folder) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
