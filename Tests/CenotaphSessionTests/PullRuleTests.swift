import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// What is asked after which claim, and when a pull ends with a digest (Spec SYNC-020 to SYNC-027).
@Suite struct PullRuleTests {
    /// A session that pulls the live set of `notes` alone, and its first request.
    private func pulling(_ lone: LoneSession) throws -> ReconcileRequest {
        var digests = try lone.gate.read { $0.digests }
        for index in digests.indices where digests[index].name == "notes" {
            digests[index].live = SetDigest(count: 9, fingerprint: Hash256(1, 2, 3, 4))
        }
        let answers = try lone.take(.digest(.full(digests)))
        guard case .reconcileRequest(let request)? = answers.first, answers.count == 1 else {
            throw WireError(.unexpected, .openRequests)
        }
        return request
    }

    private func answer(
        _ request: ReconcileRequest, part: UInt64 = 0, last: Bool = true, rows: [Row] = [],
        _ claims: (KeyRange, RangeContent)...
    ) -> FrameBody {
        var list = RangeList()
        for (range, content) in claims { list.append(range, content) }
        return .reconcileResponse(
            Delta(
                request: request.request, part: part, last: last, namespace: "notes", set: .live,
                rowType: .causal, rows: rows, claims: list))
    }

    private func filled(_ count: UInt8) throws -> LoneSession {
        let lone = try LoneSession()
        _ = try lone.gate.write { transaction in
            for number in 0..<count { try transaction.put("notes", Key([number]), [number]) }
        }
        return lone
    }

    private func requests(_ bodies: [FrameBody]) -> [ReconcileRequest] {
        bodies.compactMap { if case .reconcileRequest(let request) = $0 { request } else { nil } }
    }

    /// The first request describes the set over all keys: items up to sixteen rows, else sixteen fingerprints.
    @Test(arguments: [0, 1, 16, 17, 200] as [UInt8]) func firstRequest(_ count: UInt8) throws {
        let request = try pulling(filled(count))
        let entries = request.ranges.entries
        #expect(entries.last?.high == nil)
        if count <= 16 {
            guard case .items(let items)? = entries.first?.content else {
                Issue.record("\(entries)")
                return
            }
            #expect(entries.count == 1)
            #expect(items.count == Int(count))
        } else {
            #expect(entries.count == 16)
            #expect(entries.allSatisfy { $0.content.mode == 1 })
        }
    }

