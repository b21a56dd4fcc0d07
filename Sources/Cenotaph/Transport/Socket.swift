internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A non-blocking socket whose waits suspend the task and end when it is cancelled.
final class Socket: Sendable {
    enum Direction { case read, write }

    let descriptor: Int32
    private let queue = DispatchQueue(label: "cenotaph.socket")
    private let isShut = Atomic(false)

    /// Takes over a descriptor.
    init(_ descriptor: Int32) throws(PeerError) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .system("fcntl", errno: errno) }
    }

    deinit { System.closeDescriptor(descriptor) }

    /// Ends both directions.
    ///
    /// The descriptor is freed when the last wait has ended.
    func shut() {
        isShut.store(true, ordering: .relaxed)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends what goes out; what comes in is still read.
    func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits until a read or write would not block.
    /// - Throws: `CancellationError`.
    func wait(for direction: Direction) async throws {
        let source: any DispatchSourceProtocol =
            direction == .read
            ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        let wait = Wait(source)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                source.setEventHandler { source.cancel() }
                source.setCancelHandler { [self] in
                    // The socket outlives its sources: a closed descriptor may be another file's by now.
                    _ = self
                    continuation.resume()
                }
                source.activate()
            }
        } onCancel: {
            wait.end()
        }
        try Task.checkCancellation()
    }

    /// Reads what is there, at most `limit` bytes; waits if there is nothing.
    ///
    /// Empty at the end.
    func read(upTo limit: Int) async throws -> [UInt8] {
        while true {
            // A peer that never stops sending must not keep a cancelled task.
            try Task.checkCancellation()
            var count = 0
            var code: Int32 = 0
            // Safety: the system writes at most `limit` bytes to the fresh buffer and says how many.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
                count = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
                code = errno
                initialized = max(count, 0)
            }
            if count >= 0 { return bytes }
            switch code {
            case EINTR: continue
            case EAGAIN: try await wait(for: .read)
            case ECONNRESET, ENOTCONN: return []
            default: throw PeerError.system("recv", errno: code)
            }
        }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) async throws {
        var written = 0
        while written < bytes.count {
            try Task.checkCancellation()
            // Safety: reads at most what is left of this array's own storage.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe System.sendBytes(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try await wait(for: .write)
            case EPIPE, ECONNRESET, ENOTCONN: throw PeerError.closed
            default: throw PeerError.system("send", errno: errno)
            }
        }
    }

    /// A dispatch source that may be cancelled from any thread.
    private struct Wait: @unchecked Sendable {
        // Safety: cancelling is the only call made through this copy, and it is thread-safe.
        private let source: any DispatchSourceProtocol

        init(_ source: any DispatchSourceProtocol) { self.source = source }

        func end() { source.cancel() }
    }
}
