import Cenotaph
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A path for a Unix-domain socket, in a folder that goes with the value.
final class SocketPlace: Sendable {
    private let folder: String
    let address: PeerAddress

    init() throws {
        folder =
            "\(FileManager.default.temporaryDirectory.path)/ct-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        address = .unix(path: "\(folder)/s")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// A server that serves until the value goes.
final class RunningServer: Sendable {
    let address: PeerAddress
    private let task: Task<Void, any Error>

    init(
        _ replica: Replica, at address: PeerAddress = .tcp(host: "127.0.0.1", port: 0),
        _ change: (inout PeerServer) -> Void = { _ in }
    ) async throws {
        var server = try await PeerServer(replica, at: address)
        change(&server)
        self.address = server.address
        task = Task { [server] in try await server.run() }
    }

    deinit { task.cancel() }

    func stop() async {
        task.cancel()
        _ = await task.result
    }
}

/// A plain blocking socket to a Unix-domain server, for bytes that no peer would send.
final class RawClient {
    private let descriptor: Int32

    struct Failure: Error { let code: Int32 }

    init(_ address: PeerAddress) throws {
        guard case .unix(let path) = address else { throw Failure(code: EINVAL) }
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failure(code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends bytes; a server that has closed already takes none, which is no failure here.
    func send(_ bytes: [UInt8]) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                sendBytes(
                    descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// The system's call, which a method of the same name hides.
private func sendBytes(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int { send(descriptor, bytes, count, flags) }

extension Replica {
    /// The bodies of `notes` by key.
    func notes() throws -> [Key: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try list("notes").map { ($0.key, $0.body) })
    }

    /// All roots.
    func roots() throws -> [Hash256] { try digests().map(\.root) }

    /// Fills `notes` with rows of a size.
    func fill(_ count: Int, size: Int) throws {
        try write { transaction in
            for number in 0..<count {
                let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                try transaction.put("notes", try Key("note \(number)"), body)
            }
        }
    }
}
