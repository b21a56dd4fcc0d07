internal import FoundationEssentials

/// One request as a line for a shell.
enum Repro {
    /// The command that prints the line.
    static func hint(_ id: String, _ command: [String]) -> String {
        let tail = command.isEmpty ? "" : " -- " + command.map(quoted).joined(separator: " ")
        return "cenotaph-conformance repro \(id)\(tail)"
    }

    /// A shell line that feeds the request of a case to an adapter.
    static func line(_ value: VectorCase, _ command: [String]) throws(Stop) -> String {
        let adapter = command.map(quoted).joined(separator: " ")
        return "printf '%s\\n' \(quoted(try request(value))) | \(adapter)"
    }

    /// The request of a case.
    static func request(_ value: VectorCase) throws(Stop) -> String {
        var fields = value.in
        fields["op"] = value.op
        fields["id"] = "q1"
        return try JSON.line(fields)
    }

    /// A word as a shell takes it.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-_./=:+@%".utf8.contains(byte)
            }
        if isPlain { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}

/// Values as JSON, members in order.
enum JSON {
    static func line(_ value: some Encodable) throws(Stop) -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    static func pretty(_ value: some Encodable) throws(Stop) -> String {
        try text(value, [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    }

    private static func text(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
    ) throws(Stop) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        guard let data = try? encoder.encode(value) else {
            throw Stop(code: .bug, message: "a value cannot be written as JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
