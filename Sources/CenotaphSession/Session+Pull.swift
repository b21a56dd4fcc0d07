internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// One set of one namespace, being pulled.
struct PullID: Hashable {
    let namespace: NamespaceName
    let set: RowSet
}

/// What is left to ask in a pull.
struct Pull {
    /// Range lists that wait for a request to close.
    var pending: [RangeList] = []
    var open = 0
    /// Requests since a row was last new; bounds what a peer's claims can cause (Spec SYNC-028).
    var fruitless = 0
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
        pulls[id] = Pull(pending: [ranges])
        return nextRequests(id)
    }

    /// The requests that may be sent now (Spec SYNC-025, SYNC-028).
    private mutating func nextRequests(_ id: PullID) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        while let ranges = pulls[id]?.pending.first, openRequests.count < Limits.maxOpenRequests {
            pulls[id]?.pending.removeFirst()
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

    /// Turns claims into range lists to ask (Spec SYNC-022).
    private mutating func queueRequests<Store: ReconcileStore>(
        for claims: RangeList, _ id: PullID, _ store: Store
    ) throws(Store.Failure) {
        var list = RangeList()
        for (range, content) in claims.ranges {
            if list.entries.count + 2 * Limits.rangeFanout > Limits.maxRanges
                || list.wireSize > Limits.partSize
            {
                pulls[id]?.pending.append(list)
                list = RangeList()
            }
            switch content {
            case .fingerprint(let tag):
                let own = try store.sum(id.namespace, id.set, range)
                let key = try store.key(of: id.namespace)
                guard own.fingerprint(id.set, key).tag != tag else { continue }
                list = try store.describe(
                    id.namespace, id.set, range, appendingTo: list, count: own.count)
            case .items(let items):
                var wanted: [Key] = []
                for item in items
                where try store.leaf(id.namespace, id.set, item.key)?.tag != item.tag {
                    wanted.append(item.key)
                }
                if !wanted.isEmpty { list.append(range, .keys(wanted)) }
            case .unanswered:
                list = try store.describe(id.namespace, id.set, range, appendingTo: list)
            case .skip, .keys: break
            }
        }
        if !list.isEmpty { pulls[id]?.pending.append(list) }
    }

    /// Sends what may be sent, and ends the pulls that have nothing left.
    private mutating func goOn<Store: ReconcileStore>(
        _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        var outgoing: [FrameBody] = []
        for id in pulls.keys {
            outgoing += nextRequests(id)
            if let pull = pulls[id], pull.open == 0, pull.pending.isEmpty { pulls[id] = nil }
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
