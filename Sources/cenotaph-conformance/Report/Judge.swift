internal import CenotaphWire

/// The comparisons of a run, by name: the self-test leaves them out one by one and must go red.
enum Comparison: String, CaseIterable {
    /// An accepted input where a rejection is expected.
    case acceptance
    /// A rejection where acceptance is expected.
    case rejection
    /// The value of a field.
    case value
    /// A field that is not there.
    case missing
    /// A field that should not be there.
    case extra
    /// The layer of a rejection.
    case layer
    /// The class of a rejection, with strict errors.
    case `class`
    /// An error of the adapter's own.
    case error
    /// A crash or a timeout.
    case mishap
    /// An operation that is not there.
    case unsupported
    /// The twin of a rejection.
    case twin
    /// The outcome that an expectation names.
    case expectation
}

/// Compares answers with what a case expects.
struct Judge {
    /// Whether the class of a rejection counts, not only its layer.
    let isStrict: Bool
    /// The comparison that is left out, in a self-test.
    var without: Comparison?

    func verdict(_ answer: Answer, on value: VectorCase) -> Verdict {
        switch answer {
        case .unsupported(let text):
            unless(.unsupported, Verdict(outcome: .unsupported, difference: text))
        case .crashed(let text): unless(.mishap, Verdict(outcome: .crash, difference: text))
        case .timedOut:
            unless(.mishap, Verdict(outcome: .timeout, difference: "no answer in time"))
        case .failed(let text): unless(.error, .fail(.error, "internal error: \(text)"))
        case .accepted(let out): accepted(out, value)
        case .rejected(let name, let note): rejected(name, note, value)
        }
    }

    private func unless(_ comparison: Comparison, _ verdict: Verdict) -> Verdict {
        without == comparison ? Verdict(outcome: .pass) : verdict
    }

    private func accepted(_ out: [String: String], _ value: VectorCase) -> Verdict {
        let diagnosis = (value.decoys ?? [:]).first { out.values.contains($0.key) }?.value
        guard let expected = value.out else {
            let name = value.reject?.class ?? "?"
            return unless(
                .acceptance,
                .fail(.accepted, "expected \(name), but the input was accepted", diagnosis))
        }
        let wrong = Set(out.keys).union(expected.keys).sorted().filter { name in
            switch (expected[name], out[name]) {
            case (nil, _): without != .extra
            case (_, nil): without != .missing
            case (let expected?, let answered?): expected != answered && without != .value
            }
        }
        guard let first = wrong.first else { return Verdict(outcome: .pass) }
        let more = wrong.count > 1 ? " (and \(wrong.count - 1) more fields)" : ""
        let line = Judge.difference(first, expected[first], out[first])
        return .fail(.value, line + more, diagnosis)
    }

    private func rejected(_ name: String, _ note: String, _ value: VectorCase) -> Verdict {
        let suffix = note.isEmpty ? "" : " (\(note))"
        guard let expected = value.reject else {
            return unless(.rejection, .fail(.rejected, "expected acceptance, got \(name)\(suffix)"))
        }
        if name == expected.class || expected.also?.contains(name) ?? false {
            return Verdict(outcome: .pass)
        }
        if !isStrict, name.isEmpty || Judge.layer(of: name) == expected.layer {
            return Verdict(outcome: .pass)
        }
        let layer = isStrict ? "" : " of layer \(expected.layer)"
        let hint = Judge.layer(of: name) == nil ? ", which is no class of 09" : ""
        return unless(
            isStrict ? .class : .layer,
            .fail(.class, "expected \(expected.class)\(layer), got \(name)\(hint)\(suffix)"))
    }

    /// The layer of a class; `nil` if 09 has no such class.
    static func layer(of name: String) -> String? {
        ErrorClass.allCases.first { $0.name == name }?.layer
    }

    /// One line about a field; of long values, the part about the first character that differs.
    static func difference(_ name: String, _ expected: String?, _ answered: String?) -> String {
        guard let expected else { return "\(name): expected nothing, got \(short(answered))" }
        guard let answered, max(expected.utf8.count, answered.utf8.count) > 80 else {
            return "\(name): expected \(short(expected)), got \(short(answered))"
        }
        let same = zip(expected.utf8, answered.utf8).prefix { $0 == $1 }.count
        func part(_ text: String) -> String {
            let start = max(0, same - same % 2 - 8)
            let piece = String(decoding: text.utf8.dropFirst(start).prefix(48), as: UTF8.self)
            let before = start > 0 ? "..." : ""
            let after = text.utf8.count > start + 48 ? "..." : ""
            return "\"\(before)\(piece)\(after)\" (\(text.utf8.count))"
        }
        return "\(name), at character \(same): expected \(part(expected)), got \(part(answered))"
    }

    private static func short(_ text: String?) -> String {
        guard let text else { return "nothing" }
        return text.count <= 80 ? "\"\(text)\"" : "\"\(text.prefix(72))...\" (\(text.count))"
    }
}
