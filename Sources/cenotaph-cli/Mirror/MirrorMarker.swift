import Cenotaph
import Glibc

/// The file that says which mirror a folder is: it is lost, or another one, when the folder is not what it was.
final class MirrorMarker {
    let id: ID16?
    private let descriptor: Descriptor

    private static let heading = "cenotaph mirror "

    /// The marker of a folder, or `nil` if it has none; one that is no marker has no id.
    init?(of folder: MirrorFolder) throws {
        let path = folder.whole(MirrorPath.marker)
        guard let status = try folder.root.status(of: MirrorPath.marker, path) else { return nil }
        guard status.isFile else {
            throw FileError("read the marker", path, number: EINVAL)
        }
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
        let opened = unsafe File.withPath(MirrorPath.marker) { name in
            unsafe openat(folder.root.number, name, flags)
        }
        descriptor = try Descriptor(opened, "read", path)
        let text = String(decoding: try descriptor.read(atMost: 4_096, path), as: UTF8.self)
        let digits = text.dropFirst(MirrorMarker.heading.count).prefix { $0.isHexDigit }
        guard text.hasPrefix(MirrorMarker.heading), let bytes = Hex.bytes(digits) else {
            id = nil
            return
        }
        id = try? decodeWhole(bytes) { (reader) throws(WireError) in try reader.id16() }
    }

    /// Keeps other mirrors off the folder until this marker goes.
    func lock() throws {
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(.unusable, "another mirror works on the folder")
        }
    }

    /// Writes the marker of a folder, in the place of any other.
    static func write(_ id: ID16, to folder: MirrorFolder) throws {
        let path = folder.whole(MirrorPath.marker)
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let opened = unsafe File.withPath(MirrorPath.marker) { name in
            unsafe openat(folder.root.number, name, flags, 0o666)
        }
        let descriptor = try Descriptor(opened, "write", path)
        let text = """
            \(heading)\(id)
            Keep this file: without it, cenotaph takes the folder for another one and deletes nothing.

            """
        guard System.write(Array(text.utf8), to: descriptor.number),
            fsync(descriptor.number) == 0, fsync(folder.root.number) == 0
        else { throw FileError("write", path) }
    }
}
