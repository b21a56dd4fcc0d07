import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// What one session asks and answers about sketches, its peer being the test (Spec SYNC-041 to SYNC-048).
@Suite struct SketchRuleTests {
    private func filled(_ count: Int = 100, peerIsGreater: Bool = true) throws -> LoneSession {
        let lone = try LoneSession(sketches: true, peerIsGreater: peerIsGreater)
        try lone.fill(count)
        return lone
    }

    /// Starts a pull by sketch and gives the number of the request.
    private func opened(_ lone: LoneSession, theirs: UInt64) throws -> UInt64 {
        let sent = lone.sketchRequests(try lone.take(lone.differingDigest(count: theirs)))
        guard sent.count == 1, case .open = sent[0].question else {
            throw WireError(.unexpected, .openRequests)
        }
        return sent[0].request
    }

    @Test func whoOpens() throws {
        let first = try filled(peerIsGreater: true)
        let sent = try first.take(first.differingDigest(count: 90))
        #expect(sent.count == 1)
        guard
            case .open(let count, let counters, let cells)? = first.sketchRequests(sent).first?
                .question
        else {
            Issue.record("\(sent)")
            return
        }
        let own = try first.sketch(size: 24)
        #expect(count == 100)
        #expect(cells == own.cells)
        #expect(counters == own.counters)
        let second = try filled(peerIsGreater: false)
        #expect(try second.take(second.differingDigest(count: 90)).isEmpty)
        #expect(!second.session.isPulling)
    }

