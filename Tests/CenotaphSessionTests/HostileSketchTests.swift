import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// A member that lies in sketches: the state stays, memory stays bounded, what is wrong is named, and it ends.
@Suite struct HostileSketchTests {
    private func filled(
        sketches: Bool = true, peerIsGreater: Bool = true
    ) throws -> LoneSession {
        let lone = try LoneSession(sketches: sketches, peerIsGreater: peerIsGreater)
        try lone.fill(100)
        return lone
    }

    private func opening(_ sketch: Sketch, count: UInt64) -> SketchRequest.Question {
        .open(count: count, counters: sketch.counters, cells: sketch.cells)
    }

    /// A link on which an end has not said the bit: the frames are dropped, and the rule is named.
    @Test(arguments: [true, false]) func withoutTheBit(_ peerSaidIt: Bool) throws {
        let lone = try filled(sketches: peerSaidIt)
        if peerSaidIt {
            // This end does not take sketches.
            let identity = SessionIdentity(
                replica: lone.gate.replica, incarnation: lone.gate.incarnation,
                schema: lone.gate.schemaFingerprint)
            lone.session = Session(identity, takesSketches: false)
            let hello = lone.session.start(challenge: .zero, epoch: .zero)
            guard case .hello(let said)? = hello.first?.body else {
                Issue.record("\(hello)")
                return
            }
            #expect(said.capabilities == 0)
            try lone.greet()
        }
        let before = try lone.summary()
        let refusal = WireError(.unexpected, .sketchesSpoken)
        let frames = [
            lone.ask(opening(try lone.sketch(size: 24), count: 5)), lone.ask(.rows([1])),
            lone.ask(.more(first: 0, wanted: 10)),
            lone.reply(.tooMany(estimate: 1), to: 1, count: 1),
            lone.reply(.cells(first: 0, [.zero]), to: 1, count: 1),
        ]
        for frame in frames {
            guard case .error(let error)? = try lone.take(frame).first else {
                Issue.record("not refused: \(frame)")
                continue
            }
            #expect(error.rule == "SYNC-049")
            #expect(lone.newEvents() == [.dropped(refusal)])
        }
        // The digest is answered by ranges.
        let asked = try lone.take(lone.differingDigest(count: 90))
        #expect(lone.rangeRequests(asked).count == 1)
        #expect(lone.sketchRequests(asked).isEmpty)
        #expect(try lone.summary() == before)
    }

    @Test func unknownNamespaces() throws {
        let lone = try filled()
        let before = try lone.summary()
        for question in [
            opening(try lone.sketch(size: 24), count: 5), .rows([1]), .more(first: 0, wanted: 1),
        ] {
            guard case .error(let error)? = try lone.take(lone.ask(question, of: "strange")).first
            else {
                Issue.record("not refused")
                continue
            }
            #expect(error.rule == "SYNC-005")
            #expect(lone.newEvents() == [.dropped(WireError(.unexpected, .namespaceKnown))])
        }
        #expect(try lone.summary() == before)
    }

    /// Counts and counters that have nothing to do with the cells: an answer of bounded size, and nothing else.
    @Test func lyingCounts() throws {
        let lone = try filled()
        let before = try lone.summary()
        let sketch = try lone.sketch(with: LoneSession.ids(3), size: 24)
        let counters: [[UInt8]] = [
            sketch.counters, [UInt8](repeating: 128, count: 128),
            [UInt8](repeating: 255, count: 128),
        ]
        var request: UInt64 = 0
        for count in [0, 1, 17, 100, 102, .max, .max - 3] as [UInt64] {
            for counters in counters {
                request += 1
                let question = SketchRequest.Question.open(
                    count: count, counters: counters, cells: sketch.cells)
                for answer in try lone.take(lone.ask(question, request: request)) {
                    switch answer {
                    case .sketchResponse(let response):
                        #expect(response.count == 100)
                        if case .cells(let first, let cells) = response.answer {
                            #expect(first == 0 && cells.count <= Limits.maxCells)
                        }
                    case .reconcileRequest: break
                    default: Issue.record("count \(count): \(answer)")
                    }
                }
            }
        }
        #expect(try lone.summary() == before)
        #expect(!lone.session.isAgreed)
    }

    /// Questions for more cells without end are answered one by one and keep nothing; behind a congested link they
    /// wait, and then the link is cut.
    @Test func endlessMore() throws {
        let lone = try filled()
        let before = try lone.summary()
        for request in UInt64(1)...20 {
            let answers = try lone.take(
                lone.ask(.more(first: 1, wanted: Limits.maxCells - 1), request: request))
            guard answers.count == 1, case .sketchResponse(let response)? = answers.first,
                case .cells(1, let cells) = response.answer
            else {
                Issue.record("\(answers.count) answers")
                return
            }
            #expect(cells.count == Limits.maxCells - 1)
            #expect(lone.session.waitingBytes == 0)
        }
        lone.session.isCongested = true
        var asked = 0
        while !lone.session.isFlooded, asked < 1_000 {
            asked += 1
            #expect(try lone.take(lone.ask(.more(first: 0, wanted: 1))).isEmpty)
        }
        #expect(asked == Session.maxWaitingRequests + 1)
        #expect(try lone.summary() == before)
    }

