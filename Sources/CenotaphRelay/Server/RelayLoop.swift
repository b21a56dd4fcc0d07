#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The turns of a relay's thread: waits for sockets, and carries bytes between them and the relay.
struct RelayLoop {
    let relay: Relay
    private let wakeup: Int32
    private var listener: Int32?
    /// What is waited for: the wakeup pipe, the listener, then each connection at its place.
    private var polled: [pollfd] = []
    private var places: [ConnectionID: Int] = [:]
    private var owners: [ConnectionID?] = []
    private var free: [Int] = []
    /// Connections that are not read until a time.
    private var paused: [ConnectionID: UInt64] = [:]
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var lastTick: UInt64 = 0
    private var stopsAt: UInt64?
    /// When accepting is tried again after the system had no room.
    private var acceptsAt: UInt64 = 0

    /// Milliseconds between two looks for what is silent.
    private static let tickTime: UInt64 = 500

    init(relay: Relay, listener: Int32, wakeup: Int32) {
        self.relay = relay
        self.listener = listener
        self.wakeup = wakeup
        for descriptor in [wakeup, listener] {
            polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            owners.append(nil)
        }
    }

    /// Waits once, and does what there is to do.
    mutating func turn() {
        let before = RelaySystem.milliseconds()
        let next = min(lastTick + RelayLoop.tickTime, paused.values.min() ?? .max)
        polled[1].events = acceptsAt <= before ? Int16(POLLIN) : 0
        // Safety: the system reads and writes the array's own storage.
        let ready = unsafe polled.withUnsafeMutableBufferPointer { list in
            unsafe poll(
                list.baseAddress, nfds_t(list.count), Int32(next > before ? next - before : 0))
        }
        let now = RelaySystem.milliseconds()
        if ready > 0 { serve(at: now) }
        for (id, until) in paused where until <= now {
            paused[id] = nil
            refresh(id, at: now)
        }
        if now >= lastTick + RelayLoop.tickTime {
            lastTick = now
            relay.tick(at: now)
        }
        flush(at: now)
    }

    /// Begins to stop, and tells whether everything is sent or the time is over.
    mutating func stop(within time: UInt64) -> Bool {
        let now = RelaySystem.milliseconds()
        if stopsAt == nil {
            stopsAt = now + time
            if let listener { RelaySystem.closeDescriptor(listener) }
            listener = nil
            polled[1].fd = -1
            relay.stop(at: now)
            flush(at: now)
        }
        return places.isEmpty || now >= (stopsAt ?? 0)
    }

    /// Closes what is still open.
    mutating func closeAll() {
        for id in Array(places.keys) { close(id, at: RelaySystem.milliseconds()) }
    }

    private mutating func serve(at now: UInt64) {
        if polled[0].revents != 0 { while RelayLoop.drain(wakeup) {} }
        for place in 2..<polled.count where polled[place].revents != 0 {
            guard let id = owners[place] else { continue }
            let events = Int32(polled[place].revents)
            if events & POLLOUT != 0 { send(id, at: now) }
            guard events & ~POLLOUT != 0 else { continue }
            // Also of one that hung up while it was slowed down, what it had sent counts.
            if relay.readableAt(id) != nil {
                read(id, polled[place].fd, at: now)
            } else {
                close(id, at: now)
            }
        }
        if listener != nil, polled[1].revents != 0 { acceptAll(at: now) }
    }

    private mutating func acceptAll(at now: UInt64) {
        guard let listener else { return }
        for _ in 0..<256 {
            let descriptor = RelaySystem.acceptConnection(listener)
            guard descriptor >= 0 else {
                // Without a free descriptor, waiting is all that can be done.
                if errno == EMFILE || errno == ENFILE { acceptsAt = now + 100 }
                return
            }
            guard let id = relay.open(at: now) else {
                RelaySystem.closeDescriptor(descriptor)
                continue
            }
            let entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if let place = free.popLast() {
                polled[place] = entry
                owners[place] = id
                places[id] = place
            } else {
                places[id] = polled.count
                polled.append(entry)
                owners.append(id)
            }
        }
    }

    private mutating func read(_ id: ConnectionID, _ descriptor: Int32, at now: UInt64) {
        let count = RelaySystem.read(descriptor, into: &buffer)
        if count > 0 {
            relay.receive(buffer[..<count], from: id, at: now)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            close(id, at: now)
        }
    }

    /// Sends what waits, and closes what is done.
    private mutating func flush(at now: UInt64) {
        // Sending frees room and touches nobody else, but closing tells others.
        while case let touched = relay.takeTouched(), !touched.isEmpty {
            for id in touched { send(id, at: now) }
            for id in touched where relay.isDone(id) { close(id, at: now) }
        }
    }

    private mutating func send(_ id: ConnectionID, at now: UInt64) {
        guard let place = places[id] else { return }
        while case let bytes = relay.waiting(for: id).prefix(1 << 18), !bytes.isEmpty {
            let count = RelaySystem.write(bytes, to: polled[place].fd)
            guard count >= 0 else {
                if errno == EINTR { continue }
                if errno != EAGAIN {
                    close(id, at: now)
                    return
                }
                break
            }
            relay.sent(count, to: id, at: now)
        }
        refresh(id, at: now)
    }

    /// Sets what is waited for on a connection's socket.
    private mutating func refresh(_ id: ConnectionID, at now: UInt64) {
        guard let place = places[id] else { return }
        var events: Int32 = relay.waiting(for: id).isEmpty ? 0 : POLLOUT
        if let readable = relay.readableAt(id) {
            if readable <= now { events |= POLLIN } else { paused[id] = readable }
        }
        polled[place].events = Int16(events)
    }

    private mutating func close(_ id: ConnectionID, at now: UInt64) {
        guard let place = places.removeValue(forKey: id) else { return }
        RelaySystem.closeDescriptor(polled[place].fd)
        polled[place] = pollfd(fd: -1, events: 0, revents: 0)
        owners[place] = nil
        free.append(place)
        paused[id] = nil
        relay.closed(id, at: now)
    }

    private static func drain(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        // Safety: one byte of a local variable.
        return unsafe Self.readBytes(descriptor, &byte, 1) > 0
    }

    private static func readBytes(
        _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(descriptor, bytes, count)
        #else
            unsafe Darwin.read(descriptor, bytes, count)
        #endif
    }
}
