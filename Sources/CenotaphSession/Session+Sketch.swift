internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// What a session knows of the sketches on its link (Spec 06, "Pulling by sketch").
struct SketchBook {
    /// Whether the peer takes sketches.
    var isSpoken = false
    /// The sketches that wait for the peer's answer, by their request.
    var open: [UInt64: OpenSketch] = [:]
    /// The sets that the peer is to ask about first.
    var awaited: Set<PullID> = []
    /// The sets of which cells were told, which may be too few for the peer.
    var told: Set<PullID> = []
    /// The sets that are pulled by ranges from now on.
    var failed: Set<PullID> = []

    /// Forgets what is open; what was to come and did not is not waited for again.
    mutating func forget() {
        failed.formUnion(awaited)
        awaited = []
        told = []
        open = [:]
    }
}

/// A sketch that was sent and did not tell all yet.
struct OpenSketch {
    /// The peer's cells so far.
    var cells: [SketchCell] = []
    /// Whether more cells were asked for.
    var isExtended = false

    /// How many cells are asked for beside these: as many again (Spec SYNC-043).
    var wanted: Int { min(cells.count, Limits.maxCells - cells.count) }
}

extension Session {
    /// The bit of `hello` that says that sketches are taken (Spec SYNC-040).
    static let sketchCapability: UInt64 = 1
    /// The cells of a first question (Spec SYNC-041).
    private static let openingCells = 24
    /// Sets of so many rows or fewer are pulled by ranges.
    private static let fewRows: UInt64 = 16

    // MARK: Asking

    /// Begins the pull of a set that differs: by sketch, by ranges, or not before the peer asks.
    mutating func startPull<Store: ReconcileStore>(
        _ id: PullID, theirs: SetDigest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard pulls[id] == nil else { return [] }
        let own = try store.sum(id.namespace, id.set, .all).count
        let isSketched =
            sketches.isSpoken && !sketches.failed.contains(id) && own > Session.fewRows
            && theirs.count > Session.fewRows
        guard isSketched, let peer else {
            // Who holds nothing has nothing to be pulled.
            return theirs.count == 0 ? [] : try startPull(id, store)
        }
        guard identity.replica < peer else {
            sketches.awaited.insert(id)
            return []
        }
        var pull = Pull()
        pull.isBySketch = true
        pull.wait(.sketch)
        pulls[id] = pull
        return try nextRequests(id, store)
    }