    @Test func whatIsAskedAfterWhichClaim() throws {
        let lone = try filled(40)
        let middle = KeyRange(from: try Key([10]), to: try Key([15]))
        let own = try lone.gate.read { snapshot in
            try snapshot.sum("notes", .live, middle).fingerprint(.live, snapshot.key(of: "notes"))
        }
        let tag = try #require(
            try lone.gate.read { try $0.leaf("notes", .live, Key([20])) }?.tag)
        let request = try pulling(lone)
        let next = requests(
            try lone.take(
                answer(
                    request,
                    (KeyRange(to: try Key([5])), .fingerprint(.zero)),
                    (middle, .fingerprint(own.tag)),
                    (
                        KeyRange(from: try Key([20]), to: try Key([30])),
                        .items([
                            RangeItem(key: try Key([20]), tag: tag),
                            RangeItem(key: try Key([21]), tag: .zero),
                            RangeItem(key: try Key([21, 1]), tag: .zero),
                        ])
                    ), (KeyRange(from: try Key([38])), .unanswered))))
        #expect(next.count == 1)
        let ranges = try #require(next.first).ranges.ranges
        #expect(ranges.map(\.range.low) == [nil, try Key([20]), try Key([38])])
        #expect(ranges.map(\.range.high) == [try Key([5]), try Key([30]), nil])
        // Another fingerprint: one's own description. Items: those that are missing or differ. Unanswered: afresh.
        #expect(ranges.map(\.content.mode) == [2, 3, 2])
        #expect(ranges[1].content == .keys([try Key([21]), try Key([21, 1])]))
    }

    /// The claims of a part that came before are ignored; its rows are merged again (Spec SYNC-026).
    @Test func aPartThatComesTwice() throws {
        let lone = try filled(40)
        let request = try pulling(lone)
        let row = try lone.row("new")
        let part = answer(
            request, last: false, rows: [row], (KeyRange(to: try Key([5])), .fingerprint(.zero)))
        #expect(requests(try lone.take(part)).count == 1)
        #expect(requests(try lone.take(part)).isEmpty)
        #expect(requests(try lone.take(part)).isEmpty)
        #expect(lone.session.counts.rowsReceived == 3)
        #expect(lone.session.counts.rowsMerged == 1)
    }

    /// Only rows that were merged since one's last digest make a pull end with one (Spec SYNC-015).
    @Test func theDigestAtTheEnd() throws {
        let lone = try filled(4)
        var request = try pulling(lone)
        #expect(try lone.take(answer(request)).isEmpty)
        request = try pulling(lone)
        // A row that is there already, and one that is older than what is.
        let known = try #require(
            try lone.gate.read { try $0.row("notes", .live, Key([1])) })
        #expect(try lone.take(answer(request, rows: [known])).isEmpty)
        request = try pulling(lone)
        let ended = try lone.take(answer(request, rows: [try lone.row("new")]))
        guard case .digest(.full(let digests))? = ended.first, ended.count == 1 else {
            Issue.record("\(ended)")
            return
        }
        #expect(try digests == lone.gate.read { $0.digests })
        request = try pulling(lone)
        #expect(try lone.take(answer(request)).isEmpty)
    }

    /// An answer is whole when every part up to the last one has come, in any order.
    @Test func partsInAnyOrder() throws {
        let lone = try filled(4)
        let request = try pulling(lone)
        #expect(try lone.take(answer(request, part: 2, rows: [try lone.row("c")])).isEmpty)
        #expect(lone.session.isPulling)
        #expect(
            try lone.take(answer(request, part: 0, last: false, rows: [lone.row("a")])).isEmpty)
        #expect(lone.session.isPulling)
        #expect(
            try lone.take(answer(request, part: 1, last: false, rows: [lone.row("b")])).count == 1)
        #expect(!lone.session.isPulling)
        #expect(try lone.count() == 7)
    }

    /// Progress is a part of an answer that had not come before, and nothing else (Spec SYNC-051).
    @Test func whatProgressIs() throws {
        let lone = try filled(4)
        let request = try pulling(lone)
        #expect(!lone.progressed())
        try lone.take(.digest(.summary(ID16(high: 1, low: 1))))
        var other = request
        other.request += 1
        try lone.take(answer(other, rows: [try lone.row("unasked")]))
        #expect(!lone.progressed(), "the peer talks, and does not answer")
        let part = answer(request, last: false, rows: [try lone.row("a")])
        try lone.take(part)
        #expect(lone.progressed())
        #expect(!lone.progressed())
        try lone.take(part)
        #expect(!lone.progressed(), "it came before")
        try lone.take(answer(request, part: 1))
        #expect(!lone.progressed(), "nothing is awaited any more")
    }

    /// A full digest tells a peer that holds the same and knows less that both agree; a summary does not (Spec SYNC-052).
    @Test func theLastWord() throws {
        let lone = try filled(4)
        var digests = try lone.gate.read { $0.digests }
        let last = try lone.gate.write { lone.session.lastWord(GateSnapshot(transaction: $0)) }
        #expect(last.result.map(\.body) == [.digest(.full(digests))])
        #expect(try lone.take(.digest(.summary(ID16(high: 1, low: 1)))).count == 1)
        #expect(lone.newEvents().isEmpty)
        for index in digests.indices { digests[index].knowledge = VersionVector() }
        #expect(try lone.take(.digest(.full(digests))).isEmpty)
        #expect(lone.newEvents() == [.agreed])
    }
}

extension LoneSession {
    /// Whether an answer came since this was last asked.
    fileprivate func progressed() -> Bool { session.takeProgress() }
}
