import Cenotaph
import Glibc

/// What the system says of a file: if none of it changed, neither did the contents.
struct FileStamp: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let modified: Time
    let changed: Time
    let permissions: mode_t

    struct Time: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64

        init(_ time: timespec) {
            seconds = Int64(time.tv_sec)
            nanoseconds = Int64(time.tv_nsec)
        }

        static func now() -> Time {
            var now = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &now)
            return Time(now)
        }

        /// Milliseconds since then; negative for a time to come.
        func age(at now: Time) -> Int64 {
            let (seconds, overflow) = now.seconds.subtractingReportingOverflow(self.seconds)
            guard !overflow, (-(1 << 40)..<1 << 40).contains(seconds) else { return -1 }
            return seconds * 1_000 + (now.nanoseconds - nanoseconds) / 1_000_000
        }
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = UInt64(clamping: status.st_size)
        modified = Time(status.st_mtim)
        changed = Time(status.st_ctim)
        permissions = status.st_mode & 0o777
    }

    /// Whether it is the same file with the same contents; a rename changes only `changed`.
    func hasSameContents(as other: FileStamp) -> Bool {
        inode == other.inode && device == other.device && size == other.size
            && modified == other.modified
    }

    /// Whether the file was written less than so many milliseconds ago, and may be written still.
    ///
    /// A time to come says nothing.
    func isYounger(than milliseconds: Int, at now: Time) -> Bool {
        let age = modified.age(at: now)
        return age >= 0 && age < milliseconds
    }

    /// The stamp as a note, or nothing if a change right after could leave the stamp as it is.
    ///
    /// The clocks of file systems tick in steps of up to 2 seconds.
    func note(at now: Time) -> [UInt8] {
        guard min(modified.age(at: now), changed.age(at: now)) > 2_000 else { return [] }
        let numbers = [
            device, inode, size, UInt64(bitPattern: modified.seconds),
            UInt64(bitPattern: modified.nanoseconds), UInt64(bitPattern: changed.seconds),
            UInt64(bitPattern: changed.nanoseconds),
        ]
        return WireWriter.filled(8 * numbers.count) { writer in
            for number in numbers { writer.u64(number) }
        }
    }
}
