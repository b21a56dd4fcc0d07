internal import CenotaphStore
internal import CenotaphWire
internal import Synchronization

/// The link to one other connection of a room: what a socket is between two peers.
final class RelayLink: Connection {
    let number: UInt32
    private let room: RelayRoom
    private let inbox = Outbox()
    private let counted = Mutex(Traffic())
    private let wakeups: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ number: UInt32, of room: RelayRoom) {
        self.number = number
        self.room = room
        (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var traffic: Traffic { counted.withLock { $0 } }

    /// What the last call returned counts as dealt with, and makes room for more.
    func receive() async throws -> [[UInt8]] {
        room.take(inbox.didSend(), from: number)
        guard let frames = await inbox.next() else {
            try Task.checkCancellation()
            return []
        }
        return frames
    }

    func send(_ frames: [[UInt8]]) async throws {
        for frame in frames {
            while try !room.send(frame, to: number) {
                var iterator = wakeups.makeAsyncIterator()
                let isOpen: Void? = await iterator.next()
                try Task.checkCancellation()
                guard isOpen != nil else { throw PeerError.closed }
            }
            counted.withLock { $0.sent += frame.count + RelayRecord.header }
        }
    }

    func close() {
        room.forget(self)
        end()
    }

    /// Ends what waits; frames that nobody will read count as dropped.
    func end() {
        finish()
        room.take(inbox.discard(), from: number)
    }

    /// The other end left: what it said before is still read, its last word that both agree above all.
    func finish() {
        inbox.finish()
        continuation.finish()
    }

    /// There may be room in the window.
    func wake() { continuation.yield() }

    /// Takes a frame that arrived.
    ///
    /// Returns false once the link has ended.
    /// - Throws: `PeerError.flooded` if more comes than the window allows.
    func deliver(_ frame: [UInt8]) throws(PeerError) -> Bool {
        guard !inbox.isFinished else { return false }
        guard inbox.push([frame], limit: RelayRecord.window + Limits.maxSealed) else {
            if inbox.isFinished { return false }
            throw .flooded
        }
        counted.withLock { $0.received += frame.count + RelayRecord.header }
        return true
    }
}
