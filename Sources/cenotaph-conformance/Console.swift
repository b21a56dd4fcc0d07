#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Text to the two output descriptors, unbuffered.
enum Console {
    /// Writes a line to the standard output.
    static func print(_ line: String) { emit(line + "\n", to: STDOUT_FILENO) }

    /// Writes a line to the standard error.
    static func complain(_ line: String) { emit(line + "\n", to: STDERR_FILENO) }

    /// Writes a text to a file; `-` is the standard output.
    static func save(_ text: String, to path: String) throws(Stop) {
        guard path != "-" else { return emit(text, to: STDOUT_FILENO) }
        guard Folder.write(Array(text.utf8), to: path) else {
            throw .usage("cannot write \(path)")
        }
    }

    private static func emit(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            // Safety: writes from this array's own storage, at most what is left of it.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            guard count > 0 else { return }
            written += count
        }
    }
}
