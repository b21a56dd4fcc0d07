import Cenotaph
import Glibc

/// What a folder shows at one look: names and stamps, no contents.
struct MirrorScan {
    /// The regular files, by the bytes of their relative paths.
    private(set) var files: [[UInt8]: FileStamp] = [:]
    /// Paths of which nothing can be said: links, sockets and the like, and names that are no keys.
    private(set) var opaque: [[UInt8]] = []
    /// Folders whose files have paths that are too long for keys.
    private(set) var tooDeep: [[UInt8]] = []
    /// Whether all was seen; otherwise what is missing may be there.
    private(set) var isWhole = true
    /// What could not be looked at.
    private(set) var problems: [String] = []

    /// Looks at every file, and removes what an interrupted run left half-written.
    init(_ folder: MirrorFolder) {
        walk(folder.root, [], folder)
    }

    /// Whether nothing can be said of a path, because of it or of what is above it.
    func isOpaque(_ path: [UInt8]) -> Bool {
        opaque.contains { above in
            path.starts(with: above)
                && (path.count == above.count || path[above.count] == UInt8(ascii: "/"))
        }
    }

    private mutating func walk(
        _ descriptor: borrowing Descriptor, _ prefix: [UInt8], _ folder: MirrorFolder
    ) {
        let names: [[UInt8]]
        do {
            names = try descriptor.names(folder.whole(prefix))
        } catch {
            return note(error)
        }
        for name in names {
            if name.starts(with: folder.temporary) { folder.remove(name, in: descriptor) }
            if name.starts(with: MirrorPath.reserved) { continue }
            do {
                try look(at: name, in: descriptor, prefix + name, folder)
            } catch {
                note(error)
            }
        }
    }

    private mutating func look(
        at name: [UInt8], in descriptor: borrowing Descriptor, _ path: [UInt8],
        _ folder: MirrorFolder
    ) throws(FileError) {
        let whole = folder.whole(path)
        guard let status = try descriptor.status(of: name, whole) else {
            throw FileError("look at", whole, number: ENOENT)
        }
        if status.isFile {
            files[path] = FileStamp(status)
        } else if status.isFolder, !folder.isHome(status) {
            guard path.count < Limits.maxKey else {
                tooDeep.append(path)
                return opaque.append(path)
            }
            walk(try descriptor.folder(name, whole), path + [UInt8(ascii: "/")], folder)
        } else {
            opaque.append(path)
        }
    }

    private mutating func note(_ error: FileError) {
        isWhole = false
        problems.append(error.description)
    }
}