    /// Openings without end, each of which says that the peer has rows that are not here: few requests go out, and
    /// what waits stays bounded.
    @Test func openingsWithoutEnd() throws {
        let lone = try filled()
        let before = try lone.summary()
        var sent = 0
        for round in UInt64(0)..<300 {
            let ids = LoneSession.ids(1_000, from: 1 + round * 1_000)
            let sketch = try lone.sketch(with: ids, size: 4_000)
            let answers = try lone.take(
                lone.ask(opening(sketch, count: 1_100), request: round + 1))
            sent += lone.sketchRequests(answers).count
            #expect(lone.rangeRequests(answers).isEmpty)
        }
        #expect(sent <= Limits.maxOpenRequests)
        #expect(lone.session.waitingBytes <= 2 * Limits.maxAnswer + 65_536)
        #expect(try lone.summary() == before)
        // A peer that goes on answering with nothing new comes to an end (Spec SYNC-028).
        var open = Array(UInt64(1)...UInt64(sent))
        var answered = 0
        while let request = open.popLast(), answered < 2_000 {
            answered += 1
            let empty = Delta(
                request: request, part: 0, last: true, namespace: "notes", set: .live,
                rowType: .causal, rows: [], claims: RangeList())
            open += lone.sketchRequests(try lone.take(.reconcileResponse(empty))).map(\.request)
        }
        #expect(answered <= Limits.maxRequestsPerPull)
        #expect(!lone.session.isPulling)
        #expect(lone.session.waitingBytes == 0)
    }

    /// Answers that were not asked for, come twice, begin elsewhere, or are about another set.
    @Test func answersOutOfPlace() throws {
        let lone = try filled()
        let before = try lone.summary()
        let sketch = try lone.sketch(with: LoneSession.ids(5), size: 60)
        let cells = lone.reply(.cells(first: 0, sketch.cells), to: 1, count: 105)
        #expect(try lone.take(cells).isEmpty, "nothing was asked")
        let asked = lone.sketchRequests(try lone.take(lone.differingDigest(count: 105)))
        let request = try #require(asked.first).request
        #expect(
            try lone.take(lone.reply(.tooMany(estimate: 9), to: request + 7, count: 105)).isEmpty)
        let other = SketchResponse(
            request: request, namespace: "notes", set: .tombstones, count: 105,
            .cells(first: 0, sketch.cells))
        #expect(try lone.take(.sketchResponse(other)).isEmpty)
        let good = lone.reply(.cells(first: 0, sketch.cells), to: request, count: 105)
        #expect(lone.sketchRequests(try lone.take(good)).count == 1)
        for _ in 0..<3 { #expect(try lone.take(good).isEmpty) }
        #expect(lone.newEvents().isEmpty)
        // Cells that begin elsewhere than asked: the sketch has failed.
        let second = try filled()
        let next = lone.sketchRequests(try second.take(second.differingDigest(count: 105)))
        let moved = second.reply(
            .cells(first: 5, sketch.cells), to: try #require(next.first).request, count: 105)
        #expect(second.rangeRequests(try second.take(moved)).count == 1)
        #expect(second.newEvents() == [.sketchFailed("notes", .live)])
        #expect(try lone.summary() == before)
    }

    /// Ids of rows that are not here, and every id there is: only rows that are here are sent.
    @Test func rowsThatAreNotHere() throws {
        let lone = try filled()
        let prefixes = (0..<UInt32(20_000)).map { $0 &* 200_000 }
        let answers = try lone.take(lone.ask(.rows(prefixes)))
        for answer in answers {
            guard case .reconcileResponse(let delta) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(delta.rows.allSatisfy { $0.key.bytes.starts(with: Array("own".utf8)) })
        }
        #expect(answers.count >= 1)
    }

    /// Random sketch frames: the state never changes, and nothing grows beyond its bound.
    @Test func randomFrames() throws {
        var random = SeededRandom(for: "randomFrames")
        for peerIsGreater in [true, false] {
            let lone = try filled(peerIsGreater: peerIsGreater)
            let before = try lone.summary()
            for number in 0..<400 {
                let size = 1 + random.below(80)
                var sketch = try lone.sketch(
                    with: LoneSession.ids(random.below(60), from: random.next()), size: size)
                if random.chance(0.3) { sketch = Sketch(size: size) }
                let request = UInt64(1 + random.below(8))
                let count = random.chance(0.5) ? UInt64(random.below(200)) : random.next()
                let frame: FrameBody =
                    switch random.below(7) {
                    case 0: lone.ask(opening(sketch, count: count), request: request)
                    case 1: lone.ask(.more(first: random.below(99), wanted: size), request: request)
                    case 2: lone.ask(.rows([UInt32(truncatingIfNeeded: random.next())]))
                    case 3: lone.reply(.tooMany(estimate: count), to: request, count: count)
                    case 4, 5:
                        lone.reply(
                            .cells(first: random.below(3) * 24, sketch.cells), to: request,
                            count: count)
                    default: try lone.differingDigest(count: count)
                    }
                for answer in try lone.take(frame) {
                    if case .error(let error) = answer {
                        Issue.record("seed \(random.seed), frame \(number): \(error)")
                    }
                }
                if random.chance(0.05) { _ = try lone.tick() }
                #expect(lone.session.waitingBytes <= 2 * Limits.maxAnswer + 65_536)
            }
            #expect(try lone.summary() == before, "seed \(random.seed)")
        }
    }
}
