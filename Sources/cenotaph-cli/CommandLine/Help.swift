extension Command {
    /// The help of one command, or of all.
    static func help(for name: String?) -> String {
        if let name, let command = all.first(where: { $0.name == name }) {
            return "usage: cenotaph \(command.usage)\n\n\(command.summary)"
        }
        let width = all.map(\.name.count).max() ?? 0
        let lines = all.map { command in
            let first = command.summary.split(separator: "\n").first ?? ""
            let gap = String(repeating: " ", count: width - command.name.count)
            return "  \(command.name)\(gap)  \(first)"
        }
        return """
            cenotaph: deletes that stay deleted, on every device

            usage: cenotaph COMMAND [WORDS] [OPTIONS]

            \(lines.joined(separator: "\n"))

            cenotaph help COMMAND says more about one.

            --home DIR   the folder with fleet.key, schema and replica.sqlite (else $CENOTAPH_HOME,
                         else .cenotaph here)
            --version    say which version this is
            --json       print JSON, where a command prints anything

            exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 the write was refused,
            4 peers did not agree, 5 store or key file unusable, 6 some input unreadable,
            7 a frame was rejected, 70 a bug
            """
    }
}
