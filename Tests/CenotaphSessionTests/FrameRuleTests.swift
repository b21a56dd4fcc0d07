import Cenotaph
import CenotaphTesting
import Testing

/// Which frames are taken: the others change nothing, name their rule, and are answered as Spec SYNC-006 says.
@Suite struct FrameRuleTests {
    /// Expects a frame to be dropped by a rule, without a trace; says whether an error is to go back.
    private func expectDrop(
        _ lone: LoneSession, _ errorClass: ErrorClass, _ rule: Rule, answered: Bool,
        sourceLocation: SourceLocation = #_sourceLocation, _ send: () throws -> [FrameBody]
    ) throws {
        let before = try lone.summary()
        let (peer, counts) = (lone.session.peer, lone.session.counts)
        let answers = try send()
        let events = lone.newEvents()
        #expect(try lone.summary() == before, sourceLocation: sourceLocation)
        #expect(lone.session.peer == peer, sourceLocation: sourceLocation)
        #expect(lone.session.counts == counts, sourceLocation: sourceLocation)
        guard case .dropped(let error)? = events.first, events.count == 1 else {
            Issue.record("events: \(events)", sourceLocation: sourceLocation)
            return
        }
        #expect(error.errorClass == errorClass, sourceLocation: sourceLocation)
        #expect(error.rule == rule, sourceLocation: sourceLocation)
        guard answered else {
            #expect(answers.isEmpty, sourceLocation: sourceLocation)
            return
        }
        guard case .error(let report)? = answers.first, answers.count == 1 else {
            Issue.record("answers: \(answers)", sourceLocation: sourceLocation)
            return
        }
        #expect(report.errorClass == errorClass, sourceLocation: sourceLocation)
        #expect(report.rule == rule.rawValue, sourceLocation: sourceLocation)
    }

    /// A frame of every kind, with rows where it may have some.
    private func everyBody(_ lone: LoneSession) throws -> [FrameBody] {
        let delta = Delta(
            namespace: "notes", set: .live, rowType: .causal, rows: [try lone.row("k")])
        var list = RangeList()
        list.append(.all, .items([]))
        let request = ReconcileRequest(request: 1, namespace: "notes", set: .live, ranges: list)
        return [
            lone.hello(), .digest(.summary(.zero)), try lone.strangeDigest(),
            .reconcileRequest(request), .reconcileResponse(delta), .syncDelta(delta),
            .error(ErrorReport(WireError(.unexpected, .beforeHello))),
        ]
    }

    @Test func ownFrames() throws {
        let lone = try LoneSession()
        for body in try everyBody(lone) {
            try expectDrop(lone, .unexpected, .ownFrame, answered: false) {
                try lone.take(body, from: lone.gate.replica, to: .zero)
            }
        }
    }

    @Test func otherRecipients() throws {
        let lone = try LoneSession()
        for body in try everyBody(lone) {
            try expectDrop(lone, .unexpected, .otherRecipient, answered: false) {
                try lone.take(body, to: ID16(high: 3, low: 3))
            }
        }
    }

    @Test func beforeHello() throws {
        let lone = try LoneSession(greeted: false)
        for body in try everyBody(lone).dropFirst().dropLast() {
            try expectDrop(lone, .unexpected, .beforeHello, answered: true) {
                try lone.take(body)
            }
        }
    }

    @Test func otherSenders() throws {
        let lone = try LoneSession()
        var random = SeededRandom(seed: 5)
        let stranger = ReplicaID.random(using: &random)
        for body in try everyBody(lone).dropFirst().dropLast() {
            try expectDrop(lone, .unexpected, .beforeHello, answered: true) {
                try lone.take(body, from: stranger)
            }
        }
    }

    @Test func otherEpochs() throws {
        let lone = try LoneSession()
        for body in try everyBody(lone).dropFirst().dropLast() {
            try expectDrop(lone, .stale, .sameEpoch, answered: true) {
                try lone.take(body, epoch: ID16(high: 0, low: 1))
            }
        }
    }

    @Test func unknownNamespaces() throws {
        let lone = try LoneSession()
        var digests = try lone.gate.read { $0.digests }
        digests[2].name = "other"
        let delta = Delta(
            namespace: "other", set: .live, rowType: .causal, rows: [try lone.row("k")])
        var list = RangeList()
        list.append(.all, .items([]))
        let request = ReconcileRequest(request: 1, namespace: "other", set: .live, ranges: list)
        let bodies: [FrameBody] = [
            .digest(.full(digests)), .reconcileRequest(request), .reconcileResponse(delta),
            .syncDelta(delta),
        ]
        for body in bodies {
            try expectDrop(lone, .unexpected, .namespaceKnown, answered: true) {
                try lone.take(body)
            }
        }
    }

