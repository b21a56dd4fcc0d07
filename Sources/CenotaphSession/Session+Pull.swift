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

/// What is left to ask in a pull.
struct Pull {
    /// Range lists that wait for a request to close, the next one last: depth first keeps few.
    private var pending: [(list: RangeList, size: Int)] = []
    /// Bytes of the lists that wait.
    private(set) var waiting = 0
    var open = 0
    /// Requests since a row was last new; bounds what a peer's claims can cause (Spec SYNC-028).
    var fruitless = 0

    var isWaiting: Bool { !pending.isEmpty }

    mutating func wait(_ list: RangeList) {
        let size = list.wireSize
        pending.append((list, size))
        waiting += size
    }

    mutating func next() -> RangeList? {
        guard let (list, size) = pending.popLast() else { return nil }
        waiting -= size
        return list
    }
}

/// A request whose answer has not come whole.
struct OpenRequest {
    let pull: PullID
    let flight: Int
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
        case .reconcileRequest, .syncDelta, .messageOp, .error: 0
        }
    }

    mutating func startPull<Store: ReconcileStore>(
        _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard pulls[id] == nil else { return [] }
        let ranges = try store.describe(id.namespace, id.set, .all)
        var pull = Pull()
        pull.wait(ranges)
        pulls[id] = pull
        return nextRequests(id)
    }

    /// The requests that may be sent now (Spec SYNC-025, SYNC-028).
    private mutating func nextRequests(_ id: PullID) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        while openRequests.count < Limits.maxOpenRequests, let ranges = pulls[id]?.next() {
            guard let pull = pulls[id], pull.fruitless < Limits.maxRequestsPerPull else { continue }
            let request = ReconcileRequest(
                request: nextRequest, namespace: id.namespace, set: id.set, ranges: ranges)
            openRequests[nextRequest] = OpenRequest(pull: id, flight: incomingFlight + 1)
            nextRequest += 1
            pulls[id]?.open += 1
            pulls[id]?.fruitless += 1
            counts.requests += 1
            outgoing.append(.reconcileRequest(request))
        }
        return outgoing
    }

    // MARK: Answering

    mutating func answer<Store: ReconcileStore>(
        _ request: ReconcileRequest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard let policy = store.policy(of: request.namespace) else { return [] }
        let parts = try Answer.parts(
            to: request, policy: policy, from: store, budget: Session.answerBudget)
        counts.rowsSent += parts.reduce(0) { $0 + $1.rows.count }
        return parts.map { .reconcileResponse($0) }
    }

    // MARK: Taking answers

    /// Merges the rows of a body; the caller has checked that their type fits.
    @discardableResult
    mutating func mergeRows<Store: ReconcileStore>(
        of delta: Delta, _ store: Store
    ) throws(Store.Failure) -> Int {
        var merged = 0
        for row in delta.rows {
            switch try store.merge(delta.namespace, row) {
            case .changed: merged += 1
            case .unchanged: break
            case .buried: counts.rowsBuried += 1
            case .tooLarge: report(.refused(delta.namespace, row.key))
            }
        }
        counts.rowsReceived += delta.rows.count
        counts.rowsMerged += merged
        if merged > 0 {
            mergedSinceDigest = true
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
        if delta.last { request.lastPart = delta.part }
        openRequests[delta.request] = request
        if isNew { try queueRequests(for: delta.claims, id, store) }
        if request.isAnswered {
            openRequests[delta.request] = nil
            pulls[id]?.open -= 1
        }
        return try goOn(store)
    }

    /// Most bytes of questions that wait on a link; the next round finds what was left out.
    private static let maxWaiting = 2 * Limits.maxAnswer

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
                pulls[id]?.wait(list)
                list = RangeList()
                size = 0
            }
            for (range, content) in question.ranges { list.append(range, content) }
            size += weight
            waiting += weight
        }
        if !list.isEmpty { pulls[id]?.wait(list) }
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
        case .unanswered: return try store.describe(id.namespace, id.set, range)
        case .skip, .keys: return RangeList()
        }
    }

    /// Sends what may be sent, and ends the pulls that have nothing left.
    private mutating func goOn<Store: ReconcileStore>(
        _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        for id in pulls.keys.sorted() {
            outgoing += nextRequests(id)
            if let pull = pulls[id], pull.open == 0, !pull.isWaiting { pulls[id] = nil }
        }
        guard pulls.isEmpty else { return outgoing }
        try compare(store)
        if mergedSinceDigest {
            mergedSinceDigest = false
            outgoing.append(.digest(.full(store.digests)))
        }
        return outgoing
    }
}