    /// The first question about a set (Spec SYNC-041).
    func opening<Store: ReconcileStore>(
        _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> SketchRequest.Question {
        let sketch = try store.sketch(id.namespace, id.set, size: Session.openingCells)
        let count = try store.sum(id.namespace, id.set, .all).count
        return .open(count: count, counters: sketch.counters, cells: sketch.cells)
    }

    func sketchRequest(
        _ request: UInt64, _ id: PullID, _ question: SketchRequest.Question
    ) -> FrameBody {
        .sketchRequest(
            SketchRequest(request: request, namespace: id.namespace, set: id.set, question))
    }

    /// Lets the pull of a set ask for rows of the peer's; `sends` says whether rows went the other way.
    private mutating func want(_ rows: [RowID], _ id: PullID, sends: Bool) {
        let prefixes = rows.map(\.prefix).withoutRepeats
        // A peer may ask by sketch without end; what is left out is found by the next round (Spec SYNC-047).
        guard !prefixes.isEmpty, waitingBytes < Session.maxWaiting else { return }
        var pull = pulls[id] ?? Pull()
        pull.isBySketch = true
        pull.isFruitful = pull.isFruitful || sends
        pull.wait(.rows(prefixes))
        pulls[id] = pull
    }

    // MARK: Answering

    mutating func answer<Store: ReconcileStore>(
        _ request: SketchRequest, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        let id = PullID(namespace: request.namespace, set: request.set)
        switch request.question {
        case .open(let count, let counters, let cells):
            sketches.awaited.remove(id)
            return try answer(request.request, id, count, counters, cells, store)
        case .more(let first, let wanted):
            let sketch = try store.sketch(id.namespace, id.set, size: first + wanted)
            return [
                response(
                    request.request, id, try store.sum(id.namespace, id.set, .all).count,
                    .cells(first: first, Array(sketch.cells[first...])))
            ]
        case .rows(let prefixes):
            let rows = try pack(
                prefixes.map { $0 >> 8 }, id, request: request.request, store
            ) { row in
                let index = prefixes.partitionIndex { $0 < row.prefix }
                return index < prefixes.count && prefixes[index] == row.prefix
            }
            return rows.map { .reconcileResponse($0) }
        }
    }

    private mutating func answer<Store: ReconcileStore>(
        _ request: UInt64, _ id: PullID, _ count: UInt64, _ counters: [UInt8],
        _ cells: [SketchCell], _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        let own = try store.sum(id.namespace, id.set, .all).count
        var sketch = try store.sketch(id.namespace, id.set, size: cells.count)
        if let difference = SketchDifference(sketch.cells[...], cells[...], excess: own &- count) {
            let rows = try pack(difference.onlyA, id, request: request, store)
            want(difference.onlyB, id, sends: !difference.onlyA.isEmpty)
            return rows.map { .reconcileResponse($0) } + (try nextRequests(id, store))
        }
        let estimate = Sketch.estimate(sketch.counters, counters)
        let size = 48 + estimate + estimate / 2
        let (all, overflow) = own.addingReportingOverflow(count)
        guard size <= UInt64(Limits.maxCells), overflow || size <= all else {
            let answer = response(request, id, own, .tooMany(estimate: estimate))
            giveUpSketch(id)
            return [answer] + (try startPull(id, bulk: estimate > count / 2, store))
        }
        sketch = try store.sketch(id.namespace, id.set, size: Int(size))
        sketches.told.insert(id)
        return [response(request, id, own, .cells(first: 0, sketch.cells))]
    }

    private func response(
        _ request: UInt64, _ id: PullID, _ count: UInt64, _ answer: SketchResponse.Answer
    ) -> FrameBody {
        .sketchResponse(
            SketchResponse(
                request: request, namespace: id.namespace, set: id.set, count: count, answer))
    }

    /// The rows of a difference that only this side holds, packed as an answer or, for request 0, unasked.
    private mutating func pack<Store: ReconcileStore>(
        _ rows: [RowID], _ id: PullID, request: UInt64 = 0, _ store: Store
    ) throws(Store.Failure) -> [Delta] {
        try pack(rows.map(\.place), id, request: request, store) { row in
            let index = rows.partitionIndex { $0 < row }
            return index < rows.count && rows[index] == row
        }
    }

    /// The rows of some places, ascending, whose ids are wanted: as many as one answer holds (Spec SYNC-047).
    private mutating func pack<Store: ReconcileStore>(
        _ places: [UInt32], _ id: PullID, request: UInt64, _ store: Store,
        where isWanted: (RowID) -> Bool
    ) throws(Store.Failure) -> [Delta] {
        guard let policy = store.policy(of: id.namespace) else { return [] }
        var packer = DeltaPacker(
            request: request, namespace: id.namespace, set: id.set,
            rowType: policy.rowType(in: id.set))
        var count = 0
        try store.forEachRow(id.namespace, id.set, places: places.withoutRepeats) { row, rowID in
            guard isWanted(rowID) else { return true }
            packer.add(row)
            count += 1
            return packer.total < Session.answerBudget
        }
        counts.rowsSent += count
        return request == 0 ? packer.finishUnasked() : packer.finish()
    }

    // MARK: Taking answers

    mutating func take<Store: ReconcileStore>(
        _ response: SketchResponse, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        let id = PullID(namespace: response.namespace, set: response.set)
        guard openRequests[response.request]?.pull == id,
            var open = sketches.open.removeValue(forKey: response.request)
        else { return [] }
        openRequests[response.request] = nil
        pulls[id]?.open -= 1
        switch response.answer {
        case .tooMany(let estimate):
            return try goOnByRanges(id, bulk: estimate > response.count / 2, store)
        case .cells(let first, let cells):
            guard first == open.cells.count else { return try goOnByRanges(id, bulk: false, store) }
            open.cells += cells
        }
        let own = try store.sum(id.namespace, id.set, .all).count
        let sketch = try store.sketch(id.namespace, id.set, size: open.cells.count)
        let difference = SketchDifference(
            sketch.cells[...], open.cells[...], excess: own &- response.count)
        guard let difference else {
            guard !open.isExtended, open.wanted > 0 else {
                return try goOnByRanges(id, bulk: false, store)
            }
            open.isExtended = true
            pulls[id]?.wait(.cells(open))
            return try goOn(store)
        }
        let rows = try pack(difference.onlyA, id, store)
        want(difference.onlyB, id, sends: !rows.isEmpty)
        if !rows.isEmpty {
            isDigestDue = true
            pulls[id]?.isFruitful = true
        }
        return rows.map { .syncDelta($0) } + (try goOn(store))
    }

    /// Gives a sketch up (Spec SYNC-046).
    private mutating func goOnByRanges<Store: ReconcileStore>(
        _ id: PullID, bulk: Bool, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        giveUpSketch(id)
        pulls[id]?.isBySketch = false
        pulls[id]?.isBulk = bulk
        let ranges = try question(about: .all, id, isBulk: bulk, store)
        pulls[id]?.wait(.ranges(ranges))
        return try goOn(store)
    }

    /// Notes that a set is pulled by ranges from now on.
    mutating func giveUpSketch(_ id: PullID) {
        guard sketches.failed.insert(id).inserted else { return }
        report(.sketchFailed(id.namespace, id.set))
    }
}

extension [UInt32] {
    /// The elements without those that repeat the one before.
    fileprivate var withoutRepeats: [UInt32] {
        var list: [UInt32] = []
        list.reserveCapacity(count)
        for element in self where element != list.last { list.append(element) }
        return list
    }
}
