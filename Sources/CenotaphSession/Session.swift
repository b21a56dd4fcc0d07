internal import CenotaphMerge
public import CenotaphWire

/// Who this replica is on a link.
public struct SessionIdentity: Hashable, Sendable {
    /// The replica.
    public let replica: ReplicaID
    /// Its incarnation.
    public let incarnation: ID16
    /// Its schema's fingerprint.
    public let schema: Hash256

    /// Makes an identity.
    public init(replica: ReplicaID, incarnation: ID16, schema: Hash256) {
        self.replica = replica
        self.incarnation = incarnation
        self.schema = schema
    }
}

/// One link to one peer: frames in, frames out, no I/O, no clock, no randomness (Spec 06).
///
/// The owner hands in each sealed frame with a snapshot of the store, seals and sends what comes back, and calls
/// `tick` now and then. After a failure of the store the session is given up and a new link opened.
public struct Session {
    enum Phase: Hashable {
        case closed
        case greeting
        case ready(ReplicaID)
        case blocked
    }

    private static let wireVersion: UInt8 = 1
    /// About the most bytes of one answer, below `Limits.maxAnswer`.
    public static let answerBudget = 2_097_152
    /// Most requests that wait; honest peers stay far below (Spec SYNC-025).
    public static let maxWaitingRequests = 4 * Limits.maxOpenRequests

    let identity: SessionIdentity
    /// Whether this end takes sketches, and says so.
    let takesSketches: Bool
    var phase = Phase.closed
    var peerDigests: [NamespaceName: NamespaceDigest]?
    var pulls: [PullID: Pull] = [:]
    var openRequests: [UInt64: OpenRequest] = [:]
    var nextRequest: UInt64 = 1
    /// Whether rows were merged, or sent for a sketch, since the last digest.
    var isDigestDue = false
    var sketches = SketchBook()
    /// Whether a part of an answer came that had not come before.
    var hasProgressed = false
    var incomingFlight = 0
    private var events: [SessionEvent] = []
    private var challenge = ID16.zero
    /// The peer dropped a frame because it had no hello of ours.
    private var peerLacksHello = false
    /// The peer's last challenge, to be answered in a later hello.
    private(set) var peerChallenge = ID16.zero
    /// Requests that wait for their turn; the owner gives it by `answerWaiting`.
    private var waitingRequests: [WaitingRequest] = []
    /// Whether requests wait from now on: the owner holds enough answers that the peer has not read.
    public var isCongested = false
    /// What was done so far.
    public internal(set) var counts = SessionCounts()
    /// Whether the peer's latest digest equals ours; a local write or a merged row ends it.
    public internal(set) var isAgreed = false

    /// Makes a session that has said nothing yet; one without sketches reconciles by ranges alone.
    public init(_ identity: SessionIdentity, takesSketches: Bool = true) {
        self.identity = identity
        self.takesSketches = takesSketches
    }

    /// The peer, once it said an acceptable hello.
    public var peer: ReplicaID? {
        if case .ready(let peer) = phase { peer } else { nil }
    }

    /// The peer whose hello blocked the link.
    public private(set) var blockedPeer: ReplicaID?

    /// Whether nothing more will be exchanged on this link.
    public var isBlocked: Bool { phase == .blocked }

    /// Whether answers are awaited.
    public var isPulling: Bool { !pulls.isEmpty }

    /// Whether answers are awaited and a further part of one came since this was last asked (Spec SYNC-051).
    public mutating func takeProgress() -> Bool {
        defer { hasProgressed = false }
        return hasProgressed && isPulling
    }

    /// Bytes of questions that wait until a request closes; bounded whatever the peer claims.
    package var waitingBytes: Int { pulls.values.reduce(0) { $0 + $1.waiting } }

    /// The events since this was last called, oldest first.
    public mutating func takeEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    mutating func report(_ event: SessionEvent) { events.append(event) }

    // MARK: What the owner calls

    /// Opens the link: the hello to send.
    ///
    /// `challenge` is sixteen random bytes.
    public mutating func start(challenge: ID16, epoch: ID16) -> [Frame] {
        phase = .greeting
        self.challenge = challenge
        return [hello(epoch)]
    }

    private func hello(_ epoch: ID16) -> Frame {
        let hello = Hello(
            capabilities: takesSketches ? Session.sketchCapability : 0, schema: identity.schema,
            incarnation: identity.incarnation, challenge: challenge, answer: peerChallenge)
        return frame(.hello(hello), to: .zero, epoch)
    }

