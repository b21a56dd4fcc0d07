internal import CenotaphWire

/// A relay that knows nothing: passes sealed frames between the connections of a room (Spec 13).
///
/// It does no I/O and has no clock: bytes and milliseconds are handed in, and what is to be sent is taken out. It cannot
/// open a frame, since it is built without the code for it.
public final class Relay {
    let bounds: RelayBounds
    private let tokens: [[UInt8]]
    var connections: [ConnectionID: RelayConnection] = [:]
    var rooms: [ID16: RelayRoom] = [:]
    var report = RelayReport()
    private var strangers = 0
    private var nextID: UInt64 = 1
    private var events: [RelayEvent] = []
    private var touched: Set<ConnectionID> = []
    /// Connections that are to be ended, one after another: each makes others hear of it, who may have no room for that.
    private var ending: [(RelayConnection, RelayReason)] = []
    private var isEnding = false

    /// Makes a relay.
    /// - Parameters:
    ///   - bounds: What it allows.
    ///   - tokens: What a greeting must bring one of; if there are none, nothing is asked for.
    public init(_ bounds: RelayBounds = RelayBounds(), tokens: [[UInt8]] = []) {
        var bounds = bounds
        bounds.perRoom = min(bounds.perRoom, RelayNotice.maxRoom)
        self.bounds = bounds
        self.tokens = tokens
    }

    /// What the relay did and holds.
    public var currentReport: RelayReport {
        var now = report
        now.connections = connections.count
        now.rooms = rooms.count
        return now
    }

