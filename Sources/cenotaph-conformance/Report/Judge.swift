internal import CenotaphWire

/// What became of a case.
///
/// Together they always add up to the corpus.
enum Outcome: String, CaseIterable, Encodable {
    case pass, fail, crash, timeout, unsupported
    case notSelected = "not-selected"
    /// Selected, and the run ended before its turn.
    case notRun = "not-run"
}

/// A case's outcome, and why it did not pass.
struct Verdict {
    let outcome: Outcome
    var difference = ""
    var diagnosis: String?
}

/// Compares answers with what a case expects.
struct Judge {
    /// Whether the class of a rejection counts, not only its layer.
    let isStrict: Bool

    func verdict(_ answer: Answer, on value: VectorCase) -> Verdict {
        switch answer {
        case .unsupported(let text): Verdict(outcome: .unsupported, difference: text)
        case .crashed(let text): Verdict(outcome: .crash, difference: text)
        case .timedOut: Verdict(outcome: .timeout, difference: "no answer in time")
        case .failed(let text): Verdict(outcome: .fail, difference: "internal error: \(text)")
        case .accepted(let out): accepted(out, value)
        case .rejected(let name, let note): rejected(name, note, value)
        }
    }

    private func accepted(_ out: [String: String], _ value: VectorCase) -> Verdict {
        let diagnosis = (value.decoys ?? [:]).first { out.values.contains($0.key) }?.value
        guard let expected = value.out else {
            let name = value.reject?.class ?? "?"
            return Verdict(
                outcome: .fail, difference: "expected \(name), but the input was accepted",
                diagnosis: diagnosis)
        }
        guard out != expected else { return Verdict(outcome: .pass) }
        let names = Set(out.keys).union(expected.keys).sorted()
        let wrong = names.filter { out[$0] != expected[$0] }
        let first = wrong.first ?? ""
        let more = wrong.count > 1 ? " (and \(wrong.count - 1) more fields)" : ""
        let line =
            "\(first): expected \(Judge.short(expected[first])), got \(Judge.short(out[first]))"
        return Verdict(outcome: .fail, difference: line + more, diagnosis: diagnosis)
    }

    private func rejected(_ name: String, _ note: String, _ value: VectorCase) -> Verdict {
        let suffix = note.isEmpty ? "" : " (\(note))"
        guard let expected = value.reject else {
            return Verdict(
                outcome: .fail, difference: "expected acceptance, got \(name)\(suffix)")
        }
        if name == expected.class || expected.also?.contains(name) ?? false {
            return Verdict(outcome: .pass)
        }
        if !isStrict, name.isEmpty || Judge.layer(of: name) == expected.layer {
            return Verdict(outcome: .pass)
        }
        let layer = isStrict ? "" : " of layer \(expected.layer)"
        return Verdict(
            outcome: .fail, difference: "expected \(expected.class)\(layer), got \(name)\(suffix)")
    }

    private static func layer(of name: String) -> String? {
        ErrorClass.allCases.first { $0.name == name }?.layer
    }

    private static func short(_ text: String?) -> String {
        guard let text else { return "nothing" }
        return text.count <= 80 ? "\"\(text)\"" : "\"\(text.prefix(72))...\" (\(text.count))"
    }
}
