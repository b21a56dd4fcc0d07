/// How the process ends.
enum ExitCode: Int32 {
    /// Conformant at the level asked for, or nothing to complain of.
    case ok = 0
    /// A case failed that should not have.
    case failure = 1
    /// Expectations are stale: a case passed that should fail, or an entry names no case.
    case stale = 2
    /// The adapter could not start, or does not speak the protocol.
    case adapter = 3
    /// The arguments make no sense.
    case usage = 4
    /// The corpus or its manifest is not in order.
    case corpus = 5
    /// A mistake of the checker itself.
    case bug = 70
}

/// Why a command cannot go on: the process ends with `code` after the message.
struct Stop: Error, Hashable {
    let code: ExitCode
    let message: String

    static func usage(_ message: String) -> Stop { Stop(code: .usage, message: message) }
    static func corpus(_ message: String) -> Stop { Stop(code: .corpus, message: message) }
}
