internal import CenotaphMerge
public import CenotaphSeal
internal import CenotaphSession
internal import CenotaphStore
public import CenotaphWire

/// Carries messages between this fleet and a contact's over a relay, in the room of their channel (Spec 13).
///
/// While it runs, whoever of the contact's devices is there is sent what has still to be delivered, and each message that
/// changes here; what arrives is merged and confirmed. Repeats do no harm, so several devices of a fleet may run it.
public struct ContactPeer: Sendable {
    private let replica: Replica
    private let namespace: NamespaceName
    private let channel: ChannelKeys
    private let address: PeerAddress
    private let token: RelayToken
    private let isForContact: @Sendable (Key) -> Bool
    /// The waits between attempts.
    public var backoff = Backoff()
    /// How often the relay is asked whether it is there, and what was not confirmed is sent again.
    public var interval: Duration = .seconds(5)
    /// Messages that a device of the contact's is told when it comes, beside those not delivered: edits and recalls of
    /// which the app knows that the contact may not have them (Spec SYNC-038).
    public var alsoTold: @Sendable () async throws -> [Key] = { [] }
    /// Told what of a contact's was refused, and why.
    public var onRefused: @Sendable (any Error) -> Void = { _ in }
    /// Told why an attempt failed that will be followed by another.
    public var onFailure: @Sendable (PeerError) -> Void = { _ in }

    /// Makes a peer of one contact.
    /// - Parameters:
    ///   - replica: The replica.
    ///   - namespace: The messages.
    ///   - channel: The keys of the channel to the contact.
    ///   - address: The relay, as `PeerAddress.relay`.
    ///   - isForContact: Whether a message of this fleet is meant for this contact; no other is told.
    /// - Throws: `PeerError.badAddress` for an address that is no relay's.
    public init(
        _ replica: Replica, _ namespace: NamespaceName, channel: ChannelKeys,
        over address: PeerAddress, isForContact: @escaping @Sendable (Key) -> Bool
    ) throws(PeerError) {
        guard case .relay(let address, let token) = address else {
            throw .badAddress("a contact is met on a relay")
        }
        self.replica = replica
        self.namespace = namespace
        self.channel = channel
        self.address = address
        self.token = token
        self.isForContact = isForContact
    }

    /// Carries messages until the task is cancelled, connecting again whenever the connection ends.
    /// - Throws: `CancellationError`, and what trying again cannot help: a damaged store.
    public func run() async throws {
        var random = SystemRandomNumberGenerator()
        var attempt = 0
        while true {
            do {
                let room = try await RelayRoom.enter(channel.relayRoom, at: address, token: token)
                attempt = 0
                try await carry(in: room)
            } catch {
                onFailure(try Peer.passing(error))
            }
            try Task.checkCancellation()
            attempt += 1
            try await Task.sleep(for: backoff.delay(before: attempt, using: &random))
        }
    }

    private func carry(in room: RelayRoom) async throws {
        let fatal = FirstOf<any Error>()
        let changes = await replica.changes(in: namespace)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.run(interval: interval) }
                group.addTask {
                    try await keeping(fatal, room) { try await tell(changes, in: room) }
                }
                group.addTask { try await keeping(fatal, room) { try await remind(in: room) } }
                for await change in room.changes {
                    guard case .arrived(let number) = change, let link = room.link(to: number)
                    else { continue }
                    // Confirming may have to wait for room; hearing must not, or two could wait for each other.
                    let (heard, hearing) = AsyncStream.makeStream(
                        of: Key.self, bufferingPolicy: .bufferingOldest(4_096))
                    group.addTask {
                        try await keeping(fatal, room) { try await hear(link, hearing) }
                    }
                    group.addTask {
                        try await keeping(fatal, room) { try await confirm(heard, over: link) }
                    }
                    group.addTask {
                        try await keeping(fatal, room) {
                            let keys = try await undelivered() + alsoTold()
                            try await send(keys, in: room, to: number)
                        }
                    }
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        } catch {
            throw fatal.value ?? error
        }
    }

    /// Runs one part; what ends it ends the connection.
    private func keeping(
        _ fatal: FirstOf<any Error>, _ room: RelayRoom, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch is CancellationError {
            // The connection ended, or the whole run.
        } catch {
            fatal.give(error)
            room.close()
        }
    }

    private func undelivered() async throws -> [Key] {
        try await replica.outbox(namespace).map(\.key)
    }

    /// Sends on what changes here, as long as the connection lasts.
    private func tell(_ changes: Changes, in room: RelayRoom) async throws {
        for await batch in changes {
            // After a gap, what is not delivered is what can be known.
            let keys = batch.isComplete ? batch.changes.map(\.key) : try await undelivered()
            for number in room.numbers { try await send(keys, in: room, to: number) }
        }
    }

    /// Sends again what was not confirmed: the relay or the contact may have dropped it.
    private func remind(in room: RelayRoom) async throws {
        while true {
            try await Task.sleep(for: interval * 4)
            let keys = try await undelivered()
            for number in room.numbers { try await send(keys, in: room, to: number) }
        }
    }

    private func send(_ keys: [Key], in room: RelayRoom, to number: UInt32) async throws {
        let own = keys.filter { $0.bytes.starts(with: channel.own.encoded()) && isForContact($0) }
        for start in stride(from: 0, to: own.count, by: 64) {
            let part = Array(own[start..<min(start + 64, own.count)])
            let sealed = try await replica.operations(namespace, part, for: channel)
            try await send(sealed, in: room, to: number)
        }
    }

    /// Sends frames as the window allows; to one that left, none.
    private func send(_ sealed: [[UInt8]], in room: RelayRoom, to number: UInt32) async throws {
        for frame in sealed {
            do throws(PeerError) {
                while try !room.send(frame, to: number) {
                    do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
                }
            } catch {
                return
            }
        }
    }

    /// Takes what one device of the contact's sends.
    private func hear(
        _ link: RelayLink, _ heard: AsyncStream<Key>.Continuation
    ) async throws {
        defer {
            link.close()
            heard.finish()
        }
        while case let frames = try await link.receive(), !frames.isEmpty {
            for sealed in frames {
                do {
                    guard let taken = try await replica.take(sealed, fromContact: channel),
                        taken.namespace == namespace,
                        taken.key.starts(with: channel.contact.encoded())
                    else { continue }
                    heard.yield(taken.key)
                } catch GateError.store(let failure) {
                    throw GateError.store(failure)
                } catch let error as WireError where error.errorClass == .auth {
                    // Another device of this fleet spoke, to the contact.
                } catch {
                    onRefused(error)
                }
            }
        }
    }

    /// Tells the contact that its messages arrived.
    private func confirm(_ heard: AsyncStream<Key>, over link: RelayLink) async throws {
        for await key in heard {
            do {
                try await link.send(replica.operations(namespace, [key], for: channel))
            } catch PeerError.closed {
                return
            }
        }
    }
}
