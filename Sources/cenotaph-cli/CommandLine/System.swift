import Glibc

/// Standard output and error, and the end of the process.
enum System {
    /// Writes a line to standard output.
    static func print(_ line: String) { write(line + "\n", to: 1) }

    /// Writes a line to standard error.
    static func printError(_ line: String) { write(line + "\n", to: 2) }

    /// Writes bytes as they are.
    ///
    /// Returns whether all were written.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            // Safety: reads at most what is left of this array's own storage.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    private static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    /// Ends the process.
    static func exit(_ code: ExitCode) -> Never { Glibc.exit(code.rawValue) }

    /// Ends the process as a crash does.
    static func kill() { _ = Glibc.kill(getpid(), SIGKILL) }

    /// A variable of the environment, or `nil`.
    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The system's words for an error number.
    static func words(_ number: Int32) -> String {
        guard let words = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: words)
    }

    /// Seconds on a clock that only goes forward.
    static func seconds() -> Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}

/// What the process tells a script by its exit code.
enum ExitCode: Int32 {
    case done = 0
    case nothingFound = 1
    case usage = 2
    case refused = 3
    case notConverged = 4
    case unusable = 5
    case unreadable = 6
    case rejected = 7
    case bug = 70
}

/// A failure with the words and the code that it ends the process with.
struct Failure: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
