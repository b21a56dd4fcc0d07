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
    /// The sets that are pulled by ranges until both sides hold the same (Spec SYNC-041).
    var failed: Set<PullID> = []

    /// Both sides hold the same of a set.
    mutating func becameEqual(_ id: PullID) {
        awaited.remove(id)
        told.remove(id)
        failed.remove(id)
    }

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

    /// Lets the pull of a set ask for rows of the peer's, for which some wait here.
    private mutating func want(_ rows: [RowID], _ id: PullID, _ held: HeldRows) {
        let prefixes = rows.map(\.prefix).withoutRepeats
        guard !prefixes.isEmpty else { return }
        var pull = pulls[id] ?? Pull()
        pull.wait(.rows(prefixes, held))
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
        let sketch = try store.sketch(id.namespace, id.set, size: cells.count)
        let answer = SketchAnswer(
            own: (sketch.cells, sketch.counters, own), theirs: (cells, counters, count))
        switch answer {
        case .rows(let difference):
            let rows = try exchange(difference, id, request: request, store)
            return rows.map { .reconcileResponse($0) } + (try nextRequests(id, store))
        case .equal:
            // If the sets are not, two versions of a row have one id.
            return [response(request, id, own, .tooMany(estimate: 0))]
                + (try startPull(id, store))
        case .cells(let size):
            let longer = try store.sketch(id.namespace, id.set, size: size)
            sketches.told.insert(id)
            return [response(request, id, own, .cells(first: 0, longer.cells))]
        case .tooMany(let estimate):
            noteFailure(id)
            return [response(request, id, own, .tooMany(estimate: estimate))]
                + (try startPull(id, bulk: estimate > count / 2, store))
        }
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

    /// Takes a difference that a sketch told: asks for the rows that only the peer has, and gives those to send.
    private mutating func exchange<Store: ReconcileStore>(
        _ difference: SketchDifference, _ id: PullID, request: UInt64 = 0, _ store: Store
    ) throws(Store.Failure) -> [Delta] {
        var sent = difference.onlyA
        // A peer may ask by sketch without end; what is left out is found by the next round (Spec SYNC-047).
        if waitingBytes < Session.maxWaiting {
            let held = try rowsToHold(difference, id, store)
            sent.removeAll { held.own.contains($0) }
            want(difference.onlyB, id, held)
        }
        return try pack(sent, id, request: request, store)
    }

    /// Sends the rows held back that the peer lacks still, now that its own have come (Spec SYNC-050).
    mutating func release<Store: ReconcileStore>(
        _ held: HeldRows, _ id: PullID, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        let lacking = try rowsToSend(held, id, store)
        guard !lacking.isEmpty else { return [] }
        isDigestDue = true
        return try pack(lacking, id, store).map { .syncDelta($0) }
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
        hasProgressed = true
        switch response.answer {
        case .tooMany(estimate: 0): return try goOnByRanges(id, bulk: false, store)
        case .tooMany(let estimate):
            return try giveUp(id, bulk: estimate > response.count / 2, store)
        case .cells(let first, let cells):
            guard first == open.cells.count else { return try giveUp(id, store) }
            open.cells += cells
        }
        let own = try store.sum(id.namespace, id.set, .all).count
        let sketch = try store.sketch(id.namespace, id.set, size: open.cells.count)
        let difference = SketchDifference(
            sketch.cells[...], open.cells[...], own, response.count)
        guard let difference else {
            guard !open.isExtended, open.wanted > 0 else { return try giveUp(id, store) }
            open.isExtended = true
            pulls[id]?.wait(.cells(open))
            return try goOn(store)
        }
        let rows = try exchange(difference, id, store)
        if !rows.isEmpty { isDigestDue = true }
        return rows.map { .syncDelta($0) } + (try goOn(store))
    }

    /// Gives a sketch up (Spec SYNC-046).
    private mutating func giveUp<Store: ReconcileStore>(
        _ id: PullID, bulk: Bool = false, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        noteFailure(id)
        return try goOnByRanges(id, bulk: bulk, store)
    }

    private mutating func goOnByRanges<Store: ReconcileStore>(
        _ id: PullID, bulk: Bool, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        pulls[id]?.isBulk = bulk
        let ranges = try question(about: .all, id, isBulk: bulk, store)
        pulls[id]?.wait(.ranges(ranges))
        return try goOn(store)
    }

    /// Notes that a set is pulled by ranges for a while (Spec SYNC-046, SYNC-048).
    private mutating func noteFailure(_ id: PullID) {
        guard sketches.failed.insert(id).inserted else { return }
        report(.sketchFailed(id.namespace, id.set))
    }
}

extension [UInt32] {
    /// The elements without those that repeat the one before.
    var withoutRepeats: [UInt32] {
        var list: [UInt32] = []
        list.reserveCapacity(count)
        for element in self where element != list.last { list.append(element) }
        return list
    }
}
