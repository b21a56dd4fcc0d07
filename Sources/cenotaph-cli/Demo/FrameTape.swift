import Cenotaph
import Glibc
import Synchronization

/// Sealed frames kept in a file, in the form of a stream (Spec 05), so that recording costs no memory.
final class FrameTape: Sendable {
    private struct Counts {
        var frames = 0
        var bytes = 0
    }

    private let path: String
    private let descriptor: Int32
    private let counts = Mutex(Counts())

    /// Starts an empty tape.
    init(_ path: String) throws(FileError) {
        self.path = path
        let flags = O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileError("write", Array(path.utf8)) }
    }

    deinit { close(descriptor) }

    /// Number of frames.
    var frames: Int { counts.withLock { $0.frames } }
    /// Their bytes, without lengths.
    var bytes: Int { counts.withLock { $0.bytes } }

    /// Puts a frame at the end.
    func append(_ frame: [UInt8]) throws(FileError) {
        guard System.write(StreamDeframer.prefix(of: frame) + frame, to: descriptor) else {
            throw FileError("write", Array(path.utf8))
        }
        counts.withLock { counts in
            counts.frames += 1
            counts.bytes += frame.count
        }
    }

    /// Sends every frame over a connection, in order.
    func play(to connection: any Connection) async throws {
        var deframer = StreamDeframer()
        var offset = 0
        while true {
            var count = 0
            // Safety: the system writes at most 65,536 bytes to the fresh buffer.
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, initialized in
                count = unsafe pread(descriptor, bytes.baseAddress, 65_536, offset)
                initialized = max(count, 0)
            }
            guard count > 0 else { return }
            offset += count
            deframer.append(chunk)
            while let frame = try deframer.next() { try await connection.send([frame]) }
        }
    }
}
