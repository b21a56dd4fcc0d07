import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// A member with bad intent: requests stay bounded, the state stays as it was, nothing traps.
@Suite struct HostilePeerTests {
    /// Answers each request of the session by `answer` until it asks nothing more; returns the requests.
    private func play(
        _ lone: LoneSession, limit: Int = 5_000, counting count: UInt64 = 1_000,
        _ answer: (ReconcileRequest) throws -> [Delta]
    ) throws -> Int {
        var requests = 0
        var waiting = try lone.take(lone.strangeDigest(count: count))
        while !waiting.isEmpty {
            guard case .reconcileRequest(let request) = waiting.removeFirst() else { continue }
            requests += 1
            guard requests < limit else { return requests }
            for delta in try answer(request) { waiting += try lone.take(.reconcileResponse(delta)) }
        }
        return requests
    }

    private func delta(
        _ request: ReconcileRequest, part: UInt64 = 0, last: Bool = true, _ claims: RangeList,
        rows: [Row] = []
    ) -> Delta {
        let type: RowType =
            switch (request.namespace, request.set) {
            case ("notes", _): .causal
            case (_, .live): .logEvents
            default: .logMarker
            }
        return Delta(
            request: request.request, part: part, last: last, namespace: request.namespace,
            set: request.set, rowType: type, rows: rows, claims: claims)
    }

    /// A replica with rows in every set.
    private func filled() throws -> LoneSession {
        let lone = try LoneSession()
        _ = try lone.gate.write { transaction in
            for number in UInt8(0)..<100 {
                try transaction.put("notes", Key([number, number]), [number])
                if number.isMultiple(of: 3) {
                    try transaction.delete("notes", Key([number, number]))
                }
                try transaction.append("journal", Key([number]), group: "g", [number])
                try transaction.append("archive", Key([number]), group: Key([number]), [number])
                if number > 80 { try transaction.bury("archive", group: Key([number])) }
            }
        }
        return lone
    }

    /// Claims without end, of each kind: six pulls end after 256 requests each (Spec SYNC-028).
    @Test func endlessClaims() throws {
        let claims: [(String, (inout SeededRandom) throws -> RangeList)] = [
            (
                "fingerprint of all",
                { random in
                    var list = RangeList()
                    list.append(.all, .fingerprint(.random(using: &random)))
                    return list
                }
            ),
            (
                "unanswered",
                { _ in
                    var list = RangeList()
                    list.append(.all, .unanswered)
                    return list
                }
            ),
            (
                "fingerprints of many ranges",
                { random in
                    var list = RangeList()
                    for number in 1..<20 {
                        let high = try Key([UInt8(number >> 8), UInt8(number & 255)])
                        let low = list.entries.last?.high
                        list.append(
                            KeyRange(from: low, to: high), .fingerprint(.random(using: &random)))
                    }
                    return list
                }
            ),
            (
                "items that it does not have",
                { random in
                    var list = RangeList()
                    let items = try (UInt8(1)...200).map { number in
                        RangeItem(
                            key: try Key([number, 1, 2]), tag: .random(using: &random))
                    }
                    list.append(.all, .items(items))
                    return list
                }
            ),
        ]
        var random = SeededRandom(for: "endlessClaims")
        for (name, claim) in claims {
            let lone = try filled()
            let before = try lone.summary()
            let requests = try play(lone) { request in [delta(request, try claim(&random))] }
            #expect(requests <= 6 * Limits.maxRequestsPerPull, "\(name)")
            #expect(!lone.session.isPulling, "\(name)")
            #expect(!lone.session.isAgreed)
            #expect(try lone.summary() == before, "\(name)")
            #expect(lone.session.counts.requests == requests)
        }
    }

    /// At most four requests are open, also while six sets wait (Spec SYNC-025).
    @Test func openRequests() throws {
        let lone = try filled()
        let first = try lone.take(lone.strangeDigest())
        #expect(first.count == Limits.maxOpenRequests)
        // The same digest again starts nothing while the pulls run.
        #expect(try lone.take(lone.strangeDigest()).isEmpty)
    }