    /// Takes a frame that opened and decoded, and returns the frames to send.
    ///
    /// A frame that is not taken changes nothing and is reported. Costs what the frame asks for: at most a few
    /// scans of the ranges that it names, and memory of the answer's budget.
    /// - Throws: the store's failure.
    public mutating func receive<Store: ReconcileStore>(
        _ incoming: Frame, _ store: Store
    ) throws(Store.Failure) -> [Frame] {
        // Only the end of the link ends a block (Spec 06, "Session").
        if isBlocked { return [] }
        if let refusal = refusal(of: incoming, store) {
            return refuse(incoming, refusal, store.epoch)
        }
        incomingFlight = flight(of: incoming.body)
        let outgoing: [FrameBody]
        switch incoming.body {
        case .hello(let hello): return greet(hello, incoming.header, store)
        case .error(let error): return take(error)
        case .digest(.summary(let tag)): outgoing = try takeSummary(tag, store)
        case .digest(.full(let digests)): outgoing = try takeDigests(digests, store)
        case .reconcileRequest(let request): outgoing = try take(.ranges(request), store)
        case .sketchRequest(let request): outgoing = try take(.sketch(request), store)
        case .sketchResponse(let response): outgoing = try take(response, store)
        case .reconcileResponse(let delta): outgoing = try take(delta, store)
        case .syncDelta(let delta):
            try mergeRows(of: delta, store)
            outgoing = []
        case .messageOp: outgoing = []
        }
        counts.flights = max(counts.flights, incomingFlight + (outgoing.isEmpty ? 0 : 1))
        return outgoing.map { frame($0, to: incoming.header.sender.id, store.epoch) }
    }

    /// A request of the peer's.
    private enum WaitingRequest: Hashable {
        case ranges(ReconcileRequest)
        case sketch(SketchRequest)
    }

    /// Answers a request, or lets it wait behind others.
    private mutating func take<Store: ReconcileStore>(
        _ question: WaitingRequest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard !isCongested, waitingRequests.isEmpty else {
            waitingRequests.append(question)
            return []
        }
        return try answer(question, store)
    }

    private mutating func answer<Store: ReconcileStore>(
        _ question: WaitingRequest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        switch question {
        case .ranges(let request): try answer(request, store)
        case .sketch(let request): try answer(request, store)
        }
    }

    /// Whether requests wait for `answerWaiting`.
    public var hasWaitingRequests: Bool { !waitingRequests.isEmpty }

    /// Whether the peer asks for more than it reads: the link may be cut (Spec SYNC-025).
    public var isFlooded: Bool { waitingRequests.count > Session.maxWaitingRequests }

    /// Answers the request that has waited longest.
    /// - Throws: the store's failure.
    public mutating func answerWaiting<Store: ReconcileStore>(
        _ store: Store
    ) throws(Store.Failure) -> [Frame] {
        guard let peer, !waitingRequests.isEmpty else { return [] }
        let outgoing = try answer(waitingRequests.removeFirst(), store)
        return outgoing.map { frame($0, to: peer.id, store.epoch) }
    }

    /// The frames that carry rows just written here (Spec 06, "local write").
    public mutating func localWrites(
        _ rows: [(namespace: NamespaceName, row: Row)], epoch: ID16
    ) -> [Frame] {
        guard let peer, !rows.isEmpty else { return [] }
        isAgreed = false
        return Session.deltas(rows).map { delta in
            counts.rowsSent += delta.rows.count
            return frame(.syncDelta(delta), to: peer.id, epoch)
        }
    }

    /// Starts a round afresh, on a timer or when no answer came: open requests are forgotten.
    public mutating func tick<Store: ReconcileStore>(_ store: Store) -> [Frame] {
        forgetPulls()
        var outgoing: [Frame] = []
        if phase == .greeting || peerLacksHello { outgoing.append(hello(store.epoch)) }
        peerLacksHello = false
        if let peer {
            outgoing.append(frame(.digest(.summary(store.summary)), to: peer.id, store.epoch))
        }
        return outgoing
    }

    /// What an end says that leaves once both agree: a peer that holds the same is told so by this alone (Spec SYNC-052).
    public func lastWord<Store: ReconcileStore>(_ store: Store) -> [Frame] {
        guard let peer else { return [] }
        return [frame(.digest(.full(store.digests)), to: peer.id, store.epoch)]
    }

    // MARK: Which frames are taken

