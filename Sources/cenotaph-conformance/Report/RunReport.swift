internal import FoundationEssentials

/// The outcome of a run, as text or as JSON.
struct RunReport {
    /// Failures that are shown in full.
    static let shownFailures = 20

    let corpus: Corpus
    let implementation: String
    let seed: UInt64
    let isStrict: Bool
    let verdicts: [Verdict]

    /// The number of cases by outcome.
    var totals: [Outcome: Int] {
        verdicts.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    }

    /// The cases that were selected and did not pass.
    var failures: [(member: Corpus.Member, verdict: Verdict)] {
        zip(corpus.members, verdicts).filter { _, verdict in
            verdict.outcome != .pass && verdict.outcome != .notSelected
        }.map { ($0, $1) }
    }

    /// Whether all totals together are the corpus; they always are, or the checker is wrong.
    var addsUp: Bool {
        verdicts.count == corpus.members.count
            && totals.values.reduce(0, +) == corpus.members.count
    }

    /// The run in lines.
    func lines() -> [String] {
        var lines: [String] = []
        let failures = failures
        for (member, verdict) in failures.prefix(RunReport.shownFailures) {
            lines += describe(member.value, verdict) + [""]
        }
        for (member, verdict) in failures.dropFirst(RunReport.shownFailures) {
            lines.append("\(verdict.outcome.rawValue) \(member.value.id): \(verdict.difference)")
        }
        lines.append("implementation  \(implementation)")
        lines.append("corpus          \(corpus.manifest.corpus), manifest \(corpus.manifestHash)")
        lines.append(
            "checker         \(Version.text), seed \(seed)\(isStrict ? ", strict errors" : "")")
        let totals = totals
        let counts = Outcome.allCases.filter { $0 != .notRun || totals[$0] != nil }.map {
            "\($0.rawValue) \(totals[$0] ?? 0)"
        }
        lines.append("cases           \(corpus.members.count): \(counts.joined(separator: ", "))")
        return lines
    }

    private func describe(_ value: VectorCase, _ verdict: Verdict) -> [String] {
        var lines = ["\(verdict.outcome.rawValue.uppercased()) \(value.id) (\(value.op))"]
        if let comment = value.comment { lines.append("  case       \(comment)") }
        for id in value.req {
            lines.append("  \(id)  \(corpus.specification.sentences[id] ?? "(text not found)")")
        }
        lines.append("  difference \(verdict.difference)")
        if let diagnosis = verdict.diagnosis { lines.append("  diagnosis  \(diagnosis)") }
        lines += Explanation.frames(of: value).flatMap {
            ["  \($0.title)"] + $0.lines.map { "    \($0)" }
        }
        return lines
    }

    private struct Document: Encodable {
        struct Failure: Encodable {
            let id: String
            let op: String
            let outcome: Outcome
            let req: [String]
            let difference: String
            let diagnosis: String?
        }

        let corpus: String
        let manifest: String
        let spec: String
        let checker: String
        let seed: String
        let strictErrors: Bool
        let implementation: String
        let totals: [String: Int]
        let cases: Int
        let requirements: [String: [String: Int]]
        let failures: [Failure]
    }

    /// The run as one JSON object.
    func json() throws(Stop) -> String {
        var requirements: [String: [String: Int]] = [:]
        for (member, verdict) in zip(corpus.members, verdicts) {
            for id in member.value.req {
                requirements[id, default: [:]][verdict.outcome.rawValue, default: 0] += 1
            }
        }
        let counts = Outcome.allCases.map { ($0.rawValue, totals[$0] ?? 0) }
        let document = Document(
            corpus: corpus.manifest.corpus, manifest: corpus.manifestHash,
            spec: corpus.manifest.spec, checker: Version.text, seed: "\(seed)",
            strictErrors: isStrict, implementation: implementation,
            totals: Dictionary(uniqueKeysWithValues: counts), cases: corpus.members.count,
            requirements: requirements,
            failures: failures.map { member, verdict in
                .init(
                    id: member.value.id, op: member.value.op, outcome: verdict.outcome,
                    req: member.value.req, difference: verdict.difference,
                    diagnosis: verdict.diagnosis)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else {
            throw Stop(code: .bug, message: "the report cannot be written as JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
