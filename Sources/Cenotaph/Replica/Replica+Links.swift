internal import CenotaphMerge
internal import CenotaphSeal
internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// The number of a link within its replica.
struct LinkID: Hashable, Sendable {
    let value: Int
}

/// A replica's end of one link.
struct Link {
    /// Most ticks that a link stays open without a hello.
    static let maxTicksUngreeted = 3

    var session: Session
    let outbox: Outbox
    var framesReceived = 0
    /// Ticks since the link opened, while the peer has not said hello.
    var ticksUngreeted = 0
}

/// What a link's runner needs of it.
struct LinkEnds: Sendable {
    let id: LinkID
    let outbox: Outbox
}

extension Replica {
    /// Opens a link; its hello waits in the outbox.
    func openLink() throws -> LinkEnds {
        let id = LinkID(value: nextLink)
        nextLink += 1
        let identity = SessionIdentity(
            replica: gate.replica, incarnation: gate.incarnation, schema: gate.schemaFingerprint)
        var link = Link(session: Session(identity), outbox: Outbox())
        var random = SystemRandomNumberGenerator()
        let epoch = try gate.read { $0.epoch }
        let hello = link.session.start(challenge: ID16.random(using: &random), epoch: epoch)
        try send(hello, on: link)
        links[id] = link
        return LinkEnds(id: id, outbox: link.outbox)
    }

    /// Takes sealed frames that arrived, all in one transaction; what is to be sent waits in the outbox.
    ///
    /// Frames that do not open, decode or fit are reported and dropped. When the store fails, nothing changed.
    ///
    /// Returns what happened, in order.
    @discardableResult
    func receive(_ sealed: [[UInt8]], on id: LinkID) throws -> [SessionEvent] {
        guard var link = links[id] else { return [] }
        link.framesReceived += sealed.count
        var held = link.outbox.bytes
        let committed = try gate.write { transaction in
            let store = GateSnapshot(transaction: transaction)
            var frames: [Frame] = []
            for sealed in sealed {
                link.session.isCongested = held >= Outbox.enough
                let answers = try link.session.receive(sealed: sealed, with: gate.keys, store)
                held += answers.reduce(0) { $0 + $1.wireSize }
                guard held <= Outbox.limit, !link.session.isFlooded else {
                    throw PeerError.flooded
                }
                frames += answers
            }
            return frames
        }
        links[id] = link
        publish(committed.changes)
        let events = links[id]?.session.takeEvents() ?? []
        for event in events {
            linkObstacles.note(event, blockedPeer: link.session.blockedPeer)
        }
        wakeStatus()
        try send(committed.result, on: link)
        return events
    }

    /// Answers requests that waited, as far as there is room for answers.
    func answerWaiting(on id: LinkID) throws {
        while let link = links[id], link.session.hasWaitingRequests,
            link.outbox.bytes < Outbox.enough
        {
            var session = link.session
            let committed = try gate.write { transaction in
                try session.answerWaiting(GateSnapshot(transaction: transaction))
            }
            links[id]?.session = session
            try send(committed.result, on: link)
        }
    }

    /// Starts a round afresh unless answers are awaited and come.
    ///
    /// Returns whether frames came since the last call.
    func tick(_ id: LinkID) throws -> Bool {
        guard var link = links[id] else { return false }
        let isHeard = link.framesReceived > 0
        link.framesReceived = 0
        defer { links[id] = link }
        if link.session.peer == nil, !link.session.isBlocked {
            // Whoever does not know the fleet's keys holds no link for long.
            link.ticksUngreeted += 1
            guard link.ticksUngreeted <= Link.maxTicksUngreeted else { throw PeerError.noHello }
        }
        if !link.session.takeProgress() { try compare(&link) }
        return isHeard
    }

    /// Starts a round afresh whatever is awaited: the other end is to hear now what is held here.
    func compare(_ id: LinkID) throws {
        guard var link = links[id] else { return }
        defer { links[id] = link }
        try compare(&link)
    }

    /// Tells the other end what is held here, as the last thing that this end says.
    func sayLastWord(_ id: LinkID) throws {
        guard let link = links[id] else { return }
        let frames = try gate.write { link.session.lastWord(GateSnapshot(transaction: $0)) }
        try send(frames.result, on: link)
    }

    private func compare(_ link: inout Link) throws {
        let frames = try gate.write { link.session.tick(GateSnapshot(transaction: $0)) }
        try send(frames.result, on: link)
    }

    /// Closes a link and returns what its session did.
    func closeLink(_ id: LinkID) -> SessionCounts? {
        guard let link = links.removeValue(forKey: id) else { return nil }
        link.outbox.finish()
        wakeStatus()
        return link.session.counts
    }

    /// Sends rows just written here to every peer; one whose outbox is half full finds them by digest later.
    func pushLocalWrites(_ rows: [(namespace: NamespaceName, row: Row)], epoch: ID16) {
        guard !rows.isEmpty else { return }
        for id in links.keys {
            guard var link = links[id] else { continue }
            let frames = link.session.localWrites(rows, epoch: epoch)
            links[id] = link
            let sealed = frames.compactMap { try? Envelope.seal($0, with: gate.keys) }
            _ = link.outbox.push(sealed, limit: Outbox.limit / 2)
        }
    }

    private func send(_ frames: [Frame], on link: Link) throws {
        var sealed: [[UInt8]] = []
        for frame in frames { sealed.append(try Envelope.seal(frame, with: gate.keys)) }
        // A link that is ending sends nothing more.
        guard link.outbox.push(sealed) || link.outbox.isFinished else { throw PeerError.flooded }
    }
}
