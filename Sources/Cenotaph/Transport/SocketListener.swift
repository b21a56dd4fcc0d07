#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Accepts connections over TCP or a Unix-domain socket.
public final class SocketListener: Sendable {
    private let socket: Socket
    /// Where it listens, with the port that was taken.
    public let address: PeerAddress

    /// Starts to listen.
    /// - Throws: `PeerError`.
    public init(_ address: PeerAddress) async throws {
        let candidates = try await address.resolve(toListen: true)
        socket = try SocketListener.listen(candidates, address)
        self.address = try SocketListener.bound(socket, address)
    }

    deinit {
        if case .unix(let path) = address { unsafe _ = unlink(path) }
    }

    /// The pause before another try when the system has no room for a connection.
    private static let pause = Duration.milliseconds(100)

    /// Waits for the next connection, also for room when the process has too many files open.
    /// - Throws: `PeerError`, `CancellationError`.
    public func accept() async throws -> any Connection {
        SocketConnection(try await acceptSocket())
    }

    /// Waits for the next connection, and leaves it to the caller what is spoken.
    func acceptSocket() async throws -> Socket {
        while true {
            let descriptor = System.acceptSocket(socket.descriptor)
            if descriptor >= 0 {
                let accepted = try Socket(descriptor)
                if case .tcp = address { accepted.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
                return accepted
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: try await socket.wait(for: .read)
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: try await Task.sleep(for: SocketListener.pause)
            default: throw PeerError.system("accept", errno: errno)
            }
        }
    }

    /// Listens on the first candidate that can be had.
    private static func listen(
        _ candidates: [SocketAddress], _ address: PeerAddress
    ) throws(PeerError) -> Socket {
        var failure = PeerError.badAddress("\(address)")
        for candidate in candidates {
            do {
                return try listen(candidate, address)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func listen(
        _ candidate: SocketAddress, _ address: PeerAddress
    ) throws(PeerError) -> Socket {
        let socket = try candidate.makeSocket()
        socket.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        var status = unsafe candidate.withPointer { unsafe bind(socket.descriptor, $0, $1) }
        if status != 0, errno == EADDRINUSE, case .unix(let path) = address,
            try isAbandoned(candidate)
        {
            unsafe _ = unlink(path)
            status = unsafe candidate.withPointer { unsafe bind(socket.descriptor, $0, $1) }
        }
        guard status == 0 else { throw .system("bind", errno: errno) }
        if case .unix(let path) = address { unsafe _ = chmod(path, 0o600) }
        guard System.listenSocket(socket.descriptor, backlog: 128) == 0 else {
            throw .system("listen", errno: errno)
        }
        return socket
    }

    /// Whether a Unix-domain socket is in the way that nobody listens on any more.
    private static func isAbandoned(_ candidate: SocketAddress) throws(PeerError) -> Bool {
        let probe = try candidate.makeSocket()
        let status = unsafe candidate.withPointer {
            unsafe System.connectSocket(probe.descriptor, $0, $1)
        }
        return status != 0 && errno == ECONNREFUSED
    }

    private static func bound(
        _ socket: Socket, _ address: PeerAddress
    ) throws(PeerError) -> PeerAddress {
        guard case .tcp(let host, _) = address else { return address }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Safety: the system writes at most `length` bytes to the storage.
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(socket.descriptor, address, &length)
            }
        }
        guard status == 0 else { throw .system("getsockname", errno: errno) }
        // The port stands at the same place in both families: bytes 2 and 3, big-endian.
        let port = unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
        return .tcp(host: host, port: port)
    }
}
