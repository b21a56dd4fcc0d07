/// One row of the self-test: what must be seen, and what was.
struct Control {
    let group: String
    let name: String
    let expected: String
    /// What is wrong; `nil` if it is as expected.
    let problem: String?
}

/// Misbehaving adapters, each of which must fail for its own reason.
struct AdapterControls {
    let corpus: Corpus
    /// The path of this program.
    let program: String
    let seed: UInt64
    private let fresh: [Corpus.Member]

    init(corpus: Corpus, program: String, seed: UInt64) {
        self.corpus = corpus
        self.program = program
        self.seed = seed
        fresh = CaseMaker(corpus: corpus).members(seed: seed, perArea: 8)
    }

    /// Runs every double.
    func controls() throws(Stop) -> [Control] {
        var controls: [Control] = []
        for kind in Misbehaviour.allCases { controls.append(try control(kind)) }
        return controls
    }

    /// Runs one double over the corpus.
    func control(_ kind: Misbehaviour) throws(Stop) -> Control {
        let report = try run(kind)
        let (text, problem) = judge(kind, report)
        return Control(
            group: "adapter", name: kind.rawValue, expected: text,
            problem: report.addsUp ? problem : "the totals do not add up")
    }

    private func run(_ kind: Misbehaviour) throws(Stop) -> RunReport {
        var adapter = try Adapter(
            [program, "double", "--vectors", corpus.folder, kind.rawValue],
            spec: corpus.manifest.spec, timeout: .seconds(kind == .hang ? 2 : 60))
        var selection = Selection()
        // A double that crashes is started again and again; each start reads the corpus.
        if kind == .crashOnThird { selection.only = ["seal.key", "stamp.decode"] }
        var runner = Runner(
            corpus: corpus, selection: selection, judge: Judge(isStrict: false), seed: seed)
        if kind != .crashOnThird { runner.generated = fresh }
        return try runner.run(&adapter) { $0.isHopeless }
    }

    /// What must be seen of a double, and what is wrong with what was.
    private func judge(_ kind: Misbehaviour, _ report: RunReport) -> (String, String?) {
        let seen = Seen(report: report)
        switch kind {
        case .acceptAll, .echo:
            return (
                "no case passes: every rejection is accepted, every result is wrong",
                seen.first { value, verdict in
                    verdict.label == (value.reject == nil ? "fail:value" : "fail:accepted")
                } ?? seen.ending(.failure)
            )
        case .rejectAll:
            return (
                "only rejections without a twin pass",
                seen.first { value, verdict in
                    if value.reject == nil { return verdict.label == "fail:rejected" }
                    return value.twin == nil || verdict.outcome != .pass
                } ?? seen.ending(.failure)
            )
        case .answerKey: return ("every case of the files passes, fresh ones fail", answerKey(seen))
        case .crashOnThird: return ("every third case crashes, the others pass", crashes(report))
        case .hang:
            return ("five time out, the others are not run", seen.ended("timeout", "no answer"))
        case .chatter:
            return (
                "five lines that are no answer end it", seen.ended("crash", "no answer: request")
            )
        case .wrongID:
            return ("five answers to other requests end it", seen.ended("crash", "another request"))
        case .both:
            return ("five answers with two verdicts end it", seen.ended("crash", "not one of ok"))
        case .twice: return ("the second answer is taken for no other request", twice(report))
        case .errors:
            return (
                "its own errors satisfy no case, whatever they say",
                seen.first { _, verdict in verdict.label == "fail:error" } ?? seen.ending(.failure)
            )
        case .ownClasses:
            return (
                "rejections with names that 09 has not fail",
                seen.first { value, verdict in
                    verdict.label == (value.reject == nil ? "pass" : "fail:class")
                } ?? seen.ending(.failure)
            )
        case .claimsAll:
            return (
                "canaries are skipped, whatever is claimed",
                report.totals[.skipped] == corpus.canaries.count && report.exitCode == .ok
                    && !corpus.canaries.isEmpty
                    ? nil : "\(report.totals[.skipped] ?? 0) skipped, ends \(report.exitCode)"
            )
        }
    }

    private func answerKey(_ seen: Seen) -> String? {
        let report = seen.report
        let wrong = seen.firstMember { member, verdict in
            member.isGenerated || verdict.outcome == .pass
        }
        if let wrong { return wrong }
        for file in corpus.manifest.files.keys {
            let fresh = zip(report.members, report.verdicts).filter {
                $0.0.isGenerated && $0.0.file == file
            }
            if !fresh.contains(where: { $1.outcome == .fail }) {
                return "no fresh case of \(file) fails"
            }
        }
        return seen.ending(.failure)
    }

    private func crashes(_ report: RunReport) -> String? {
        let asked = report.members.count - (report.totals[.notSelected] ?? 0)
        let crashed = report.totals[.crash] ?? 0
        let canaries = report.totals[.skipped] ?? 0
        guard crashed == (asked - canaries) / 3, crashed > 0 else { return "\(crashed) crash" }
        let passed = report.totals[.pass] ?? 0
        guard passed == asked - canaries - crashed else { return "\(passed) pass" }
        return report.exitCode == .failure ? nil : "ends \(report.exitCode)"
    }

    /// The answer that comes once too often is read as the next one's, has another id, and costs that case.
    private func twice(_ report: RunReport) -> String? {
        let (passed, crashed) = (report.totals[.pass] ?? 0, report.totals[.crash] ?? 0)
        let asked = report.members.count - corpus.canaries.count
        guard passed == (asked + 1) / 2, crashed == asked / 2 else {
            return "\(passed) pass, \(crashed) crash of \(asked)"
        }
        return report.exitCode == .failure ? nil : "ends \(report.exitCode)"
    }
}

/// Questions about a run.
private struct Seen {
    let report: RunReport

    /// The first case that ran and is not as it should be.
    func first(_ isRight: (VectorCase, Verdict) -> Bool) -> String? {
        firstMember { isRight($0.value, $1) }
    }

    func firstMember(_ isRight: (Corpus.Member, Verdict) -> Bool) -> String? {
        for (member, verdict) in zip(report.members, report.verdicts) {
            if [.skipped, .notSelected].contains(verdict.outcome) { continue }
            if !isRight(member, verdict) {
                return "\(member.value.id): \(verdict.label) \(verdict.difference)"
            }
        }
        return nil
    }

    func ending(_ code: ExitCode) -> String? {
        report.exitCode == code ? nil : "ends \(report.exitCode)"
    }

    /// Whether a run ended after five mishaps of one kind, which say why.
    func ended(_ label: String, _ reason: String) -> String? {
        let bad = report.failures
        guard bad.count == Adapter.patience, (report.totals[.notRun] ?? 0) > 0,
            report.totals[.pass] == nil
        else { return "\(bad.count) failures, \(report.totals[.pass] ?? 0) pass" }
        guard
            let other = bad.first(where: {
                $0.verdict.label != label || !$0.verdict.difference.contains(reason)
            })
        else { return ending(.adapter) }
        return "\(other.verdict.label) \(other.verdict.difference)"
    }
}
