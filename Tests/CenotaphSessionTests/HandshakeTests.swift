import Cenotaph
import CenotaphTesting
import Testing

/// Greeting, blocking and starting afresh (Spec 06, "Session").
@Suite struct HandshakeTests {
    private func expectBlocked(
        _ lone: LoneSession, _ errorClass: ErrorClass, _ rule: Rule,
        _ hello: FrameBody, epoch: ID16 = .zero
    ) throws {
        let answers = try lone.take(hello, epoch: epoch)
        guard case .error(let report)? = answers.first, answers.count == 1 else {
            Issue.record("answers: \(answers)")
            return
        }
        #expect(report.errorClass == errorClass)
        #expect(lone.session.isBlocked)
        #expect(lone.newEvents() == [.blocked(errorClass, rule: rule.rawValue)])
        try expectDeaf(lone)
    }

    /// A blocked session sends and merges no rows, whatever comes (Spec SYNC-012).
    private func expectDeaf(_ lone: LoneSession) throws {
        let before = try lone.summary()
        let delta = Delta(
            namespace: "notes", set: .live, rowType: .causal, rows: [try lone.row("k")])
        var list = RangeList()
        list.append(.all, .items([]))
        let request = ReconcileRequest(request: 1, namespace: "notes", set: .live, ranges: list)
        let bodies: [FrameBody] = [
            .digest(.summary(.zero)), try lone.strangeDigest(), .reconcileRequest(request),
            .reconcileResponse(delta), .syncDelta(delta), lone.hello(), .syncDelta(delta),
            .reconcileRequest(request),
        ]
        for body in bodies {
            for answer in try lone.take(body) {
                guard case .error = answer else {
                    Issue.record("a blocked session said \(answer)")
                    return
                }
            }
        }
        #expect(lone.session.isBlocked)
        #expect(try lone.summary() == before)
        #expect(try lone.tick().isEmpty)
        let row = try lone.row("l")
        #expect(lone.session.localWrites([("notes", row)], epoch: .zero).isEmpty)
    }

    @Test(arguments: [true, false]) func noCommonVersion(_ greeted: Bool) throws {
        for versions: ClosedRange<UInt8> in [2...2, 2...255, 200...201] {
            let lone = try LoneSession(greeted: greeted)
            try expectBlocked(lone, .version, .commonVersion, lone.hello(versions: versions))
        }
    }

    @Test func commonVersions() throws {
        for versions: ClosedRange<UInt8> in [1...1, 1...2, 1...255] {
            let lone = try LoneSession(greeted: false)
            let answers = try lone.take(lone.hello(versions: versions))
            guard case .digest(.summary)? = answers.first else {
                Issue.record("\(versions): \(answers)")
                return
            }
        }
    }

    @Test(arguments: [true, false]) func otherSchema(_ greeted: Bool) throws {
        let lone = try LoneSession(greeted: greeted)
        try expectBlocked(
            lone, .unexpected, .sameSchema, lone.hello(schema: Hash256(1, 1, 1, 1)))
    }

    @Test(arguments: [true, false]) func otherEpoch(_ greeted: Bool) throws {
        let lone = try LoneSession(greeted: greeted)
        try expectBlocked(
            lone, .stale, .sameEpoch, lone.hello(), epoch: ID16(high: 9, low: 9))
    }

    /// Two replicas with different schemas end blocked on both sides, and nothing is exchanged.
    @Test func bothSidesBlock() throws {
        let fleet = try SimulatedFleet(1, for: "bothSidesBlock")
        try fleet.addReplica(schema: Schema { Namespace("notes", .causal) })
        try fleet.put(0, "k", "mine")
        try fleet.put(1, "l", "yours")
        let link = try fleet.connect(0, 1)
        try fleet.drain()
        for _ in 0..<3 { try fleet.round() }
        #expect(link.isBlocked)
        #expect(fleet.traffic.rows == 0)
        #expect(fleet.traffic.frames[.digest] == nil)
        for replica in 0...1 {
            #expect(
                fleet.events.contains {
                    $0.replica == replica
                        && $0.event == .blocked(.unexpected, rule: Rule.sameSchema.rawValue)
                })
        }
        #expect(try fleet.bodies(0, "l").isEmpty)
        #expect(try fleet.bodies(1, "k").isEmpty)
        // Hellos once, errors once a side, and none in answer to an error.
        #expect(fleet.traffic.frames[.hello] == 2)
        #expect(fleet.traffic.frames[.error] == 2)
    }

    /// A hello that was lost is said again, whichever side it was (Spec SYNC-003, "hello once more").
    @Test(arguments: 0..<6) func lostFrames(_ lost: Int) throws {
        let fleet = try SimulatedFleet(2, for: "lostFrames \(lost)")
        try fleet.put(0, "k", "mine")
        try fleet.put(1, "l", "yours")
        let link = try fleet.connect(0, 1)
        fleet.cut(link)
        var sent = 0
        link.carries = { _ in
            defer { sent += 1 }
            return sent != lost
        }
        try fleet.open(link)
        #expect(try fleet.runUntilQuiet(within: 5) <= 4)
        #expect(sent > lost)
        try fleet.expectEqual()
    }

    /// A further hello starts pulls afresh: answers to requests from before it are merged, their claims ignored.
    @Test func helloAgain() throws {
        let lone = try LoneSession()
        let requests = try lone.take(lone.strangeDigest())
        #expect(requests.count == Limits.maxOpenRequests)
        #expect(lone.session.isPulling)
        try lone.greet()
        #expect(!lone.session.isPulling)
        var claims = RangeList()
        claims.append(.all, .fingerprint(.zero))
        let late = Delta(
            request: 1, namespace: "archive", set: .live, rowType: .logEvents, rows: [],
            claims: claims)
        #expect(try lone.take(.reconcileResponse(late)).isEmpty)
        #expect(!lone.session.isPulling)
    }

    /// A challenge is answered in the next hello.
    @Test func challenge() throws {
        let lone = try LoneSession(greeted: false)
        try lone.take(lone.hello(), to: .zero)
        // The peer says that it lacks our hello.
        try lone.take(.error(ErrorReport(WireError(.unexpected, .beforeHello))))
        let answers = try lone.tick()
        guard case .hello(let hello)? = answers.first else {
            Issue.record("\(answers)")
            return
        }
        #expect(hello.answer == ID16(high: 1, low: 1))
        #expect(try lone.tick().count == 1)
    }
}
