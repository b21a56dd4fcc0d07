internal import CenotaphWire
internal import Synchronization

/// Sealed frames over a stream socket, each after its length (Spec 05, "Streams").
final class SocketConnection: Connection {
    private static let chunk = 262_144

    private let socket: Socket
    private let deframer = Mutex(StreamDeframer())
    private let counted = Mutex(Traffic())

    init(_ socket: Socket) { self.socket = socket }

    var traffic: Traffic { counted.withLock { $0 } }

    func receive() async throws -> [[UInt8]] {
        while true {
            let chunk = try await socket.read(upTo: SocketConnection.chunk)
            guard !chunk.isEmpty else { return [] }
            counted.withLock { $0.received += chunk.count }
            let frames: [[UInt8]]
            do {
                frames = try deframer.withLock { deframer throws(WireError) in
                    deframer.append(chunk)
                    var frames: [[UInt8]] = []
                    while let frame = try deframer.next() { frames.append(frame) }
                    return frames
                }
            } catch {
                throw PeerError.malformedStream(error)
            }
            if !frames.isEmpty { return frames }
        }
    }

    func send(_ frames: [[UInt8]]) async throws {
        for frame in frames {
            let bytes = StreamDeframer.prefix(of: frame) + frame
            try await socket.write(bytes)
            counted.withLock { $0.sent += bytes.count }
        }
    }

    func close() { socket.shut() }
}