    /// Claims of ranges that nobody asked about, and in answers to nothing, start nothing (Spec SYNC-027).
    @Test func claimsUnasked() throws {
        let lone = try filled()
        let before = try lone.summary()
        var list = RangeList()
        list.append(.all, .fingerprint(ID16(high: 1, low: 2)))
        for request in [UInt64(0), 1, 77, Limits.maxRequest] {
            let delta = Delta(
                request: request, namespace: "notes", set: .live, rowType: .causal, rows: [],
                claims: list)
            #expect(try lone.take(.syncDelta(delta)).isEmpty)
            #expect(try lone.take(.reconcileResponse(delta)).isEmpty)
        }
        // An answer that names another set or namespace than its request is one to nothing.
        let requests = try lone.take(lone.strangeDigest())
        guard case .reconcileRequest(let request)? = requests.first else { return }
        for name in ["notes", "journal", "archive"] as [NamespaceName] {
            for set in RowSet.allCases where name != request.namespace || set != request.set {
                var other = request
                other.namespace = name
                other.set = set
                #expect(try lone.take(.reconcileResponse(delta(other, list))).isEmpty)
            }
        }
        #expect(try lone.summary() == before)
    }

    /// Thousands of parts, in any order, without a last one, with a last one in the middle, all again.
    @Test func thousandsOfParts() throws {
        let lone = try filled()
        let before = try lone.summary()
        let requests = try lone.take(lone.strangeDigest())
        var list = RangeList()
        list.append(.all, .unanswered)
        for case .reconcileRequest(let request) in requests {
            for number in 0..<2_048 {
                let part = UInt64((number * 7) % Limits.maxParts)
                _ = try lone.take(
                    .reconcileResponse(
                        delta(request, part: part, last: number == 1_000, list)))
            }
        }
        #expect(lone.session.counts.requests <= 6 * Limits.maxRequestsPerPull)
        #expect(try lone.summary() == before)
        // A tick forgets it all.
        #expect(try lone.tick().count == 1)
        #expect(!lone.session.isPulling)
    }

    /// What waits to be asked is bounded too, however much an answer claims.
    @Test func waitingQuestions() throws {
        let lone = try filled()
        guard case .reconcileRequest(let request)? = try lone.take(lone.strangeDigest()).first
        else { return }
        let keys = try (0..<1_800).map { number in
            let tail = [UInt8](repeating: 1, count: 500)
            return RangeItem(
                key: try Key([9, UInt8(number >> 8), UInt8(number & 255)] + tail), tag: .zero)
        }
        var list = RangeList()
        list.append(.all, .items(keys))
        var requests = 0
        for part in 0..<UInt64(30) {
            let answers = try lone.take(
                .reconcileResponse(delta(request, part: part, last: false, list)))
            requests += answers.count
        }
        #expect(requests == 0)
        #expect(lone.session.waitingBytes > Limits.maxAnswer)
        #expect(lone.session.waitingBytes <= 3 * Limits.maxAnswer)
    }

    /// Counts that lie: digests of none or of 2^64 - 1 rows.
    @Test func lyingCounts() throws {
        for count in [UInt64(0), 1, UInt64.max] {
            let lone = try filled()
            let before = try lone.summary()
            let requests = try play(lone, counting: count) { request in
                var list = RangeList()
                list.append(.all, .items([]))
                return [delta(request, list)]
            }
            // Who says that it holds nothing is not asked.
            #expect(requests == (count == 0 ? 0 : 6))
            #expect(try lone.summary() == before)
            #expect(!lone.session.isAgreed)
        }
    }

