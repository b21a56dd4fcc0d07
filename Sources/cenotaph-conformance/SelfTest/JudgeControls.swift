/// Wrong answers that the judge must notice, one for each of its comparisons.
///
/// With a comparison left out, its answer passes: so the comparison is needed, and these controls would go red without it.
struct JudgeControls {
    let corpus: Corpus

    /// The comparisons whose wrong answer a judge lets pass.
    func survivors(without left: Comparison?) throws(Stop) -> [Comparison] {
        var survivors: [Comparison] = []
        for comparison in Comparison.allCases {
            if try isTaken(comparison, without: left) { survivors.append(comparison) }
        }
        return survivors
    }

    /// A row for the whole judge, and one for each mutation of it.
    func controls() throws(Stop) -> [Control] {
        let whole = try survivors(without: nil)
        let names = whole.map(\.rawValue).joined(separator: ", ")
        var controls = [
            Control(
                group: "judge", name: "whole", expected: "every wrong answer fails",
                problem: whole.isEmpty ? nil : "passed: \(names)")
        ]
        for comparison in Comparison.allCases {
            let survivors = try survivors(without: comparison)
            controls.append(
                Control(
                    group: "judge", name: "without \(comparison.rawValue)",
                    expected: "its wrong answer passes, so these controls go red",
                    problem: survivors.contains(comparison)
                        ? nil : "passed: \(survivors.map(\.rawValue))"))
        }
        return controls
    }

    private func isTaken(_ comparison: Comparison, without left: Comparison?) throws(Stop) -> Bool {
        var judge = Judge(isStrict: comparison == .class)
        judge.without = left
        let accepted = try first { ($0.out?.count ?? 0) > 1 }
        let rejected = try first { $0.reject?.class == "order" && $0.reject?.also == nil }
        func passes(_ answer: Answer, _ value: VectorCase) -> Bool {
            judge.verdict(answer, on: value).outcome == .pass
        }
        var out = accepted.out ?? [:]
        let name = out.keys.min() ?? ""
        switch comparison {
        case .acceptance: return passes(.accepted([:]), rejected)
        case .rejection: return passes(.rejected("range"), accepted)
        case .value:
            out[name, default: ""] += "0"
            return passes(.accepted(out), accepted)
        case .missing:
            out[name] = nil
            return passes(.accepted(out), accepted)
        case .extra:
            out["more"] = "1"
            return passes(.accepted(out), accepted)
        case .layer: return passes(.rejected("truncated"), rejected)
        case .class: return passes(.rejected("range"), rejected)
        case .error: return passes(.failed("order"), rejected)
        case .mishap: return passes(.crashed("order"), rejected) || passes(.timedOut, rejected)
        case .unsupported: return passes(.unsupported("order"), rejected)
        case .twin: return try isTwinTaken(judge)
        case .expectation: return try isExpectationTaken(judge, accepted)
        }
    }

    /// An implementation that rejects both a case and its twin.
    private func isTwinTaken(_ judge: Judge) throws(Stop) -> Bool {
        let value = try first { $0.reject?.class == "range" && $0.twin != nil }
        let runner = Runner(
            corpus: corpus, selection: Selection(only: [value.id, value.twin?.of ?? ""]),
            judge: judge, seed: 0)
        var refuser = Refuser()
        let report = try runner.run(&refuser)
        return corpus.place(of: value.id).map { report.verdicts[$0].outcome == .pass } ?? true
    }

    /// A failure that is expected to be another one.
    private func isExpectationTaken(_ judge: Judge, _ value: VectorCase) throws(Stop) -> Bool {
        var judge = judge
        // The failure itself must be noticed: only how it is matched is asked here.
        if judge.without != .expectation { judge.without = nil }
        var runner = Runner(
            corpus: corpus, selection: Selection(only: [value.id]), judge: judge, seed: 0)
        runner.expectations = try Expectations(parsing: "\(value.id)  crash  # a control")
        var refuser = Refuser()
        return try runner.run(&refuser).failures.isEmpty
    }

    private func first(_ condition: (VectorCase) -> Bool) throws(Stop) -> VectorCase {
        guard let value = corpus.members.map(\.value).first(where: condition) else {
            throw .corpus("the corpus has no case that a control of the judge needs")
        }
        return value
    }
}

/// Rejects everything.
private struct Refuser: Implementation {
    let name = "refuser"
    func answer(_ op: String, _ fields: [String: String]) -> Answer { .rejected("range") }
}