    /// What happened since the last call.
    public func takeEvents() -> [RelayEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The connections that since the last call got something to send, were slowed down, or are to be closed.
    public func takeTouched() -> Set<ConnectionID> {
        defer { touched.removeAll(keepingCapacity: true) }
        return touched
    }

    // MARK: Connections come and go

    /// Takes a connection; `nil` if there is no place, and it is to be closed at once.
    ///
    /// O(1).
    public func open(at now: UInt64) -> ConnectionID? {
        guard connections.count < bounds.connections, strangers < bounds.strangers,
            !report.isStopping
        else {
            report.turnedAway += 1
            events.append(.turnedAway)
            return nil
        }
        let id = ConnectionID(value: nextID)
        nextID += 1
        connections[id] = RelayConnection(id, bounds, at: now)
        strangers += 1
        report.opened += 1
        events.append(.opened(id))
        return id
    }

    /// The other end closed, or everything is sent that was to be.
    ///
    /// O(room).
    public func closed(_ id: ConnectionID, at now: UInt64) {
        guard let connection = connections[id] else { return }
        leave(connection, at: now)
        connections[id] = nil
        report.held -= connection.counted
        events.append(.left(id))
    }

    /// Takes bytes that a connection sent.
    ///
    /// O(bytes), and O(room) when it comes into one.
    public func receive(_ bytes: some Collection<UInt8>, from id: ConnectionID, at now: UInt64) {
        guard let connection = connections[id] else { return }
        connection.bytes.take(bytes.count, at: now)
        var rest = Array(bytes)[...]
        if case .greeting(let begun) = connection.phase {
            guard let after = greet(connection, begun + bytes, at: now) else { return }
            rest = after
        }
        guard case .member = connection.phase else { return }
        var records = 0
        do {
            connection.input.append(rest)
            while case .member(let room, let number) = connection.phase,
                let record = try connection.input.next()
            {
                records += 1
                connection.lastRecord = now
                if record.number == 0 {
                    try take(RelayNotice(record.payload), from: connection, room, number, now)
                } else {
                    pass(record, from: connection, room, number, now)
                }
            }
        } catch {
            end(connection, .malformed, at: now)
        }
        judgeRate(connection, records, at: now)
        count(connection, at: now)
    }

    /// Ends every connection: what waits is sent, with notice (Spec RELAY-015).
    public func stop(at now: UInt64) {
        report.isStopping = true
        for connection in connections.values where !connection.isClosing {
            end(connection, .stopping, at: now)
        }
    }

    /// Ends what was silent, slow or too long in closing; to be called about once a second.
    ///
    /// O(connections).
    public func tick(at now: UInt64) {
        for connection in Array(connections.values) {
            switch connection.phase {
            case .greeting where now > connection.lastRecord + bounds.greetingTime:
                end(connection, .idle, at: now)
            case .member where now > connection.lastRecord + bounds.idleTime:
                end(connection, .idle, at: now)
            case .closing(let until) where now > until:
                // What is left waits for a reader that does not come.
                connection.queue = SendQueue()
                count(connection, at: now)
                touched.insert(connection.id)
            default: break
            }
            let isStalled = now > connection.lastSent + bounds.stallTime
            if connection.queue.count > 0, isStalled, !connection.isClosing {
                end(connection, .slow, at: now)
            }
        }
    }

    // MARK: Sending

    /// What waits to be sent to a connection.
    public func waiting(for id: ConnectionID) -> ArraySlice<UInt8> {
        connections[id]?.queue.waiting ?? []
    }

    /// So many of the waiting bytes were sent.
    public func sent(_ count: Int, to id: ConnectionID, at now: UInt64) {
        guard let connection = connections[id] else { return }
        connection.queue.sent(count)
        connection.lastSent = now
        self.count(connection, at: now)
    }

    /// Whether everything is sent to a connection that the relay ends.
    public func isDone(_ id: ConnectionID) -> Bool {
        guard let connection = connections[id] else { return true }
        return connection.isClosing && connection.queue.count == 0
    }

    /// When a connection may be read; `nil` if never again.
    public func readableAt(_ id: ConnectionID) -> UInt64? {
        guard let connection = connections[id], !connection.isClosing else { return nil }
        return connection.readableAt
    }

    // MARK: Within

    /// Reads on in a greeting.
    ///
    /// Returns what came behind it, or `nil` if it is not accepted, or not yet.
    private func greet(
        _ connection: RelayConnection, _ bytes: [UInt8], at now: UInt64
    ) -> ArraySlice<UInt8>? {
        let reading: RelayGreeting.Reading
        do {
            reading = try RelayGreeting.read(bytes)
        } catch {
            end(connection, .malformed, at: now)
            return nil
        }
        switch reading {
        case .unfinished:
            connection.phase = .greeting(bytes)
            return nil
        case .otherVersion:
            refuse(connection, .version, at: now)
            return nil
        case .whole(let greeting, let size):
            if let status = enter(connection, greeting, at: now) {
                refuse(connection, status, at: now)
                return nil
            }
            return bytes[size...]
        }
    }

    private func enter(
        _ connection: RelayConnection, _ greeting: RelayGreeting, at now: UInt64
    ) -> RelayStatus? {
        guard tokens.isEmpty || isKnown(greeting.token) else { return .token }
        var room =
            rooms[greeting.room] ?? RelayRoom(entries: TokenBucket(bounds.entries, at: now))
        guard room.members.count < bounds.perRoom, room.next < .max else { return .full }
        guard room.entries.takeOne(at: now) else {
            rooms[greeting.room]?.entries = room.entries
            return .rate
        }
        let number = room.next
        for member in room.members.values {
            if let member = connections[member] { send(.arrived(number), to: member, at: now) }
        }
        // A member that overflowed may have left meanwhile, and the room with it.
        room.members = rooms[greeting.room]?.members ?? [:]
        connection.queue.append(status: .accepted)
        send(.members(room.members.keys.sorted()), to: connection, at: now)
        room.members[number] = connection.id
        room.next += 1
        rooms[greeting.room] = room
        connection.phase = .member(room: greeting.room, number: number)
        connection.lastRecord = now
        strangers -= 1
        report.entered += 1
        events.append(.entered(connection.id, room: greeting.room, number: number))
        return nil
    }

    private func refuse(
        _ connection: RelayConnection, _ status: RelayStatus, at now: UInt64
    ) {
        report.refused[status, default: 0] += 1
        events.append(.refused(connection.id, status))
        connection.queue.append(status: status)
        leave(connection, at: now)
        connection.phase = .closing(until: now + bounds.closingTime)
        count(connection, at: now)
    }

    /// Whether the token is one that was given out, in time that does not tell where it differs (Spec RELAY-005).
    private func isKnown(_ token: [UInt8]) -> Bool {
        var isKnown = false
        for known in tokens {
            var difference = known.count ^ token.count
            for index in 0..<RelayGreeting.maxToken {
                let (a, b) = (
                    index < known.count ? known[index] : 0, index < token.count ? token[index] : 0
                )
                difference |= Int(a ^ b)
            }
            if difference == 0 { isKnown = true }
        }
        return isKnown
    }

    private func take(
        _ notice: RelayNotice, from connection: RelayConnection, _ room: ID16, _ number: UInt32,
        _ now: UInt64
    ) throws(WireError) {
        switch notice {
        case .ping: send(.pong, to: connection, at: now)
        case .taken(let taken, let bytes):
            // No more than was counted: else the sender would take its window for emptier than it is here.
            guard let other = member(taken, of: room), let left = other.underWay[number] else {
                return
            }
            let told = min(Int(bytes), left)
            other.underWay[number] = told < left ? left - told : nil
            send(.taken(number, bytes: UInt32(clamping: told)), to: other, at: now)
        default: throw WireError(.type, .relayNotice)
        }
    }

    /// Passes a frame on (Spec RELAY-010).
    private func pass(
        _ record: RelayRecord, from connection: RelayConnection, _ room: ID16, _ number: UInt32,
        _ now: UInt64
    ) {
        guard record.number != number, let receiver = member(record.number, of: room) else {
            report.dropped += 1
            return
        }
        let size = record.payload.count
        let underWay = connection.underWay[record.number] ?? 0
        guard RelayRecord.fits(size, underWay: underWay) else {
            end(connection, .window, at: now)
            return
        }
        connection.underWay[record.number] = underWay + size
        var record = record
        record.number = number
        report.frames += 1
        report.frameBytes += UInt64(size)
        queue(record, for: receiver, at: now)
    }

    private func member(_ number: UInt32, of room: ID16) -> RelayConnection? {
        rooms[room]?.members[number].flatMap { connections[$0] }
    }

    private func send(_ notice: RelayNotice, to connection: RelayConnection, at now: UInt64) {
        queue(notice.record, for: connection, at: now)
    }

    private func queue(
        _ record: RelayRecord, for connection: RelayConnection, at now: UInt64
    ) {
        guard !connection.isClosing else { return }
        if connection.queue.count == 0 { connection.lastSent = now }
        guard connection.queue.count + record.bytes.count <= bounds.queued else {
            end(connection, .slow, at: now)
            return
        }
        connection.queue.append(record)
        count(connection, at: now)
    }

    /// Ends a connection whose records stay over their rate.
    private func judgeRate(_ connection: RelayConnection, _ count: Int, at now: UInt64) {
        connection.records.take(count, at: now)
        guard connection.records.readyAt > now else {
            connection.floodSince = nil
            return
        }
        let since = connection.floodSince ?? now
        connection.floodSince = since
        if now >= since + bounds.floodTime { end(connection, .flood, at: now) }
    }

    /// Counts what a connection holds; over the relay's bound, the one that holds most is ended.
    private func count(_ connection: RelayConnection, at now: UInt64) {
        touched.insert(connection.id)
        report.held += connection.held - connection.counted
        connection.counted = connection.held
        guard report.held > bounds.held else { return }
        let greatest = connections.values.lazy.filter { !$0.isClosing }.max { $0.held < $1.held }
        if let greatest { end(greatest, .full, at: now) }
    }

    /// Ends a connection: its peers hear that it left; what it can be told still is sent.
    private func end(_ connection: RelayConnection, _ reason: RelayReason, at now: UInt64) {
        ending.append((connection, reason))
        guard !isEnding else { return }
        isEnding = true
        defer { isEnding = false }
        while let (next, reason) = ending.popLast() { endNow(next, reason, at: now) }
    }

    private func endNow(_ connection: RelayConnection, _ reason: RelayReason, at now: UInt64) {
        guard !connection.isClosing else { return }
        report.ended[reason, default: 0] += 1
        events.append(.ended(connection.id, reason))
        let wasMember: Bool
        if case .member = connection.phase { wasMember = true } else { wasMember = false }
        leave(connection, at: now)
        connection.phase = .closing(until: now + bounds.closingTime)
        if reason != .stopping { connection.queue.dropUnsent() }
        if wasMember {
            connection.queue.append(RelayNotice.closing(reason).record)
        } else if reason == .stopping {
            connection.queue.append(status: .stopping)
        }
        connection.input = RelayDeframer(longestNotice: RelayNotice.longestToRelay)
        count(connection, at: now)
    }

    /// Takes a connection out of its room and tells the others.
    private func leave(_ connection: RelayConnection, at now: UInt64) {
        switch connection.phase {
        case .greeting: strangers -= 1
        case .closing: break
        case .member(let name, let number):
            guard var room = rooms[name] else { return }
            room.members[number] = nil
            rooms[name] = room.members.isEmpty ? nil : room
            // Done with it before others are told, who may overflow and leave as well.
            connection.phase = .closing(until: 0)
            for other in room.members.values.sorted() {
                guard let other = connections[other] else { continue }
                other.underWay[number] = nil
                send(.departed(number), to: other, at: now)
            }
        }
    }
}
