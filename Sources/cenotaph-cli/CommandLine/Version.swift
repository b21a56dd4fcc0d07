import Cenotaph

/// What this tool is, and what it reads and writes.
enum Version {
    /// The tool's own number.
    static let number = "0.1.0"
    /// The text that it follows.
    static let specification = "1.0-draft.1"

    static var description: String {
        "cenotaph \(number) (specification \(specification), wire version \(Envelope.version), "
            + "store format \(Format.version))"
    }
}
