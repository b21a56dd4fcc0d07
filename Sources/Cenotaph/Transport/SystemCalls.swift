#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The system's calls whose names or constants differ between systems, or that methods here would hide.
enum System {
    /// Makes a stream socket; below 0 on failure.
    static func streamSocket(family: Int32) -> Int32 {
        socket(family, streamType, 0)
    }

    /// The type of stream sockets.
    static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    /// Sends without ever raising a signal; below 0 on failure.
    static func sendBytes(
        _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
            unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        #else
            unsafe send(descriptor, bytes, count, 0)
        #endif
    }

    static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

    static func connectSocket(
        _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> Int32 {
        unsafe connect(descriptor, address, length)
    }

    static func acceptSocket(_ descriptor: Int32) -> Int32 {
        accept(descriptor, nil, nil)
    }

    static func listenSocket(_ descriptor: Int32, backlog: Int32) -> Int32 {
        listen(descriptor, backlog)
    }
}
