#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why a relay cannot listen.
public struct RelayServerError: Error, Hashable, Sendable {
    /// What was tried.
    public let call: String
    /// The system's error number, or 0 for an address that stands for nothing.
    public let code: Int32
}

/// Where a relay listens.
public enum RelayEndpoint: Hashable, Sendable {
    /// A host name or address, and a port; port 0 takes a free one.
    case tcp(host: String, port: UInt16)
    /// A Unix-domain socket, for its owner only.
    case unix(path: String)
}

/// The system's calls of the relay's loop: sockets that never block.
package enum RelaySystem {
    /// Milliseconds on a clock that only goes forward.
    static func milliseconds() -> UInt64 {
        var now = timespec()
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000 + UInt64(now.tv_nsec) / 1_000_000
    }

    /// Listens at an endpoint.
    package static func listen(_ endpoint: RelayEndpoint) throws(RelayServerError) -> Int32 {
        switch endpoint {
        case .unix(let path): return try listenUnix(path)
        case .tcp(let host, let port): return try listenTCP(host, port)
        }
    }

    private static func listenTCP(
        _ host: String, _ port: UInt16
    ) throws(RelayServerError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = streamType
        unsafe hints.ai_flags = AI_NUMERICSERV | AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw RelayServerError(call: "getaddrinfo", code: 0)
        }
        defer { unsafe freeaddrinfo(list) }
        var failure = RelayServerError(call: "getaddrinfo", code: 0)
        var next = unsafe list
        // Safety: the list is valid until it is freed above.
        while let entry = unsafe next {
            let info = unsafe entry.pointee
            let descriptor = unsafe socket(info.ai_family, streamType, 0)
            if descriptor >= 0 {
                var yes: Int32 = 1
                unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
                if unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
                    unblock(descriptor), startListening(descriptor)
                {
                    return descriptor
                }
                failure = RelayServerError(call: "bind", code: errno)
                closeDescriptor(descriptor)
            } else {
                failure = RelayServerError(call: "socket", code: errno)
            }
            unsafe next = info.ai_next
        }
        throw failure
    }

    private static func listenUnix(_ path: String) throws(RelayServerError) -> Int32 {
        guard var address = unixAddress(path) else {
            throw RelayServerError(call: path, code: 0)
        }
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw RelayServerError(call: "socket", code: errno) }
        // Nobody else may reach it at any moment: the right is set before it has a name.
        _ = fchmod(descriptor, 0o600)
        let mask = umask(0o177)
        defer { _ = umask(mask) }
        var status = unsafe named(&address) { unsafe bind(descriptor, $0, $1) }
        if status != 0, errno == EADDRINUSE, isAbandoned(&address) {
            unsafe _ = unlink(path)
            status = unsafe named(&address) { unsafe bind(descriptor, $0, $1) }
        }
        guard status == 0, unblock(descriptor), startListening(descriptor) else {
            let code = errno
            closeDescriptor(descriptor)
            throw RelayServerError(call: "bind", code: code)
        }
        return descriptor
    }

    /// Connects to a Unix-domain socket and reads until its other end closes; waits as long.
    /// - Throws: `RelayServerError`, with `EFBIG` over the limit.
    package static func readAll(
        fromUnix path: String, atMost limit: Int
    ) throws(RelayServerError) -> [UInt8] {
        let descriptor = try connectUnix(path)
        defer { closeDescriptor(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(descriptor, into: &buffer, atMost: 4_096), count != 0 {
            guard count > 0 else { throw RelayServerError(call: "recv", code: errno) }
            all += buffer[..<count]
            guard all.count <= limit else { throw RelayServerError(call: "recv", code: EFBIG) }
        }
        return all
    }

    /// Connects to a Unix-domain socket, which blocks.
    package static func connectUnix(_ path: String) throws(RelayServerError) -> Int32 {
        guard var address = unixAddress(path) else { throw RelayServerError(call: path, code: 0) }
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw RelayServerError(call: "socket", code: errno) }
        guard unsafe named(&address, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            closeDescriptor(descriptor)
            throw RelayServerError(call: "connect", code: code)
        }
        return descriptor
    }

    /// The address of a Unix-domain socket; `nil` for a path that does not fit.
    static func unixAddress(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
        // Safety: the path and its final zero fit, checked on the lines above.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return address
    }

    /// Calls `body` with the system's pointer and length.
    static func named(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            // Safety: every socket address may be read as its general form.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func isAbandoned(_ address: inout sockaddr_un) -> Bool {
        let probe = socket(AF_UNIX, streamType, 0)
        guard probe >= 0 else { return false }
        defer { closeDescriptor(probe) }
        return unsafe named(&address) { unsafe connect(probe, $0, $1) } != 0
            && errno == ECONNREFUSED
    }

    /// The port that a listening socket took.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Safety: the system writes at most `length` bytes to the storage.
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { return 0 }
        // The port stands at the same place in both families: bytes 2 and 3, big-endian.
        return unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// Accepts a connection; below 0 if there is none.
    package static func acceptConnection(_ listener: Int32) -> Int32 {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return descriptor }
        guard unblock(descriptor) else {
            closeDescriptor(descriptor)
            return -1
        }
        var yes: Int32 = 1
        // A Unix-domain socket does not have it, and needs it not.
        unsafe _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        return descriptor
    }

    /// Sends what the system takes; below 0 with `errno` set.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        // Safety: reads at most the slice's own storage.
        unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Glibc)
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            #else
                unsafe send(descriptor, buffer.baseAddress, buffer.count, 0)
            #endif
        }
    }

    /// Reads what is there into the buffer; below 0 with `errno` set, 0 at the end.
    package static func read(
        _ descriptor: Int32, into buffer: inout [UInt8], atMost limit: Int = .max
    ) -> Int {
        // Safety: the system writes at most the array's own storage.
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, min(bytes.count, limit), 0)
        }
    }

    package static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

    static func startListening(_ descriptor: Int32) -> Bool {
        Self.systemListen(descriptor) == 0
    }

    private static func systemListen(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.listen(descriptor, 1_024)
        #else
            Darwin.listen(descriptor, 1_024)
        #endif
    }

    static func unblock(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }
}
