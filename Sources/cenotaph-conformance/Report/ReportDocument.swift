/// A run as data: what `--json` writes, and what all other forms are made from.
struct ReportDocument: Codable {
    /// What became of one case.
    struct Result: Codable {
        let id: String
        let op: String
        let file: String
        let outcome: Outcome
        /// The outcome with its cause, as in an expectation file.
        let label: String
        let req: [String]
        let difference: String?
        let diagnosis: String?
    }

    /// A sentence of the specification and the outcomes of its cases.
    struct Requirement: Codable {
        let section: String
        let sentence: String
        let outcomes: [String: Int]
    }

    static let schema = "report-1"

    let schema: String
    let corpus: String
    let manifest: String
    let spec: String
    let checker: String
    let seed: String
    let strictErrors: Bool
    let selection: [String: String]
    let implementation: String
    /// The answer to `hello`; empty for the library.
    let adapter: [String: String]
    let cases: Int
    let totals: [String: Int]
    let levels: [String]
    let claim: String
    let stale: [String]
    let exitCode: Int32
    let requirements: [String: Requirement]
    let results: [Result]

    init(of report: RunReport) {
        let corpus = report.corpus
        schema = ReportDocument.schema
        self.corpus = corpus.manifest.corpus
        manifest = corpus.manifestHash
        spec = corpus.manifest.spec
        checker = Version.text
        seed = "\(report.seed)"
        strictErrors = report.isStrict
        selection = ReportDocument.describe(report.selection)
        implementation = report.implementation
        adapter = report.greeting
        cases = report.members.count
        let counts = report.totals
        totals = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
        levels = report.claim.levels
        claim = report.claim.line
        stale = report.stale
        exitCode = report.exitCode.rawValue
        requirements = ReportDocument.requirements(report)
        results = zip(report.members, report.verdicts).map { member, verdict in
            Result(
                id: member.value.id, op: member.value.op, file: member.file,
                outcome: verdict.outcome, label: verdict.label, req: member.value.req,
                difference: verdict.difference.isEmpty ? nil : verdict.difference,
                diagnosis: verdict.diagnosis)
        }
    }

    private static func describe(_ selection: Selection) -> [String: String] {
        let parts = [
            ("only", selection.only), ("skip", selection.skip), ("section", selection.sections),
            ("files", selection.files.map { $0.sorted() } ?? []),
        ]
        return Dictionary(
            uniqueKeysWithValues: parts.filter { !$1.isEmpty }.map {
                ($0, $1.joined(separator: ","))
            })
    }

    private static func requirements(_ report: RunReport) -> [String: Requirement] {
        var outcomes: [String: [String: Int]] = [:]
        for (member, verdict) in zip(report.members, report.verdicts) {
            for id in member.value.req {
                outcomes[id, default: [:]][verdict.outcome.rawValue, default: 0] += 1
            }
        }
        let text = report.corpus.specification
        var requirements: [String: Requirement] = [:]
        for (id, counts) in outcomes {
            requirements[id] = Requirement(
                section: text.sections[id] ?? "", sentence: text.sentences[id] ?? "",
                outcomes: counts)
        }
        return requirements
    }

    /// The number of cases of an outcome.
    func count(_ outcome: Outcome) -> Int { totals[outcome.rawValue] ?? 0 }

    /// Cases that failed and should not have.
    var failures: [Result] { results.filter { $0.outcome.isFailure } }

    /// Whether nothing failed that should not have.
    var isGood: Bool { exitCode == 0 }

    /// The files of the corpus, in order.
    var files: [String] { Set(results.map(\.file)).sorted() }

    /// The ids of sentences, by section and then by name.
    var sentences: [String] {
        requirements.keys.sorted {
            (requirements[$0]?.section ?? "", $0) < (requirements[$1]?.section ?? "", $1)
        }
    }
}

extension ReportDocument.Requirement {
    /// The worst that happened to a case of the sentence.
    var worst: Outcome {
        let order: [Outcome] = [
            .crash, .timeout, .fail, .unsupported, .notRun, .xpass, .xfail, .pass, .skipped,
        ]
        return order.first { (outcomes[$0.rawValue] ?? 0) > 0 } ?? .notSelected
    }

    /// How many cases passed, of those that were asked.
    var score: String {
        let asked = outcomes.filter { !["not-selected", "skipped"].contains($0.key) }
        return "\(outcomes["pass"] ?? 0)/\(asked.values.reduce(0, +))"
    }
}
