internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Connects over TCP or a Unix-domain socket.
public struct SocketTransport: Transport {
    /// Where the peer listens.
    public let address: PeerAddress

    /// Makes a transport to an address.
    public init(_ address: PeerAddress) { self.address = address }

    /// Connects to the first address that answers.
    /// - Throws: `PeerError`, `CancellationError`.
    public func connect() async throws -> any Connection {
        SocketConnection(try await openSocket())
    }

    /// Connects, and leaves it to the caller what is spoken.
    func openSocket() async throws -> Socket {
        var failure = PeerError.badAddress("\(address)")
        for candidate in try await address.resolve(toListen: false) {
            do {
                return try await connect(to: candidate)
            } catch let error as PeerError {
                failure = error
            }
        }
        throw failure
    }

    private func connect(to candidate: SocketAddress) async throws -> Socket {
        let socket = try candidate.makeSocket()
        let status = unsafe candidate.withPointer { address, length in
            unsafe System.connectSocket(socket.descriptor, address, length)
        }
        if status != 0 {
            guard errno == EINPROGRESS || errno == EAGAIN else {
                throw PeerError.system("connect", errno: errno)
            }
            try await socket.wait(for: .write)
            let code = socket.option(SOL_SOCKET, SO_ERROR)
            guard code == 0 else { throw PeerError.system("connect", errno: code) }
        }
        if case .tcp = address { socket.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
        return socket
    }
}

extension PeerAddress {
    /// The system's addresses; a name server is asked off the task's thread.
    func resolve(toListen: Bool) async throws -> [SocketAddress] {
        switch self {
        case .relay:
            throw PeerError.badAddress("a relay's room is no place to connect to or listen at")
        case .unix(let path): return [try SocketAddress.unix(path)]
        case .tcp(let host, let port):
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result { () throws(PeerError) in
                            try SocketAddress.resolve(host: host, port: port, toListen: toListen)
                        }.mapError { $0 as any Error })
                }
            }
        }
    }
}

extension Socket {
    /// The value of an integer option; the system's error number if it cannot be read.
    func option(_ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let status = unsafe getsockopt(descriptor, level, name, &value, &size)
        return status == 0 ? value : errno
    }

    /// Sets an integer option; a system that does not have it goes on without.
    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(
            descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
