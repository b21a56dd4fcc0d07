internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// One set of one namespace, being pulled.
struct PullID: Hashable, Comparable {
    let namespace: NamespaceName
    let set: RowSet

    static func < (a: PullID, b: PullID) -> Bool {
        (a.namespace, a.set.rawValue) < (b.namespace, b.set.rawValue)
    }
}

/// What a pull has still to ask.
enum PullQuestion {
    /// What the peer holds in these ranges.
    case ranges(RangeList)
    /// What differs from a sketch.
    case sketch
    /// More cells of the peer's sketch.
    case cells(OpenSketch)
    /// Rows of the peer's, by the first four bytes of their ids, and those that wait for them here.
    case rows([UInt32], HeldRows)

    /// Bytes held, about.
    fileprivate var size: Int {
        switch self {
        case .ranges(let list): list.wireSize
        case .sketch: 0
        case .cells(let open): open.cells.count * MemoryLayout<SketchCell>.stride
        case .rows(let rows, let held): 4 * rows.count + held.size
        }
    }
}

/// What is left to ask in a pull.
struct Pull {
    /// Questions that wait for a request to close, the next one last: depth first keeps few.
    private var pending: [(question: PullQuestion, size: Int)] = []
    /// Bytes of the questions that wait.
    private(set) var waiting = 0
    var open = 0
    /// Whether every row of what is left is asked for, without saying what is held.
    var isBulk = false
    /// Requests since a row was last new; bounds what a peer's claims can cause (Spec SYNC-028).
    var fruitless = 0

    var isWaiting: Bool { !pending.isEmpty }

    mutating func wait(_ question: PullQuestion) {
        let size = question.size
        pending.append((question, size))
        waiting += size
    }

    mutating func next() -> PullQuestion? {
        guard let (question, size) = pending.popLast() else { return nil }
        waiting -= size
        return question
    }
}

/// A request whose answer has not come whole.
struct OpenRequest {
    let pull: PullID
    let flight: Int
    /// Whether ranges were asked for, so that the answer claims some.
    var takesClaims = false
    /// Rows that wait here for the answer.
    var held = HeldRows()
    var parts: Set<UInt64> = []
    var lastPart: UInt64?

    var isAnswered: Bool {
        guard let lastPart else { return false }
        return UInt64(parts.count) > lastPart
    }
}

extension Session {
    /// The place of an incoming frame in the chain of frames that waited for each other.
    func flight(of body: FrameBody) -> Int {
        switch body {
        case .hello: 1
        case .digest(.summary): 2
        case .digest(.full): max(3, counts.flights)
        case .reconcileResponse(let delta): (openRequests[delta.request]?.flight ?? 0) + 1
        case .sketchResponse(let response): (openRequests[response.request]?.flight ?? 0) + 1
        case .reconcileRequest, .sketchRequest, .syncDelta, .messageOp, .error: 0
        }
    }

    /// Begins the pull of a set by ranges; in bulk if most of it differs (Spec SYNC-046).
    mutating func startPull<Store: ReconcileStore>(
        _ id: PullID, bulk: Bool = false, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard pulls[id] == nil else { return [] }
        var pull = Pull()
        pull.isBulk = bulk && sketches.isSpoken
        let ranges = try question(about: .all, id, isBulk: pull.isBulk, store)
        pull.wait(.ranges(ranges))
        pulls[id] = pull
        return try nextRequests(id, store)
    }

    /// The requests that may be sent now (Spec SYNC-025, SYNC-028).
    mutating func nextRequests<Store: ReconcileStore>(
        _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        while openRequests.count < Limits.maxOpenRequests, let question = pulls[id]?.next() {
            guard let pull = pulls[id], pull.fruitless < Limits.maxRequestsPerPull else { continue }
            let request = openRequest(id)
            switch question {
            case .ranges(let ranges):
                openRequests[request]?.takesClaims = true
                outgoing.append(
                    .reconcileRequest(
                        ReconcileRequest(
                            request: request, namespace: id.namespace, set: id.set, ranges: ranges))
                )
            case .sketch:
                sketches.open[request] = OpenSketch()
                outgoing.append(sketchRequest(request, id, try opening(id, store)))
            case .cells(let open):
                sketches.open[request] = open
                outgoing.append(
                    sketchRequest(request, id, .more(first: open.cells.count, wanted: open.wanted)))
            case .rows(let rows, let held):
                openRequests[request]?.held = held
                outgoing.append(sketchRequest(request, id, .rows(rows)))
            }
        }
        return outgoing
    }

    /// Notes a request of a pull as open, and gives its number.
    private mutating func openRequest(_ id: PullID) -> UInt64 {
        defer { nextRequest += 1 }
        openRequests[nextRequest] = OpenRequest(pull: id, flight: incomingFlight + 1)
        pulls[id]?.open += 1
        pulls[id]?.fruitless += 1
        counts.requests += 1
        return nextRequest
    }

    /// What to ask about a range of which nothing is known of the peer.
    func question<Store: ReconcileStore>(
        about range: KeyRange, _ id: PullID, isBulk: Bool, _ store: Store
    ) throws(Store.Failure) -> RangeList {
        guard isBulk else { return try store.describe(id.namespace, id.set, range) }
        var list = RangeList()
        list.append(range, .all)
        return list
    }

