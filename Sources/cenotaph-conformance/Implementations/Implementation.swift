/// Whoever answers the operations of Spec 11: the library in this process, or an adapter.
protocol Implementation {
    /// What reports call it.
    var name: String { get }

    /// What it said of itself; empty for the library.
    var greeting: [String: String] { get }

    /// Answers one operation. An `adapter` stop ends the run; everything else costs one case.
    mutating func answer(_ op: String, _ fields: [String: String]) throws(Stop) -> Answer
}

extension Implementation {
    var greeting: [String: String] { [:] }

    /// The features that it claims.
    var features: Set<String> {
        Set((greeting["features"] ?? "").split(separator: " ").map(String.init))
    }
}

/// What an implementation said, or what became of it.
enum Answer: Hashable {
    /// The input is taken, with these results.
    case accepted([String: String])
    /// The input is rejected with a class; the note is for people.
    case rejected(String, note: String = "")
    /// The operation is not there.
    case unsupported(String)
    /// The implementation failed by its own account; this satisfies no case.
    case failed(String)
    /// The process ended, or said something that is no answer.
    case crashed(String)
    /// No answer came in time.
    case timedOut
}
