/// The outcome of a run.
struct RunReport {
    let corpus: Corpus
    let implementation: String
    let seed: UInt64
    let isStrict: Bool
    let selection: Selection
    /// The cases of the corpus, its canaries and the generated ones.
    let members: [Corpus.Member]
    /// What became of each.
    let verdicts: [Verdict]
    /// What is wrong with the entries of the expectations.
    let stale: [String]
    /// What the adapter said of itself.
    let greeting: [String: String]

    /// The number of cases by outcome.
    var totals: [Outcome: Int] {
        verdicts.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    }

    /// The cases that failed and should not have.
    var failures: [(member: Corpus.Member, verdict: Verdict)] {
        zip(members, verdicts).filter { $1.outcome.isFailure }.map { ($0, $1) }
    }

    /// The cases of an outcome.
    func members(_ outcome: Outcome) -> [(member: Corpus.Member, verdict: Verdict)] {
        zip(members, verdicts).filter { $1.outcome == outcome }.map { ($0, $1) }
    }

    /// Whether all totals together are the corpus; they always are, or the checker is wrong.
    var addsUp: Bool {
        let files = members.count { !$0.isGenerated }
        return verdicts.count == members.count
            && files == corpus.members.count + corpus.canaries.count
            && totals.values.reduce(0, +) == members.count
    }

    /// How the process ends after this run.
    var exitCode: ExitCode {
        if !addsUp { return .bug }
        if totals[.notRun] != nil { return .adapter }
        if !failures.isEmpty { return .failure }
        return totals[.xpass] == nil && stale.isEmpty ? .ok : .stale
    }

    /// The levels that the run shows, or why it shows none.
    var claim: Claim { Claim(of: self) }
}

/// What a run entitles an implementation to say.
///
/// A level is held when every case of its files ran, and none failed that was not expected to; an expected failure counts, and
/// is named, unless the operation is not there.
struct Claim {
    let levels: [String]
    let line: String

    init(of report: RunReport) {
        let corpus = report.corpus
        var levels: [String] = []
        var obstacle = "the manifest has no level"
        for (name, level) in corpus.manifest.levels.sorted(by: { $0.key < $1.key }) {
            let files = Set(level.files)
            let missing = zip(report.members, report.verdicts).filter { member, verdict in
                guard files.contains(member.file) else { return false }
                if member.isGenerated && verdict.outcome == .notSelected { return false }
                return verdict.outcome != .pass
                    && (verdict.outcome != .xfail || verdict.label == Outcome.unsupported.rawValue)
            }
            if missing.isEmpty {
                levels.append(name)
            } else if levels.isEmpty, name == corpus.manifest.levels.keys.min() {
                let first = missing[0]
                obstacle =
                    "\(name) lacks \(missing.count) cases, such as \(first.0.value.id) "
                    + "(\(first.1.label))"
            }
        }
        self.levels = levels
        guard !levels.isEmpty else {
            line = "none: \(obstacle)"
            return
        }
        let known = report.members(.xfail).map(\.member.value.id)
        line =
            "\(levels.joined(separator: ", ")) of corpus \(corpus.manifest.corpus), manifest "
            + "\(corpus.manifestHash), expected failures: "
            + (known.isEmpty ? "none" : known.joined(separator: " "))
    }
}