    /// Every pairing of policy, set and row type but those of the table under SYNC-007.
    @Test func wrongRowTypesAndSets() throws {
        let lone = try LoneSession()
        let stamp = Stamp(time: 1, replica: lone.peer)
        for (name, isLog) in [("notes", false), ("journal", true), ("archive", true)] {
            for set in RowSet.allCases {
                for type in RowType.allCases {
                    let row: Row =
                        switch type {
                        case .logEvents:
                            .logEvents(
                                LogRow(
                                    key: "k", event: LogEvent(stamp: stamp, group: "g", body: [])))
                        case .logMarker: .logMarker(LogMarker(group: "g", stamp: stamp))
                        case .causal: try lone.row("k")
                        case .message:
                            .message(
                                try #require(
                                    MessageRow(
                                        key: try Key([UInt8](repeating: 7, count: 17)),
                                        scope: .everyone)))
                        case .lastWriter:
                            .lastWriter(LastWriterRow(key: "k", stamp: stamp, value: []))
                        }
                    let fits =
                        isLog
                        ? type == (set == .live ? .logEvents : .logMarker) : type == .causal
                    guard !fits else { continue }
                    let delta = Delta(
                        namespace: try NamespaceName(Array(name.utf8)), set: set, rowType: type,
                        rows: [row])
                    for body in [FrameBody.syncDelta(delta), .reconcileResponse(delta)] {
                        try expectDrop(lone, .unexpected, .namespaceKnown, answered: true) {
                            try lone.take(body)
                        }
                    }
                }
            }
        }
    }

    /// An error is never answered, whatever is wrong with it (Spec SYNC-007).
    @Test func errorsAreNotAnswered() throws {
        for greeted in [true, false] {
            let lone = try LoneSession(greeted: greeted)
            for rule in Rule.allCases {
                for errorClass in ErrorClass.allCases {
                    let report = ErrorReport(WireError(errorClass, rule), detail: "why")
                    for epoch in [ID16.zero, ID16(high: 1, low: 0)] {
                        let answers = try lone.take(.error(report), epoch: epoch)
                        guard answers.isEmpty else {
                            Issue.record("\(rule): \(answers)")
                            return
                        }
                    }
                }
            }
        }
    }

    /// Bytes that open but do not decode: an error goes back, but not to an error, to oneself or to others.
    @Test func undecodableFrames() throws {
        let lone = try LoneSession()
        let other = ID16(high: 3, low: 3)
        func sealed(
            _ kind: UInt8, from sender: ReplicaID, to recipient: ID16, _ body: [UInt8] = [0, 0, 0]
        ) throws -> [UInt8] {
            let plain =
                [kind] + sender.id.encoded() + recipient.encoded()
                + [UInt8](
                    repeating: 0, count: 16)
            return try Envelope.seal(RawFrame(bytes: plain + body), with: lone.keys)
        }
        let me = lone.gate.replica
        for kind in UInt8(1)...5 {
            for recipient in [me.id, .zero] {
                let before = try lone.summary()
                let answers = try lone.take(sealed: sealed(kind, from: lone.peer, to: recipient))
                #expect(answers.count == 1, "kind \(kind)")
                #expect(try lone.summary() == before)
                #expect(lone.newEvents().count == 1)
            }
            try expectDrop(lone, .unexpected, .otherRecipient, answered: false) {
                try lone.take(sealed: sealed(kind, from: lone.peer, to: other))
            }
            try expectDrop(lone, .unexpected, .ownFrame, answered: false) {
                try lone.take(sealed: sealed(kind, from: me, to: .zero))
            }
        }
        // An error whose class is 0 does not decode, and is an error all the same.
        try expectDrop(lone, .range, .errorFields, answered: false) {
            try lone.take(sealed: sealed(7, from: lone.peer, to: me.id))
        }
        try expectDrop(lone, .type, .kindKnown, answered: true) {
            try lone.take(sealed: sealed(10, from: lone.peer, to: me.id))
        }
        try expectDrop(lone, .type, .kindKnown, answered: false) {
            try lone.take(sealed: sealed(10, from: me, to: .zero))
        }
        // Kinds from 80 on are skipped without a word (Spec WIRE-004).
        #expect(try lone.take(sealed: sealed(0x80, from: lone.peer, to: me.id)).isEmpty)
        #expect(lone.newEvents().isEmpty)
    }

    /// Bytes that do not open are reported, and nobody is told.
    @Test func bytesThatDoNotOpen() throws {
        let lone = try LoneSession()
        var random = SeededRandom(seed: 6)
        let others = try FleetKeys.seeded(using: &random)
        let frame = Frame(header: FrameHeader(sender: lone.peer), body: lone.hello())
        let foreign = try Envelope.seal(frame, with: others)
        try expectDrop(lone, .auth, .envelope, answered: false) {
            try lone.take(sealed: foreign)
        }
        let good = try Envelope.seal(frame, with: lone.keys)
        for place in stride(from: 1, to: good.count, by: 7) {
            var bad = good
            bad[place] ^= 0x10
            try expectDrop(lone, .auth, .envelope, answered: false) { try lone.take(sealed: bad) }
        }
        for count in [0, 1, 48, 304] {
            try expectDrop(lone, .truncated, .envelope, answered: false) {
                try lone.take(sealed: Array(good.prefix(count)))
            }
        }
    }
}

/// Any bytes as a frame, for what no frame can say.
struct RawFrame: WireEncodable {
    let bytes: [UInt8]

    var wireSize: Int { bytes.count }

    func write(to writer: inout WireWriter) { writer.raw(bytes) }
}