    // MARK: Answering

    mutating func answer<Store: ReconcileStore>(
        _ request: ReconcileRequest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard let policy = store.policy(of: request.namespace) else { return [] }
        let parts = try Answer.parts(
            to: request, policy: policy, from: store, budget: Session.answerBudget)
        counts.rowsSent += parts.reduce(0) { $0 + $1.rows.count }
        // Who was to be asked by sketch, or told too few cells, is asked by ranges, and so asks by ranges as well
        // (Spec SYNC-041).
        let id = PullID(namespace: request.namespace, set: request.set)
        let isAwaited = sketches.awaited.remove(id) != nil
        let isTold = sketches.told.remove(id) != nil
        let pull = isAwaited || isTold ? try startPull(id, store) : []
        return parts.map { .reconcileResponse($0) } + pull
    }

    // MARK: Taking answers

    /// Merges the rows of a body; the caller has checked that their type fits.
    @discardableResult
    mutating func mergeRows<Store: ReconcileStore>(
        of delta: Delta, _ store: Store
    ) throws(Store.Failure) -> Int {
        var merged = 0
        let outcomes = try store.merge(delta.namespace, delta.rows)
        for (row, outcome) in zip(delta.rows, outcomes) {
            switch outcome {
            case .changed: merged += 1
            case .unchanged: break
            case .buried: counts.rowsBuried += 1
            case .refused: report(.refused(delta.namespace, row.key))
            }
        }
        counts.rowsReceived += delta.rows.count
        counts.rowsMerged += merged
        if merged > 0 {
            isDigestDue = true
            isAgreed = false
        }
        return merged
    }

    mutating func take<Store: ReconcileStore>(
        _ delta: Delta, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        let merged = try mergeRows(of: delta, store)
        guard var request = openRequests[delta.request],
            request.pull == PullID(namespace: delta.namespace, set: delta.set)
        else { return [] }
        let id = request.pull
        if merged > 0 { pulls[id]?.fruitless = 0 }
        let isNew = request.parts.insert(delta.part).inserted
        if isNew { hasProgressed = true }
        if delta.last { request.lastPart = delta.part }
        openRequests[delta.request] = request
        if isNew, request.takesClaims { try queueRequests(for: delta.claims, id, store) }
        guard request.isAnswered else { return try goOn(store) }
        openRequests[delta.request] = nil
        sketches.open[delta.request] = nil
        pulls[id]?.open -= 1
        return try release(request.held, id, store) + (try goOn(store))
    }

    /// Most bytes of questions that wait on a link; the next round finds what was left out.
    static let maxWaiting = 2 * Limits.maxAnswer

    /// Turns claims into range lists to ask (Spec SYNC-022).
    private mutating func queueRequests<Store: ReconcileStore>(
        for claims: RangeList, _ id: PullID, _ store: Store
    ) throws(Store.Failure) {
        var list = RangeList()
        var size = 0
        var waiting = waitingBytes
        for (range, content) in claims.ranges where waiting < Session.maxWaiting {
            let question = try question(range, content, id, store)
            guard !question.isEmpty else { continue }
            let weight = question.wireSize
            let entries = list.entries.count + question.entries.count + 1
            if !list.isEmpty, entries > Limits.maxRanges || size + weight > Limits.partSize {
                pulls[id]?.wait(.ranges(list))
                list = RangeList()
                size = 0
            }
            for (range, content) in question.ranges { list.append(range, content) }
            size += weight
            waiting += weight
        }
        if !list.isEmpty { pulls[id]?.wait(.ranges(list)) }
    }

    /// What to ask about one claim; an empty list for nothing.
    private func question<Store: ReconcileStore>(
        _ range: KeyRange, _ content: RangeContent, _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> RangeList {
        switch content {
        case .fingerprint(let tag):
            let own = try store.sum(id.namespace, id.set, range)
            let key = try store.key(of: id.namespace)
            guard own.fingerprint(id.set, key).tag != tag else { return RangeList() }
            return try store.describe(id.namespace, id.set, range, count: own.count)
        case .items(let items):
            var wanted: [Key] = []
            for item in items
            where try store.leaf(id.namespace, id.set, item.key)?.tag != item.tag {
                wanted.append(item.key)
            }
            var list = RangeList()
            if !wanted.isEmpty { list.append(range, .keys(wanted)) }
            return list
        case .unanswered:
            return try question(
                about: range, id, isBulk: pulls[id]?.isBulk ?? false, store)
        case .skip, .keys, .all: return RangeList()
        }
    }

    /// Sends what may be sent, and ends the pulls that have nothing left.
    mutating func goOn<Store: ReconcileStore>(
        _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        for id in pulls.keys.sorted() {
            outgoing += try nextRequests(id, store)
            if let pull = pulls[id], pull.open == 0, !pull.isWaiting { pulls[id] = nil }
        }
        guard pulls.isEmpty else { return outgoing }
        try compare(store)
        if isDigestDue {
            isDigestDue = false
            outgoing.append(.digest(.full(store.digests)))
        }
        return outgoing
    }
}
