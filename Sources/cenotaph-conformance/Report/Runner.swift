/// Which cases a run takes.
struct Selection {
    /// A pattern over id, operation or requirement, or all.
    var only: String?
    /// The files of a level, or all.
    var files: Set<String>?

    func takes(_ member: Corpus.Member) -> Bool {
        if let files, !files.contains(member.file) { return false }
        // A case that needs a feature is for implementations that have it; none is known here.
        guard (member.value.requires ?? []).isEmpty else { return false }
        guard let only else { return true }
        return ([member.value.id, member.value.op] + member.value.req).contains {
            Glob.matches(only[...], $0[...])
        }
    }
}

/// Patterns in which `*` stands for any text and `?` for one character.
enum Glob {
    static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        var pattern = pattern
        var text = text
        var retry: (pattern: Substring, text: Substring)?
        while !text.isEmpty {
            if pattern.first == "*" {
                retry = (pattern.dropFirst(), text)
                pattern = pattern.dropFirst()
            } else if pattern.first == "?" || (pattern.first != nil && pattern.first == text.first)
            {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let last = retry {
                pattern = last.pattern
                text = last.text.dropFirst()
                retry = (pattern, text)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}

/// Small, seedable and the same everywhere (SplitMix64): the order of a run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// Asks an implementation every case of a selection, in an order that the seed decides.
struct Runner {
    let corpus: Corpus
    let selection: Selection
    let judge: Judge
    let seed: UInt64

    /// Runs to the end, or until `isHopeless` says so.
    ///
    /// The verdicts stand in the order of the corpus.
    func run<Asked: Implementation>(
        _ implementation: inout Asked, until isHopeless: (Asked) -> Bool = { _ in false }
    ) throws(Stop) -> RunReport {
        var verdicts = corpus.members.map { member in
            Verdict(outcome: selection.takes(member) ? .notRun : .notSelected)
        }
        var order = verdicts.indices.filter { verdicts[$0].outcome == .notRun }
        var generator = SeededGenerator(seed: seed)
        order.shuffle(using: &generator)
        for index in order {
            let value = corpus.members[index].value
            let answer = try implementation.answer(value.op, value.in)
            verdicts[index] = judge.verdict(answer, on: value)
            if isHopeless(implementation) { break }
        }
        failUnderTwins(&verdicts)
        return RunReport(
            corpus: corpus, implementation: implementation.name, seed: seed,
            isStrict: judge.isStrict, verdicts: verdicts)
    }

    /// A rejection is worth something only where the twin, one edit away, is accepted.
    private func failUnderTwins(_ verdicts: inout [Verdict]) {
        for (index, member) in corpus.members.enumerated() where verdicts[index].outcome == .pass {
            guard let twin = member.value.twin?.of, let place = corpus.place(of: twin),
                [.fail, .unsupported].contains(verdicts[place].outcome)
            else { continue }
            verdicts[index] = Verdict(
                outcome: .fail, difference: "rejected as expected, but so is its twin \(twin)")
        }
    }
}
