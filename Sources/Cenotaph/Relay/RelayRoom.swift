internal import CenotaphWire
internal import Synchronization

/// One connection to a relay, which holds a link to each other connection of the room (Spec 13).
final class RelayRoom: Sendable {
    /// What happens in the room.
    enum Change: Sendable {
        /// The relay told who is there; comes first.
        case listed
        case arrived(UInt32)
        case departed(UInt32)
    }

    private struct Member {
        /// Bytes sent there and not taken yet.
        var underWay = 0
        /// When something was last taken, or nothing was under way.
        var lastTaken = ContinuousClock.now
        var link: RelayLink?
        /// Whether nobody has asked for the link: it keeps what the other end says meanwhile.
        var isFresh = true

        init(_ link: RelayLink) { self.link = link }
    }

    private struct State {
        var members: [UInt32: Member] = [:]
        var isListed = false
        var isClosed = false
        /// When bytes last came from the relay.
        var lastHeard = ContinuousClock.now
    }

    private let socket: Socket
    private let outgoing = Outbox()
    private let deframer: Mutex<RelayDeframer>
    private let state = Mutex(State())
    private let counted = Mutex(Traffic())
    private let events: AsyncStream<Change>.Continuation
    /// What happens, to be read once; ends with the connection.
    let changes: AsyncStream<Change>

    private init(_ socket: Socket, _ begun: [UInt8]) {
        self.socket = socket
        var deframer = RelayDeframer(longestNotice: RelayNotice.longestToClient)
        deframer.append(begun)
        self.deframer = Mutex(deframer)
        (changes, events) = AsyncStream.makeStream()
    }

    /// How long a relay may take for its status.
    private static let greetingTime = Duration.seconds(10)

    /// Connects to a relay and enters a room.
    /// - Throws: `PeerError`, `CancellationError`.
    static func enter(
        _ room: ID16, at address: PeerAddress, token: RelayToken
    ) async throws -> RelayRoom {
        guard let greeting = RelayGreeting(room: room, token: token.bytes) else {
            throw PeerError.relay(.refused(.token))
        }
        let socket = try await SocketTransport(address).openSocket()
        do {
            return try await withThrowingTaskGroup(of: RelayRoom.self) { group in
                group.addTask {
                    try await socket.write(greeting.encoded)
                    return try await accepted(socket)
                }
                group.addTask {
                    try await Task.sleep(for: greetingTime)
                    throw PeerError.relay(.silent)
                }
                defer { group.cancelAll() }
                guard let room = try await group.next() else { throw CancellationError() }
                return room
            }
        } catch {
            socket.shut()
            throw error
        }
    }

    private static func accepted(_ socket: Socket) async throws -> RelayRoom {
        let answer = try await socket.read(upTo: 65_536)
        guard let first = answer.first else { throw PeerError.closed }
        switch RelayStatus(rawValue: first) {
        case .accepted: return RelayRoom(socket, Array(answer.dropFirst()))
        case .some(let status): throw PeerError.relay(.refused(status))
        case nil: throw PeerError.malformedStream(WireError(.range, .relayGreeting))
        }
    }

