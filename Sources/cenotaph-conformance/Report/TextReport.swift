/// A run as lines for people.
struct TextReport {
    /// Failures that are shown in full.
    static let shownFailures = 20
    /// Failures after those that have a line each.
    static let shownBriefly = 180
    /// Lines of annotated bytes shown of one failure.
    static let shownBytes = 60

    let report: RunReport
    /// The adapter's command; empty for the library.
    var command: [String] = []

    func lines() -> [String] {
        var lines: [String] = []
        let failures = report.failures
        for (member, verdict) in failures.prefix(TextReport.shownFailures) {
            lines += describe(member.value, verdict) + [""]
        }
        let brief = failures.dropFirst(TextReport.shownFailures)
        for (member, verdict) in brief.prefix(TextReport.shownBriefly) {
            lines.append("\(verdict.label) \(member.value.id): \(verdict.difference)")
        }
        let left = brief.count - TextReport.shownBriefly
        if left > 0 { lines.append("and \(left) more; --json, --md and --html have them all") }
        for (member, verdict) in report.members(.xpass) {
            lines.append("xpass \(member.value.id): \(verdict.difference)")
        }
        lines += report.stale.map { "stale expectation \($0)" }
        return lines + summary()
    }

    private func summary() -> [String] {
        let corpus = report.corpus
        let totals = report.totals
        let counts = Outcome.allCases.filter { $0 != .notRun || totals[$0] != nil }.map {
            "\($0.rawValue) \(totals[$0] ?? 0)"
        }
        let generated = report.members.count { $0.isGenerated }
        let parts =
            "\(corpus.members.count) and \(corpus.canaries.count) canaries, \(generated) generated"
        let strict = report.isStrict ? ", strict errors" : ""
        return [
            "implementation  \(report.implementation)",
            "corpus          \(corpus.manifest.corpus), manifest \(corpus.manifestHash)",
            "checker         \(Version.text), seed \(report.seed)\(strict)",
            "cases           \(report.members.count) (\(parts)): \(counts.joined(separator: ", "))",
            "claim           \(report.claim.line)",
        ]
    }

    private func describe(_ value: VectorCase, _ verdict: Verdict) -> [String] {
        var lines = ["\(verdict.label.uppercased()) \(value.id) (\(value.op))"]
        if let comment = value.comment { lines.append("  case       \(comment)") }
        for id in value.req {
            let text = report.corpus.specification.sentences[id]
            lines.append("  \(id)  \(text ?? "(text not found)")")
        }
        lines.append("  difference \(verdict.difference)")
        if let diagnosis = verdict.diagnosis { lines.append("  diagnosis  \(diagnosis)") }
        for explanation in Explanation.frames(of: value) {
            lines.append("  \(explanation.title)")
            let shown = explanation.lines.prefix(TextReport.shownBytes)
            lines += shown.map { "    \($0)" }
            let left = explanation.lines.count - shown.count
            if left > 0 { lines.append("    and \(left) lines more; see explain \(value.id)") }
        }
        lines.append("  repro      \(Repro.hint(value.id, command))")
        return lines
    }
}