    /// Why a frame is not taken, in the order of Spec SYNC-001 to SYNC-005, and SYNC-049.
    private func refusal(of incoming: Frame, _ store: some ReconcileStore) -> WireError? {
        let header = incoming.header
        if header.sender == identity.replica { return WireError(.unexpected, .ownFrame) }
        if header.recipient != .zero, header.recipient != identity.replica.id {
            return WireError(.unexpected, .otherRecipient)
        }
        switch incoming.body {
        case .hello, .error: return nil
        case .messageOp: return WireError(.unexpected, .channelKind)
        case .digest, .reconcileRequest, .reconcileResponse, .syncDelta, .sketchRequest,
            .sketchResponse:
            break
        }
        guard peer == header.sender else { return WireError(.unexpected, .beforeHello) }
        guard header.epoch == store.epoch else { return WireError(.stale, .sameEpoch) }
        let isKnown: Bool
        switch incoming.body {
        case .digest(.full(let digests)):
            isKnown = digests.allSatisfy { store.policy(of: $0.name) != nil }
        case .reconcileRequest(let request):
            isKnown = store.policy(of: request.namespace) != nil
        case .reconcileResponse(let delta), .syncDelta(let delta):
            isKnown = store.policy(of: delta.namespace)?.rowType(in: delta.set) == delta.rowType
        case .sketchRequest(let request): isKnown = store.policy(of: request.namespace) != nil
        case .sketchResponse(let response): isKnown = store.policy(of: response.namespace) != nil
        case .hello, .error, .digest(.summary), .messageOp: isKnown = true
        }
        guard isKnown else { return WireError(.unexpected, .namespaceKnown) }
        switch incoming.body {
        case .sketchRequest, .sketchResponse:
            return sketches.isSpoken ? nil : WireError(.unexpected, .sketchesSpoken)
        default: return nil
        }
    }

    /// Drops a frame and answers it where Spec SYNC-006 and SYNC-007 allow.
    private mutating func refuse(_ incoming: Frame, _ error: WireError, _ epoch: ID16) -> [Frame] {
        report(.dropped(error))
        if case .error = incoming.body { return [] }
        guard error.rule != .ownFrame, error.rule != .otherRecipient else { return [] }
        return [frame(.error(ErrorReport(error)), to: incoming.header.sender.id, epoch)]
    }

    // MARK: Hello and error

    private mutating func greet<Store: ReconcileStore>(
        _ hello: Hello, _ header: FrameHeader, _ store: Store
    ) -> [Frame] {
        let block: WireError? =
            if !hello.versions.contains(Session.wireVersion) {
                WireError(.version, .commonVersion)
            } else if hello.schema != identity.schema {
                WireError(.unexpected, .sameSchema)
            } else if header.epoch != store.epoch {
                WireError(.stale, .sameEpoch)
            } else {
                nil
            }
        if let block {
            phase = .blocked
            blockedPeer = header.sender
            forgetPulls()
            report(.blocked(block.errorClass, rule: block.rule.rawValue))
            return [frame(.error(ErrorReport(block)), to: header.sender.id, store.epoch)]
        }
        phase = .ready(header.sender)
        waitingRequests = []
        peerChallenge = hello.challenge
        peerDigests = nil
        sketches = SketchBook()
        sketches.isSpoken =
            takesSketches && hello.capabilities & Session.sketchCapability != 0
        forgetPulls()
        report(.ready(header.sender))
        counts.flights = max(counts.flights, 2)
        return [frame(.digest(.summary(store.summary)), to: header.sender.id, store.epoch)]
    }

    /// Both ends judge each other's hello by themselves, so an error never changes what is exchanged.
    private mutating func take(_ error: ErrorReport) -> [Frame] {
        report(.peerError(error))
        if error.rule == Rule.beforeHello.rawValue { peerLacksHello = true }
        return []
    }

    private mutating func forgetPulls() {
        pulls = [:]
        openRequests = [:]
        sketches.forget()
        isDigestDue = false
        isAgreed = false
    }

    func frame(_ body: FrameBody, to recipient: ID16, _ epoch: ID16) -> Frame {
        Frame(
            header: FrameHeader(sender: identity.replica, recipient: recipient, epoch: epoch),
            body: body)
    }
}

extension Session {
    /// Packs local rows by namespace and type.
    private static func deltas(_ rows: [(namespace: NamespaceName, row: Row)]) -> [Delta] {
        struct Bucket: Hashable, Comparable {
            let namespace: NamespaceName
            let type: RowType

            static func < (a: Bucket, b: Bucket) -> Bool {
                (a.namespace, a.type.rawValue) < (b.namespace, b.type.rawValue)
            }
        }
        var buckets: [Bucket: [Key: Row]] = [:]
        for (namespace, row) in rows {
            // A later write of the same key by this replica contains the earlier one; a message is its whole row.
            buckets[Bucket(namespace: namespace, type: row.type), default: [:]][row.key] = row
        }
        return buckets.sorted { $0.key < $1.key }.flatMap { bucket, rows in
            let sorted = rows.values.sorted { $0.key < $1.key }
            var packer = DeltaPacker(
                namespace: bucket.namespace, set: bucket.type == .logMarker ? .tombstones : .live,
                rowType: bucket.type)
            for row in sorted { packer.add(row) }
            return packer.finishUnasked()
        }
    }
}
