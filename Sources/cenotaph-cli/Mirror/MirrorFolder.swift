import CFiles
import Cenotaph
import Glibc

/// The mirrored folder: every file is reached from its descriptor, component by component, without following links.
final class MirrorFolder {
    /// Why a file was left as it is.
    enum Obstacle: Error {
        /// Something that is no folder is in the way, or no regular file is in the file's place.
        case obstructed(String)
        /// The file is not, or no longer, what it was expected to be.
        case changed
        /// The system refused.
        case failed(FileError)
    }

    let path: String
    let root: Descriptor
    /// The replica's own folder, which is never mirrored.
    private let home: (device: dev_t, inode: ino_t)
    /// What the names of temporary files begin with.
    let temporary: [UInt8]
    private var written = 0

    init(_ path: String, home: String) throws(FileError) {
        self.path = path
        let bytes = Array(path.utf8)
        root = try Descriptor(
            unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open", bytes)
        var status = stat()
        guard unsafe stat(home, &status) == 0 else {
            throw FileError("look at", Array(home.utf8))
        }
        self.home = (status.st_dev, status.st_ino)
        temporary = MirrorPath.temporary
    }

    func whole(_ relative: [UInt8]) -> [UInt8] {
        Array(path.utf8) + [UInt8(ascii: "/")] + relative
    }

    /// Whether a folder is the replica's own.
    func isHome(_ status: stat) -> Bool {
        status.st_dev == home.device && status.st_ino == home.inode
    }

    /// Opens the folder of a file.
    /// - Throws: `Obstacle`; `changed` if it is not there and is not to be made.
    func parent(of file: MirrorPath, making: Bool) throws(Obstacle) -> Descriptor {
        let path = whole(file.bytes)
        do {
            var folder = try Descriptor(
                unsafe openat(root.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open", path)
            for name in file.folders {
                if making {
                    unsafe _ = File.withPath(name) { unsafe mkdirat(folder.number, $0, 0o777) }
                }
                let next = try folder.folder(name, path)
                guard !isHome(try next.status(path)) else {
                    throw Obstacle.obstructed("the replica's own folder is there")
                }
                folder = next
            }
            return folder
        } catch let error as FileError {
            switch error.number {
            case ENOENT: throw .changed
            case ENOTDIR, ELOOP: throw .obstructed("no folder is where its folder should be")
            default: throw .failed(error)
            }
        } catch let error as Obstacle {
            throw error
        } catch {
            preconditionFailure("no other error")
        }
    }

    /// Reads a file that nobody writes meanwhile.
    ///
    /// - Throws: `changed` if it is not there or was written meanwhile; `obstructed` if it is no regular file;
    ///   `failed` with `EFBIG` over the limit of a body.
    func read(_ file: MirrorPath) throws(Obstacle) -> (body: [UInt8], stamp: FileStamp) {
        let folder = try parent(of: file, making: false)
        let path = whole(file.bytes)
        do {
            guard let found = try folder.status(of: file.name, path) else { throw Obstacle.changed }
            guard found.isFile else { throw Obstacle.obstructed("no regular file is there") }
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let opened = unsafe File.withPath(file.name) { name in
                unsafe openat(folder.number, name, flags)
            }
            let descriptor = try Descriptor(opened, "read", path)
            let before = FileStamp(try descriptor.status(path))
            let body = try descriptor.read(atMost: Limits.maxBody, path)
            let after = FileStamp(try descriptor.status(path))
            let there = try folder.status(of: file.name, path).map(FileStamp.init)
            guard before == after, after == there, body.count == Int(clamping: after.size) else {
                throw Obstacle.changed
            }
            return (body, after)
        } catch let error as Obstacle {
            throw error
        } catch let error as FileError {
            throw error.number == ENOENT ? .changed : .failed(error)
        } catch {
            preconditionFailure("no other error")
        }
    }

    /// Whether nothing is in a file's place; false if that cannot be found out.
    func isAbsent(_ file: MirrorPath) -> Bool {
        do {
            return try parent(of: file, making: false)
                .status(of: file.name, whole(file.bytes)) == nil
        } catch Obstacle.changed {
            return true
        } catch {
            return false
        }
    }

    /// A name for a temporary file, new in this process.
    func temporaryName() -> [UInt8] {
        written += 1
        return temporary + Array("\(getpid())-\(written)".utf8)
    }
}
