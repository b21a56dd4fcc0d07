#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the driver tells its parent.
enum Report {
    /// Writes a line that no buffer keeps back.
    static func say(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
        }
        precondition(count == bytes.count, "the parent is gone")
    }
}
