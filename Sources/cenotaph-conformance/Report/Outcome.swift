/// What became of a case.
///
/// Together they always add up to the cases of the report.
enum Outcome: String, CaseIterable, Codable {
    case pass, fail, crash, timeout, unsupported
    /// It failed as an expectation says that it does.
    case xfail
    /// It passed where an expectation says that it does not.
    case xpass
    /// It needs a feature that the checker does not know, or that the adapter does not claim.
    case skipped
    case notSelected = "not-selected"
    /// Selected, and the run ended before its turn.
    case notRun = "not-run"

    /// Whether it makes a run fail.
    var isFailure: Bool {
        switch self {
        case .fail, .crash, .timeout, .unsupported: true
        case .pass, .xfail, .xpass, .skipped, .notSelected, .notRun: false
        }
    }
}

/// In which way a case failed.
enum FailCause: String, CaseIterable, Codable {
    /// Taken, where a rejection is expected.
    case accepted
    /// Rejected, where acceptance is expected.
    case rejected
    /// Taken as expected, with another result.
    case value
    /// Rejected as expected, with a class of another layer, or with strict errors another class.
    case `class`
    /// Rejected as expected, and so is the accepted case that it was made from.
    case twin
    /// The implementation failed by its own account.
    case error
}

/// A case's outcome, and why it did not pass.
struct Verdict {
    let outcome: Outcome
    var cause: FailCause?
    var difference = ""
    var diagnosis: String?

    /// The outcome as expectation files spell it: `fail:accepted`, `crash`.
    var label: String { cause.map { "fail:\($0.rawValue)" } ?? outcome.rawValue }

    static func fail(_ cause: FailCause, _ difference: String, _ diagnosis: String? = nil)
        -> Verdict
    {
        Verdict(outcome: .fail, cause: cause, difference: difference, diagnosis: diagnosis)
    }

    /// The same with another outcome; label and difference stay.
    func with(_ outcome: Outcome) -> Verdict {
        Verdict(outcome: outcome, cause: cause, difference: difference, diagnosis: diagnosis)
    }
}