    /// Carries records until the connection ends.
    /// - Parameter interval: How often the relay is asked whether it is there.
    /// - Throws: `PeerError`, `CancellationError`; nothing after `finish`.
    func run(interval: Duration) async throws {
        defer { close() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.read()
                return true
            }
            group.addTask {
                try await self.write()
                return false
            }
            group.addTask { try await self.watch(min(interval, .seconds(20))) }
            defer { group.cancelAll() }
            while let isOver = try await group.next() { if isOver { return } }
        }
    }

    /// Sends what waits and then ends the connection.
    func finish() { outgoing.finish() }

    /// Ends the connection at once, and every link.
    func close() {
        let links = state.withLock { state in
            state.isClosed = true
            defer { state.members = [:] }
            return state.members.values.compactMap(\.link)
        }
        for link in links { link.finish() }
        outgoing.finish()
        events.finish()
        socket.shut()
    }

    /// The numbers that are there, ascending.
    var numbers: [UInt32] { state.withLock { $0.members.keys.sorted() } }

    /// Bytes received from and sent to the relay.
    var traffic: Traffic { counted.withLock { $0 } }

    /// The link to a number at the first call, then a new one in place of the one before; `nil` once it is gone.
    func link(to number: UInt32) -> RelayLink? {
        let (link, old) = state.withLock { state -> (RelayLink?, RelayLink?) in
            guard let member = state.members[number] else { return (nil, nil) }
            if member.isFresh {
                state.members[number]?.isFresh = false
                return (member.link, nil)
            }
            let link = RelayLink(number, of: self)
            state.members[number]?.link = link
            return (link, member.link)
        }
        old?.end()
        return link
    }

    // MARK: For links

    /// Sends a frame if the window has room for it (Spec RELAY-017).
    /// - Throws: `PeerError.closed` once the number is gone.
    func send(_ frame: [UInt8], to number: UInt32) throws(PeerError) -> Bool {
        let fits = try state.withLock { state throws(PeerError) in
            guard let member = state.members[number] else { throw .closed }
            guard RelayRecord.fits(frame.count, underWay: member.underWay) else { return false }
            if member.underWay == 0 { state.members[number]?.lastTaken = .now }
            state.members[number]?.underWay += frame.count
            return true
        }
        guard fits else { return false }
        guard outgoing.push([RelayRecord(number: number, payload: frame).bytes]) else {
            throw .closed
        }
        return true
    }

    /// Tells a number that so many bytes of its frames were dealt with (Spec RELAY-016).
    func take(_ bytes: Int, from number: UInt32) {
        guard bytes > 0 else { return }
        let notice = RelayNotice.taken(number, bytes: UInt32(clamping: bytes))
        _ = outgoing.push([notice.record.bytes])
    }

    /// Forgets a link that ended, unless another has taken its place.
    func forget(_ link: RelayLink) {
        state.withLock { state in
            if state.members[link.number]?.link === link { state.members[link.number]?.link = nil }
        }
    }

    // MARK: Within

    private func read() async throws {
        while true {
            do {
                while let record = try deframer.withLock({ deframer throws(WireError) in
                    try deframer.next()
                }) {
                    try take(record)
                }
            } catch let error as WireError {
                throw PeerError.malformedStream(error)
            }
            let chunk = try await socket.read(upTo: 262_144)
            guard !chunk.isEmpty else {
                // After `finish` this is the end that was asked for.
                if outgoing.isFinished { return }
                throw PeerError.closed
            }
            counted.withLock { $0.received += chunk.count }
            state.withLock { $0.lastHeard = .now }
            deframer.withLock { $0.append(chunk) }
        }
    }

    private func write() async throws {
        while let records = await outgoing.next() {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(records.reduce(0) { $0 + $1.count })
            for record in records { bytes += record }
            try await socket.write(bytes)
            outgoing.didSend()
            counted.withLock { $0.sent += bytes.count }
        }
        try Task.checkCancellation()
        socket.endWriting()
    }

    /// Asks the relay whether it is there, and looks for frames that were lost (Spec RELAY-019, RELAY-022).
    private func watch(_ interval: Duration) async throws -> Bool {
        let patience = max(interval * 3, .seconds(3))
        while true {
            try await Task.sleep(for: interval)
            let now = ContinuousClock.now
            try state.withLock { state throws(PeerError) in
                guard now - state.lastHeard < patience else { throw .relay(.silent) }
                for member in state.members.values where member.underWay > 0 {
                    guard now - member.lastTaken < patience else { throw .relay(.stalled) }
                }
            }
            _ = outgoing.push([RelayNotice.ping.record.bytes])
        }
    }

    private func take(_ record: RelayRecord) throws {
        guard record.number == 0 else {
            try deliver(record)
            return
        }
        let notice = try RelayNotice(record.payload)
        let isListed = state.withLock { $0.isListed }
        switch notice {
        case .members(let numbers) where !isListed:
            state.withLock { state in
                state.isListed = true
                for number in numbers {
                    state.members[number] = Member(RelayLink(number, of: self))
                }
            }
            events.yield(.listed)
            for number in numbers { events.yield(.arrived(number)) }
        case .closing(let reason): throw PeerError.relay(.ended(reason))
        case .arrived(let number) where isListed && number > 0:
            let isNew = state.withLock { state in
                guard state.members[number] == nil,
                    state.members.count < RelayNotice.maxRoom
                else { return false }
                state.members[number] = Member(RelayLink(number, of: self))
                return true
            }
            if isNew { events.yield(.arrived(number)) }
        case .departed(let number) where isListed:
            state.withLock { $0.members.removeValue(forKey: number) }?.link?.finish()
            events.yield(.departed(number))
        case .taken(let number, let bytes) where isListed:
            let link = state.withLock { state in
                guard let member = state.members[number] else { return nil as RelayLink? }
                state.members[number]?.underWay = max(0, member.underWay - Int(bytes))
                state.members[number]?.lastTaken = .now
                return member.link
            }
            link?.wake()
        case .pong: break
        default: throw WireError(.type, .relayNotice)
        }
    }

    private func deliver(_ record: RelayRecord) throws {
        let frame = Array(record.payload)
        let (isThere, link) = state.withLock { state in
            (state.members[record.number] != nil, state.members[record.number]?.link)
        }
        guard isThere else { return }
        // Without a link, or after one that ended, the frame is dropped; the session finds what it held.
        guard let link, try link.deliver(frame) else {
            take(frame.count, from: record.number)
            return
        }
    }
}