    /// Requests of every shape are answered within the budget, and change nothing.
    @Test func anyRequest() throws {
        let lone = try filled()
        let before = try lone.summary()
        var random = SeededRandom(for: "anyRequest")
        for round in 0..<600 {
            var list = RangeList()
            var low: UInt8 = 0
            var last: Key?
            while low < 250, random.below(5) != 0 {
                let start = low &+ UInt8(random.below(4))
                let end = UInt8(min(255, Int(start) + 1 + random.below(30)))
                let range = KeyRange(
                    from: start == 0 ? last : try Key([start]),
                    to: end > 240 ? nil : try Key([end]))
                if let last, let low = range.low, low < last { break }
                switch random.below(3) {
                case 0: list.append(range, .fingerprint(.random(using: &random)))
                case 1: list.append(range, .items([]))
                default:
                    let keys = try (0...random.below(5)).map { try Key([start, UInt8($0)]) }
                    list.append(range, .keys(keys))
                }
                last = range.high
                low = end
                if range.high == nil { break }
            }
            guard !list.isEmpty else { continue }
            let name = allPolicies.namespaces[random.below(3)].name
            let request = ReconcileRequest(
                request: UInt64(round + 1), namespace: name,
                set: random.chance(0.5) ? .live : .tombstones, ranges: list)
            let answers = try lone.take(.reconcileRequest(request))
            let deltas = answers.compactMap { answer -> Delta? in
                if case .reconcileResponse(let delta) = answer { delta } else { nil }
            }
            guard deltas.count == answers.count, deltas.last?.last == true,
                deltas.map(\.part) == Array(0..<UInt64(deltas.count)),
                deltas.dropLast().allSatisfy({ !$0.last })
            else {
                Issue.record("seed \(random.seed), round \(round): \(answers)")
                return
            }
        }
        #expect(try lone.summary() == before)
    }

    /// Rows that a member invents are merged by the same rules as any, and bodies that clash with them are kept.
    @Test func inventedRows() throws {
        let lone = try filled()
        let me = lone.gate.replica
        // In this replica's own name, far in the future, on a live and on a dead key.
        for key in [try Key([1, 1]), try Key([3, 3])] {
            let entry = CausalRow.Entry(replica: me, time: Limits.maxTime, value: [99])
            let row = try #require(CausalRow(key: key, entries: [entry]))
            try lone.take(
                .syncDelta(
                    Delta(namespace: "notes", set: .live, rowType: .causal, rows: [.causal(row)])))
        }
        #expect(throws: GateError.refused(.clockExhausted)) {
            _ = try lone.gate.write { try $0.put("notes", Key([1, 1]), [1]) }
        }
        // Every other key goes on as before.
        _ = try lone.gate.write { try $0.put("notes", Key([2, 2]), [1]) }
    }

    /// Requests wait while the owner holds enough answers, are answered in turn, and are not kept without end.
    @Test func congestion() throws {
        let lone = try filled()
        var list = RangeList()
        list.append(.all, .items([]))
        func request(_ number: Int) -> FrameBody {
            .reconcileRequest(
                ReconcileRequest(
                    request: UInt64(number), namespace: "notes", set: .live, ranges: list))
        }
        func answers() throws -> [UInt64] {
            let frames = try lone.gate.write { transaction in
                try lone.session.answerWaiting(GateSnapshot(transaction: transaction))
            }.result
            return frames.compactMap { frame in
                if case .reconcileResponse(let delta) = frame.body { delta.request } else { nil }
            }
        }
        lone.session.isCongested = true
        #expect(try lone.take(request(1)).isEmpty)
        #expect(try lone.take(request(2)).isEmpty)
        lone.session.isCongested = false
        // What came first is answered first.
        #expect(try lone.take(request(3)).isEmpty)
        for number in UInt64(1)...3 { #expect(try answers().first == number) }
        #expect(try answers().isEmpty)
        #expect(!lone.session.hasWaitingRequests)
        #expect(try !lone.take(request(4)).isEmpty)
        lone.session.isCongested = true
        for number in 0..<Session.maxWaitingRequests { try lone.take(request(number + 5)) }
        #expect(!lone.session.isFlooded)
        try lone.take(request(99))
        #expect(lone.session.isFlooded)
        // A new greeting asks anew.
        try lone.greet()
        #expect(!lone.session.isFlooded)
        #expect(!lone.session.hasWaitingRequests)
    }
}
