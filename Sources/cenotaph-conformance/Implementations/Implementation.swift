/// Whoever answers the operations of Spec 11: the library in this process, or an adapter.
protocol Implementation {
    /// What reports call it.
    var name: String { get }

    /// Answers one operation. An `adapter` stop ends the run; everything else costs one case.
    mutating func answer(_ op: String, _ fields: [String: String]) throws(Stop) -> Answer
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
