/// Asks an implementation every case of a selection, in an order that the seed decides.
struct Runner {
    let corpus: Corpus
    let selection: Selection
    let judge: Judge
    let seed: UInt64
    /// Cases that are in no file.
    var generated: [Corpus.Member] = []
    /// Failures that are known.
    var expectations = Expectations()
    /// Whether requests say which case they are.
    var tellsNames = false

    /// Features that the checker knows; a case that needs another is skipped whatever an adapter claims.
    static let knownFeatures: Set<String> = []

    /// Runs to the end, or until `isHopeless` says so.
    ///
    /// The verdicts stand in the order of the corpus, then its canaries, then the generated cases.
    func run<Asked: Implementation>(
        _ implementation: inout Asked, until isHopeless: (Asked) -> Bool = { _ in false }
    ) throws(Stop) -> RunReport {
        let members = corpus.members + corpus.canaries + generated
        let features = Runner.knownFeatures.intersection(implementation.features)
        var verdicts = members.map { member in
            Verdict(outcome: first(member, features))
        }
        var order = verdicts.indices.filter { verdicts[$0].outcome == .notRun }
        var generator = SeededGenerator(seed: seed)
        order.shuffle(using: &generator)
        for index in order {
            let value = members[index].value
            var fields = value.in
            if tellsNames { fields["case"] = value.id }
            let answer = try implementation.answer(value.op, fields)
            verdicts[index] = judge.verdict(answer, on: value)
            if isHopeless(implementation) { break }
        }
        if judge.without != .twin { failUnderTwins(&verdicts) }
        let ids = members.map(\.value.id)
        let stale = expectations.apply(
            to: &verdicts, ids, comparesLabels: judge.without != .expectation)
        return RunReport(
            corpus: corpus, implementation: implementation.name, seed: seed,
            isStrict: judge.isStrict, selection: selection, members: members, verdicts: verdicts,
            stale: stale, greeting: implementation.greeting)
    }

    /// What is known of a case before anyone is asked.
    private func first(_ member: Corpus.Member, _ features: Set<String>) -> Outcome {
        guard selection.takes(member, corpus.specification) else { return .notSelected }
        return features.isSuperset(of: member.value.requires ?? []) ? .notRun : .skipped
    }

    /// A rejection is worth something only where the twin, one edit away, is accepted.
    private func failUnderTwins(_ verdicts: inout [Verdict]) {
        for (index, member) in corpus.members.enumerated() where verdicts[index].outcome == .pass {
            guard let twin = member.value.twin?.of, let place = corpus.place(of: twin),
                [.fail, .unsupported].contains(verdicts[place].outcome)
            else { continue }
            verdicts[index] = .fail(.twin, "rejected as expected, but so is its twin \(twin)")
        }
    }
}
