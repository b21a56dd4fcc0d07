internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A child process in a group of its own, with a pipe to its input and one from its output.
///
/// It is killed, with its group, and waited for when the owner goes.
struct ChildProcess: ~Copyable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var buffered: [UInt8] = []

    /// Bytes of one line that are read before the child is given up.
    private static let maxLine = 64 << 20

    /// Starts a command found in the path.
    ///
    /// `nil` if the system refuses.
    init?(_ command: [String]) {
        signal(SIGPIPE, SIG_IGN)
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard unsafe pipe(&toChild) == 0 else { return nil }
        guard unsafe pipe(&fromChild) == 0 else {
            toChild.forEach { _ = close($0) }
            return nil
        }
        for descriptor in toChild + fromChild {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        _ = fcntl(toChild[1], F_SETFL, O_NONBLOCK)
        let started = ChildProcess.spawn(command, input: toChild[0], output: fromChild[1])
        close(toChild[0])
        close(fromChild[1])
        guard let started else {
            close(toChild[1])
            close(fromChild[0])
            return nil
        }
        process = started
        input = toChild[1]
        output = fromChild[0]
    }

    deinit {
        close(input)
        close(output)
        kill(-process, SIGKILL)
        var status: Int32 = 0
        unsafe _ = waitpid(process, &status, 0)
    }

    private static func spawn(_ command: [String], input: Int32, output: Int32) -> pid_t? {
        #if canImport(Glibc)
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        // Safety: the strings are copies that live until after the call; both lists end with nil.
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe (arguments + variables).forEach { unsafe free($0) }
        }
        var process: pid_t = 0
        let status = unsafe posix_spawnp(
            &process, command[0], &actions, &attributes, &arguments, &variables)
        return status == 0 ? process : nil
    }

    /// Writes a whole line.
    ///
    /// Returns whether the child took it before the deadline.
    mutating func send(_ line: String, until deadline: ContinuousClock.Instant) -> Bool {
        let bytes = Array((line + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            guard ChildProcess.wait(input, Int16(POLLOUT), until: deadline) else { return false }
            // Safety: writes from this array's own storage, at most what is left of it.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(input, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// What reading a line came to.
    enum Received {
        case line([UInt8])
        case ended
        case timedOut
    }

    /// Reads up to the next line feed.
    mutating func receive(until deadline: ContinuousClock.Instant) -> Received {
        var searched = 0
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = buffered[searched...].firstIndex(of: 10) {
                let line = Array(buffered[..<end])
                buffered.removeFirst(end + 1)
                return .line(line)
            }
            searched = buffered.count
            guard searched < ChildProcess.maxLine else { return .ended }
            guard ChildProcess.wait(output, Int16(POLLIN), until: deadline) else {
                return .timedOut
            }
            // Safety: reads into this array's own storage, at most its size.
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe read(output, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .ended }
            buffered += chunk[..<count]
        }
    }

    /// Waits until the descriptor can be used, or has ended.
    ///
    /// `false` at the deadline.
    private static func wait(
        _ descriptor: Int32, _ events: Int16, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return false }
            let (seconds, attoseconds) = left.components
            let milliseconds = min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            var question = pollfd(fd: descriptor, events: events, revents: 0)
            let answer = unsafe poll(&question, 1, Int32(milliseconds))
            if answer > 0 { return true }
            guard answer == 0 || errno == EINTR else { return false }
        }
    }
}
