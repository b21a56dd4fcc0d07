/// Failures that are known: the lines of an expected-failure file.
///
/// A line is `ID-OR-GLOB  OUTCOME  # REASON`, where the outcome is one that a report gives (`fail:accepted`, `crash`).
struct Expectations {
    /// Cases that one pattern may cover.
    static let widest = 20

    struct Entry {
        let pattern: String
        let label: String
        let reason: String
    }

    var entries: [Entry] = []

    /// The outcomes that may be expected.
    static let labels: Set<String> =
        Set(FailCause.allCases.map { "fail:\($0.rawValue)" }).union([
            "crash", "timeout", "unsupported",
        ])

    init() {}

    /// Reads a file's text.
    init(parsing text: String) throws(Stop) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            let halves = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let words = halves[0].split { $0 == " " || $0 == "\t" }
            let reason = halves.count == 2 ? halves[1].drop { $0 == " " } : ""
            guard words.count == 2, !reason.isEmpty else {
                throw .usage("expectations, line \(index + 1): ID-OR-GLOB  OUTCOME  # REASON")
            }
            guard Expectations.labels.contains(String(words[1])) else {
                let all = Expectations.labels.sorted().joined(separator: ", ")
                throw .usage("expectations, line \(index + 1): an outcome is one of \(all)")
            }
            entries.append(
                Entry(pattern: String(words[0]), label: String(words[1]), reason: String(reason)))
        }
    }

    /// Turns expected failures into `xfail` and unexpected passes into `xpass`.
    ///
    /// Returns what is wrong with the entries themselves: one that covers no case of the corpus, or too many. Cases that
    /// did not run are not judged.
    func apply(
        to verdicts: inout [Verdict], _ ids: [String], comparesLabels: Bool = true
    ) -> [String] {
        var problems: [String] = []
        for entry in entries {
            let covered = ids.indices.filter { Glob.matches(entry.pattern[...], ids[$0][...]) }
            if covered.isEmpty { problems.append("\(entry.pattern): no such case") }
            guard covered.count <= Expectations.widest else {
                problems.append(
                    "\(entry.pattern): covers \(covered.count) cases, at most \(Expectations.widest)"
                )
                continue
            }
            for index in covered {
                let verdict = verdicts[index]
                if verdict.outcome == .pass {
                    verdicts[index] = Verdict(
                        outcome: .xpass, difference: "expected \(entry.label): \(entry.reason)")
                } else if verdict.outcome.isFailure,
                    verdict.label == entry.label || !comparesLabels
                {
                    verdicts[index] = verdict.with(.xfail)
                }
            }
        }
        return problems
    }

    /// A file that expects what a run came to; the reasons are left to be written.
    static func text(of report: RunReport) -> String {
        var lines = ["# ID-OR-GLOB  OUTCOME  # REASON  URL"]
        for (member, verdict) in zip(report.members, report.verdicts)
        where verdict.outcome.isFailure || verdict.outcome == .xfail {
            guard !member.isGenerated else { continue }
            lines.append("\(member.value.id)  \(verdict.label)  # to be explained")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
