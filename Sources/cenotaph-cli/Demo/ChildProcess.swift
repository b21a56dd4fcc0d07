import Glibc

/// Another process of this program, with its standard output on a pipe.
final class ChildProcess {
    /// How a process ended.
    struct Ending {
        /// The exit code; `nil` if a signal ended it.
        let exitCode: Int32?
        /// The greatest memory it held, in KiB.
        let peakKiB: Int
    }

    let name: String
    private let process: pid_t
    private let output: Int32
    private var buffer: [UInt8] = []
    private var ending: Ending?

    /// Starts this program with other words.
    init(_ words: [String], name: String) throws {
        self.name = name
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else {
            throw Failure(.bug, "no pipe (error \(errno))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let arguments = ["cenotaph"] + words
        // Safety: the strings, the actions and the argument list live until posix_spawn has returned.
        var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var process: pid_t = 0
        let status = unsafe posix_spawn(
            &process, "/proc/self/exe", &actions, nil, &strings, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            throw Failure(.bug, "cannot start \(name) (error \(status))")
        }
        self.process = process
        output = ends[0]
    }

    deinit {
        if ending == nil { _ = end(with: SIGKILL) }
        close(output)
    }

    /// The next line of its output, or `nil` at the end.
    ///
    /// Waits for it.
    func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var count = 0
            // Safety: the system writes at most 65,536 bytes to the fresh buffer.
            buffer += unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, initialized in
                count = unsafe read(output, bytes.baseAddress, 65_536)
                initialized = max(count, 0)
            }
            if count <= 0 { return nil }
        }
    }

    /// Sends a signal and waits for the end.
    func end(with signal: Int32) -> Ending {
        if ending == nil { kill(process, signal) }
        return wait()
    }

    /// Waits for the end.
    func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let exited = status & 0x7f == 0
        let ended = Ending(
            exitCode: exited ? (status >> 8) & 0xff : nil, peakKiB: Int(usage.ru_maxrss))
        ending = ended
        return ended
    }

    /// Runs to the end and returns the lines printed.
    /// - Throws: `Failure` for an exit code that is not in `codes`.
    static func run(
        _ words: [String], codes: Set<Int32> = [0]
    ) throws -> (lines: [String], ending: Ending) {
        let child = try ChildProcess(words, name: words.first ?? "")
        var lines: [String] = []
        while let line = child.readLine() { lines.append(line) }
        let ending = child.wait()
        guard let code = ending.exitCode, codes.contains(code) else {
            let how = ending.exitCode.map { "exit code \($0)" } ?? "a signal"
            throw Failure(.bug, "cenotaph \(words.joined(separator: " ")) ended with \(how)")
        }
        return (lines, ending)
    }
}
