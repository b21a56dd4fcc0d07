#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The system's form of a `PeerAddress`.
struct SocketAddress {
    let family: Int32
    private let storage: [UInt8]

    /// Calls `body` with the system's pointer and length.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe storage.withUnsafeBytes { buffer in
            // Safety: the bytes were copied from a socket address of this length, or make up one.
            let address = unsafe buffer.assumingMemoryBound(to: sockaddr.self)
            guard let base = address.baseAddress else { preconditionFailure("no address") }
            return unsafe body(base, socklen_t(buffer.count))
        }
    }

    /// The addresses that a host name and port stand for.
    ///
    /// May ask a name server, and so block.
    static func resolve(
        host: String, port: UInt16, toListen: Bool
    ) throws(PeerError) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = System.streamType
        unsafe hints.ai_flags = AI_NUMERICSERV | (toListen ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw .badAddress("\(host):\(port)") }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        // Safety: the list is valid until it is freed above; each entry says how long its address is.
        while let entry = unsafe next {
            let info = unsafe entry.pointee
            if let address = unsafe info.ai_addr {
                let bytes = unsafe UnsafeRawBufferPointer(
                    start: address, count: Int(info.ai_addrlen))
                addresses.append(
                    unsafe SocketAddress(family: info.ai_family, storage: Array(bytes)))
            }
            unsafe next = info.ai_next
        }
        return addresses
    }

    /// The address of a Unix-domain socket.
    static func unix(_ path: String) throws(PeerError) -> SocketAddress {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw .badAddress(path)
        }
        // Safety: the path and its final zero fit, checked on the lines above.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let storage = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
        return SocketAddress(family: AF_UNIX, storage: storage)
    }

    /// A socket of the address's family.
    func makeSocket() throws(PeerError) -> Socket {
        let descriptor = System.streamSocket(family: family)
        guard descriptor >= 0 else { throw .system("socket", errno: errno) }
        return try Socket(descriptor)
    }
}