    /// The one that waits asks by ranges after its next timer, or as soon as the peer asks so.
    @Test func whoWaitsDoesNotWaitForEver() throws {
        let lone = try filled(peerIsGreater: false)
        let digest = try lone.differingDigest(count: 90)
        for _ in 0..<3 { #expect(try lone.take(digest).isEmpty) }
        #expect(try lone.tick().count == 1)
        #expect(lone.rangeRequests(try lone.take(digest)).count == 1)
        let other = try filled(peerIsGreater: false)
        #expect(try other.take(digest).isEmpty)
        var ranges = RangeList()
        ranges.append(.all, .fingerprint(.zero))
        let asked = FrameBody.reconcileRequest(
            ReconcileRequest(request: 9, namespace: "notes", set: .live, ranges: ranges))
        #expect(other.rangeRequests(try other.take(asked)).count == 1)
        #expect(other.session.isPulling)
    }

    /// Cells that were too few for the peer: it goes on by ranges, and so does the one that told them.
    @Test func whoToldTooFewCellsAsksByRanges() throws {
        let lone = try filled(peerIsGreater: false)
        #expect(try lone.take(lone.differingDigest(count: 110)).isEmpty)
        let theirs = try lone.sketch(with: LoneSession.ids(12), size: 4)
        let told = try lone.take(
            lone.ask(.open(count: 112, counters: theirs.counters, cells: theirs.cells)))
        guard case .sketchResponse(let answer)? = told.first, case .cells = answer.answer,
            told.count == 1
        else {
            Issue.record("\(told)")
            return
        }
        var ranges = RangeList()
        ranges.append(.all, .fingerprint(.zero))
        let asked = FrameBody.reconcileRequest(
            ReconcileRequest(request: 9, namespace: "notes", set: .live, ranges: ranges))
        #expect(lone.rangeRequests(try lone.take(asked)).count == 1)
        #expect(lone.rangeRequests(try lone.take(asked)).isEmpty)
    }

    /// Rows by four bytes of their ids, and no others.
    @Test func rowsByID() throws {
        let lone = try filled()
        let (key, leaf) = try lone.gate.read { snapshot in
            let key: Key = "own 7"
            return (
                try snapshot.key(of: "notes").place(of: key),
                try #require(try snapshot.leaf("notes", .live, key))
            )
        }
        let id = RowID(place: key, leaf: leaf)
        let wanted = [id.prefix, id.prefix ^ 1, id.prefix ^ 0x100].sorted()
        let answers = try lone.take(lone.ask(.rows(wanted)))
        guard case .reconcileResponse(let delta)? = answers.first, answers.count == 1 else {
            Issue.record("\(answers)")
            return
        }
        #expect(delta.rows.map(\.key) == ["own 7"])
        #expect(delta.last)
    }

    /// More cells are asked for once, from where the others end, and all are taken together.
    @Test func moreCellsThatTell() throws {
        let lone = try filled()
        let theirs = LoneSession.ids(12)
        let sketch = try lone.sketch(with: theirs, size: 200)
        let own = try lone.sketch(size: 200)
        // As many cells as do not tell, whose double does.
        let size = try #require(
            (4..<100).first { size in
                let tells = [size, 2 * size].map { count in
                    SketchDifference(
                        own.cells[..<count], sketch.cells[..<count], excess: 0 &- 12) != nil
                }
                return tells == [false, true]
            })
        let request = try opened(lone, theirs: 112)
        let more = lone.sketchRequests(
            try lone.take(
                lone.reply(
                    .cells(first: 0, Array(sketch.cells[..<size])), to: request, count: 112)))
        #expect(more.map(\.question) == [.more(first: size, wanted: size)])
        let wanted = lone.sketchRequests(
            try lone.take(
                lone.reply(
                    .cells(first: size, Array(sketch.cells[size..<(2 * size)])),
                    to: try #require(more.first).request, count: 112)))
        #expect(wanted.map(\.question) == [.rows(theirs.sorted().map(\.prefix))])
        #expect(lone.newEvents().isEmpty)
    }

    /// Cells that tell nothing twice: that is reported, and ranges go on, in the next round, too.
    @Test func aSketchThatFails() throws {
        let lone = try filled()
        let before = try lone.summary()
        let noise = LoneSession.ids(64).map { SketchCell(ids: $0.number, checks: 1, number: 1) }
        let request = try opened(lone, theirs: 150)
        let more = lone.sketchRequests(
            try lone.take(lone.reply(.cells(first: 0, noise), to: request, count: 150)))
        #expect(more.map(\.question) == [.more(first: 64, wanted: 64)])
        let ranges = lone.rangeRequests(
            try lone.take(
                lone.reply(
                    .cells(first: 64, noise), to: try #require(more.first).request, count: 150)))
        #expect(ranges.count == 1)
        #expect(ranges[0].ranges.entries.allSatisfy { $0.content.mode == 1 })
        #expect(lone.newEvents() == [.sketchFailed("notes", .live)])
        // The next round goes by ranges at once.
        _ = try lone.tick()
        let again = try lone.take(lone.differingDigest(count: 150))
        #expect(lone.sketchRequests(again).isEmpty)
        #expect(lone.rangeRequests(again).count == 1)
        #expect(lone.newEvents().isEmpty)
        #expect(try lone.summary() == before)
    }

    /// "Too many" leads to ranges; where it is most of the peer's rows, to all of them, again where they end early.
    @Test(arguments: [(40, 1), (80, 5)] as [(UInt64, UInt8)])
    func tooMany(_ estimate: UInt64, _ mode: UInt8) throws {
        let lone = try filled()
        let request = try opened(lone, theirs: 100)
        let asked = lone.rangeRequests(
            try lone.take(lone.reply(.tooMany(estimate: estimate), to: request, count: 100)))
        #expect(asked.count == 1)
        #expect(asked[0].ranges.entries.allSatisfy { $0.content.mode == mode })
        #expect(lone.newEvents() == [.sketchFailed("notes", .live)])
        guard mode == 5 else { return }
        var claims = RangeList()
        claims.append(KeyRange(from: "k"), .unanswered)
        let next = lone.rangeRequests(
            try lone.take(
                .reconcileResponse(
                    Delta(
                        request: asked[0].request, part: 0, last: true, namespace: "notes",
                        set: .live, rowType: .causal, rows: [try lone.row("j")], claims: claims))))
        #expect(next.count == 1)
        #expect(next[0].ranges.entries.map(\.content.mode) == [0, 5])
        #expect(next[0].ranges.entries.last?.high == nil)
    }

    /// A pull that brought nothing new is no failure: what differed may be gone, or said already.
    @Test func aFruitlessSketch() throws {
        let lone = try filled()
        let request = try opened(lone, theirs: 101)
        let theirs = LoneSession.ids(1)
        let sketch = try lone.sketch(with: theirs, size: 60)
        let wanted = lone.sketchRequests(
            try lone.take(
                lone.reply(.cells(first: 0, sketch.cells), to: request, count: 101)))
        #expect(wanted.count == 1)
        let empty = Delta(
            request: try #require(wanted.first).request, part: 0, last: true, namespace: "notes",
            set: .live, rowType: .causal, rows: [], claims: RangeList())
        #expect(try lone.take(.reconcileResponse(empty)).isEmpty)
        #expect(lone.newEvents().isEmpty)
        #expect(
            lone.sketchRequests(try lone.take(lone.differingDigest(count: 101))).count == 1)
    }

    /// Equal ids under different fingerprints: the one asked says so, and both go on by ranges; that is no failure.
    @Test func equalIDs() throws {
        let asked = try filled(peerIsGreater: false)
        let own = try asked.sketch(size: 24)
        let answers = try asked.take(
            asked.ask(.open(count: 100, counters: own.counters, cells: own.cells)))
        #expect(answers.count == 2)
        #expect(answers.first == asked.reply(.tooMany(estimate: 0), to: 1, count: 100))
        #expect(asked.rangeRequests(answers).count == 1)
        #expect(asked.newEvents().isEmpty)
        let asking = try filled()
        let request = try opened(asking, theirs: 100)
        let next = asking.rangeRequests(
            try asking.take(asking.reply(.tooMany(estimate: 0), to: request, count: 100)))
        #expect(next.count == 1)
        #expect(next[0].ranges.entries.allSatisfy { $0.content.mode == 1 })
        #expect(asking.newEvents().isEmpty)
        _ = try asking.tick()
        #expect(try opened(asking, theirs: 100) > request)
    }

    /// A set whose sketch failed is pulled by ranges until both hold the same, as a digest or a summary says.
    @Test(arguments: [true, false]) func sketchesComeBack(_ bySummary: Bool) throws {
        let lone = try filled()
        let request = try opened(lone, theirs: 150)
        _ = try lone.take(lone.reply(.tooMany(estimate: 40), to: request, count: 150))
        #expect(lone.newEvents() == [.sketchFailed("notes", .live)])
        _ = try lone.tick()
        let byRanges = try lone.take(lone.differingDigest(count: 150))
        #expect(lone.rangeRequests(byRanges).count == 1)
        _ = try lone.tick()
        let equal: FrameBody =
            bySummary
            ? .digest(.summary(try lone.summary()))
            : .digest(.full(try lone.gate.read { $0.digests }))
        _ = try lone.take(equal)
        #expect(lone.newEvents() == [.agreed])
        _ = try opened(lone, theirs: 150)
    }

    /// What was waited for and came by another way is not pulled by ranges afterwards.
    @Test func whoWaitedInVain() throws {
        let lone = try filled(peerIsGreater: false)
        #expect(try lone.take(lone.differingDigest(count: 90)).isEmpty)
        _ = try lone.take(.digest(.summary(try lone.summary())))
        _ = try lone.tick()
        #expect(try lone.take(lone.differingDigest(count: 90)).isEmpty)
    }

    /// Claims in an answer to a sketch were not asked for (Spec SYNC-027).
    @Test func claimsInAnAnswerToASketch() throws {
        let lone = try filled()
        let request = try opened(lone, theirs: 101)
        var claims = RangeList()
        claims.append(.all, .fingerprint(.zero))
        let answer = Delta(
            request: request, part: 0, last: true, namespace: "notes", set: .live,
            rowType: .causal, rows: [try lone.row("new")], claims: claims)
        let sent = try lone.take(.reconcileResponse(answer))
        #expect(lone.rangeRequests(sent).isEmpty)
        #expect(try lone.count() == 101)
        #expect(!lone.session.isPulling)
    }
}
