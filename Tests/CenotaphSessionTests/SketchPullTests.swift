import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// Two replicas that differ find out by sketch, and by ranges where a sketch does not tell (Spec SYNC-040 to SYNC-049).
@Suite struct SketchPullTests {
    /// Joins the two of a pair and waits until they agree; what is said is recorded.
    private func join(_ fleet: SimulatedFleet, _ rounds: Int = 3) throws -> SimulatedLink {
        fleet.isRecording = true
        fleet.traffic = SimulatedTraffic()
        let link = try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: rounds)
        try fleet.expectEqual()
        return link
    }

    /// The one with the lesser id asks, the other answers with its rows and asks for what it lacks: one round trip.
    @Test func decodedAtOnce() throws {
        let fleet = try SimulatedFleet.pair(rows: 100)
        for number in 0..<3 {
            try fleet.put(0, try Key("a\(number)"), "first")
            try fleet.put(1, try Key("b\(number)"), "second")
        }
        try fleet.put(1, "7", "edited")
        let link = try join(fleet)
        let lesser = fleet.replicas[0].id < fleet.replicas[1].id ? 0 : 1
        let questions = fleet.sketchQuestions
        #expect(questions.count == 2)
        guard case .open(let count, _, let cells)? = questions.first?.question,
            case .rows? = questions.last?.question
        else {
            Issue.record("\(questions)")
            return
        }
        #expect(questions.map(\.sender) == [lesser, 1 - lesser])
        #expect(count == 103)
        #expect(cells.count == 24)
        #expect(fleet.sketchAnswers.isEmpty)
        #expect(fleet.rangeRequests.isEmpty)
        #expect(
            (7...8).contains(fleet.traffic.rows),
            "six new rows, the edited one, and the older state of it if it is still held when it is sent"
        )
        #expect(
            link.counts(of: lesser)?.flights ?? 0 <= 6,
            "hello, summary, digest, the question, its answer, the rows that go back")
        try fleet.expectSilence()
    }

    /// Too many for the opening: cells come, and they tell.
    @Test func cellsAreAskedForAndDecoded() throws {
        let fleet = try SimulatedFleet.pair(rows: 1_000)
        for number in 0..<100 {
            try fleet.put(0, try Key("a\(number)"), "first")
            try fleet.put(1, try Key("b\(number)"), "second")
        }
        _ = try join(fleet)
        guard case .cells(let first, let cells)? = fleet.sketchAnswers.first else {
            Issue.record("seed \(fleet.random.seed): \(fleet.sketchAnswers)")
            return
        }
        #expect(first == 0)
        #expect(cells.count >= 48 + 100)
        #expect(fleet.sketchAnswers.count <= 2)
        #expect(fleet.rangeRequests.isEmpty, "seed \(fleet.random.seed)")
        #expect(!fleet.hasFailedSketch)
        #expect(fleet.traffic.rows == 200)
    }

    /// Nothing in common: the sketch is given up at once, and both ask for everything, a part at a time.
    @Test func tooManyDifferences() throws {
        let fleet = try SimulatedFleet(2, for: "tooManyDifferences")
        for replica in 0...1 {
            try fleet.write(replica) { tx in
                for number in 0..<600 {
                    let body = [UInt8](repeating: UInt8(replica), count: 8_000)
                    try tx.put("notes", Key("\(replica) \(number)"), body)
                }
            }
        }
        _ = try join(fleet)
        #expect(
            fleet.sketchAnswers.contains { if case .tooMany = $0 { true } else { false } })
        #expect(fleet.hasFailedSketch)
        for side in 0...1 {
            let asked = fleet.rangeRequests.filter { $0.sender == side && $0.request.set == .live }
            #expect(asked.count >= 2, "what was not answered is asked for again")
            let modes = asked.flatMap { $0.request.ranges.entries.map(\.content.mode) }
            #expect(modes.contains(5) && Set(modes).isSubset(of: [0, 5]), "\(modes)")
        }
        #expect(fleet.sketchQuestions.count == 1)
    }

    /// A peer that does not say the bit is asked by ranges, whichever of the two it is.
    @Test(arguments: 0...1) func aPeerWithoutSketches(_ without: Int) throws {
        let fleet = try SimulatedFleet.pair(rows: 100)
        fleet.takesSketches = { $0 != without }
        try fleet.put(0, "a", "first")
        try fleet.put(1, "b", "second")
        _ = try join(fleet)
        #expect(fleet.traffic.frames[.sketchRequest] == nil)
        #expect(fleet.traffic.frames[.sketchResponse] == nil)
        #expect(!fleet.rangeRequests.isEmpty)
        let modes = fleet.rangeRequests.flatMap { $0.request.ranges.entries.map(\.content.mode) }
        #expect(!modes.contains(5))
    }

    /// Few rows are told by ranges in as many steps.
    @Test func fewRows() throws {
        let fleet = try SimulatedFleet.pair(rows: 16)
        try fleet.put(1, "b", "second")
        _ = try join(fleet)
        #expect(fleet.sketchQuestions.isEmpty)
    }

    /// Twenty thousand deletes that both know cost nothing; one more costs about a row.
    @Test func tombstones() throws {
        let fleet = try SimulatedFleet.pair(rows: 40)
        try fleet.share(1_000..<21_000, bodyBytes: nil)
        let link = try join(fleet)
        #expect(fleet.traffic.rows == 0)
        #expect(fleet.sketchQuestions.isEmpty)
        #expect(fleet.rangeRequests.isEmpty)
        fleet.cut(link)
        // A live row more: no word about the tombstones.
        fleet.recorded = []
        try fleet.put(0, "new", "body")
        fleet.cut(try join(fleet))
        #expect(fleet.traffic.rows == 1)
        #expect(
            fleet.said.allSatisfy { _, body in
                if case .sketchRequest(let request) = body { request.set == .live } else { true }
            })
        fleet.recorded = []
        try fleet.write(1) { _ = try $0.delete("notes", "7") }
        _ = try join(fleet)
        #expect(fleet.traffic.rows <= 2, "the tombstone, and the row that it replaces")
        #expect(fleet.rangeRequests.isEmpty)
        #expect(fleet.traffic.bytes < 6_000)
        #expect(try fleet.bodies(0, "7").isEmpty)
    }

    /// Reconciling by sketch, by ranges, and with one of each, over good and bad links, ends in one state.
    @Test func theSameStateByEveryWay() throws {
        var seeds = SeededRandom(for: "theSameStateByEveryWay")
        for _ in 0..<Environment.schedules(or: 6) {
            let seed = seeds.next()
            var ends: [[NamespaceDigest]] = []
            let bad = LinkFaults(drop: 0.1, duplicate: 0.2, reorder: 0.4, delay: 0.1)
            for (ways, faults) in [
                ([true, true], LinkFaults.none), ([true, true], bad), ([false, false], .none),
                ([true, false], bad), ([true, true], .hostile),
            ] {
                let fleet = try SimulatedFleet(
                    2, schema: allPolicies, random: SeededRandom(seed: seed))
                try fleet.share(0..<60)
                try fleet.share(100..<130, bodyBytes: nil)
                var generator = OperationGenerator(schema: allPolicies)
                for _ in 0..<80 {
                    let operation = generator.next(using: &fleet.random)
                    try fleet.write(fleet.random.below(2)) { try operation.apply(to: $0) }
                }
                fleet.takesSketches = { ways[$0] }
                try fleet.connectAll(faults: faults)
                try fleet.runUntilQuiet(within: 200)
                try fleet.expectEqual()
                let digests = try fleet.replicas[0].digests()
                ends.append(digests)
                let isSketched = fleet.traffic.frames[.sketchRequest] != nil
                #expect(isSketched == (ways == [true, true]), "seed \(seed)")
            }
            #expect(ends.allSatisfy { $0 == ends[0] }, "seed \(seed)")
        }
    }

    /// Every frame of an exchange by sketch is lost once; each time the peers agree all the same.
    @Test func eachFrameIsLostOnce() throws {
        for lost in 0..<40 {
            let fleet = try SimulatedFleet.pair(rows: 80)
            for number in 0..<25 {
                try fleet.put(0, try Key("a\(number)"), "first")
                try fleet.put(1, try Key("b\(number)"), "second")
            }
            let link = try fleet.connect(0, 1)
            var sent = 0
            link.carries = { _ in
                defer { sent += 1 }
                return sent != lost
            }
            try fleet.runUntilQuiet(within: 6)
            try fleet.expectEqual()
            guard sent > lost else { return }
        }
        Issue.record("an exchange has fewer frames")
    }

    /// Everything that was said comes again, in another order: nothing changes and nothing follows.
    @Test func framesThatComeAgain() throws {
        let fleet = try SimulatedFleet.pair(rows: 200)
        for number in 0..<60 {
            try fleet.put(0, try Key("a\(number)"), "first")
            try fleet.put(1, try Key("b\(number)"), "second")
        }
        _ = try join(fleet)
        let before = try fleet.replicas.map { try $0.digests() }
        fleet.isRecording = false
        for frame in fleet.recorded.shuffled(using: &fleet.random) { try fleet.redeliver(frame) }
        try fleet.runUntilQuiet(within: 4)
        #expect(try fleet.replicas.map { try $0.digests() } == before)
    }
}
