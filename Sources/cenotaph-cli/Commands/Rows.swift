import Cenotaph

extension Command {
    static let put = Command(
        name: "put", usage: "put NAMESPACE KEY BODY|- [--group GROUP] [--revive]",
        summary: """
            Write a row, or append an event to a log

            BODY is text; - reads it from standard input. In a log, --group names the group that the
            event belongs to. A deleted row is refused; --revive brings it back as a new write.
            """,
        options: ["group"], flags: ["revive"]
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "KEY", "BODY")
        let (name, key) = (try namespace(words[0]), try Key(words[1]))
        let body = words[2] == "-" ? try standardInput() : Array(words[2].utf8)
        let group = try arguments.value("group").map { try Key($0) }
        let revive = arguments.has("revive")
        try await Home(arguments).open().write { tx in
            if let group {
                try tx.append(name, key, group: group, body)
            } else if revive {
                try tx.revive(name, key, body)
            } else {
                try tx.put(name, key, body)
            }
        }
        return .done
    }

    static let get = Command(
        name: "get", usage: "get NAMESPACE KEY",
        summary: """
            Print the body of a row

            With --json also its stamp, and the other values of a conflict; without it, a line on
            standard error says that there are more.
            """
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "KEY")
        let row = try await Home(arguments).open(.readOnly).get(
            try namespace(words[0]), try Key(words[1]))
        guard let row else { return .nothingFound }
        if arguments.has("json") {
            try printJSON(RowReport(row, withBodies: true))
        } else {
            System.write(row.body, to: 1)
            if row.values.count > 1 {
                System.printError("\(row.key) has \(row.values.count) values; get --json shows all")
            }
        }
        return .done
    }

    static let delete = Command(
        name: "delete", usage: "delete NAMESPACE KEY",
        summary: "Delete a row: what this replica sees of it, on every device, for good"
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "KEY")
        let (name, key) = (try namespace(words[0]), try Key(words[1]))
        let deleted = try await Home(arguments).open().delete(name, key)
        return deleted ? .done : .nothingFound
    }

    static let bury = Command(
        name: "bury", usage: "bury NAMESPACE GROUP",
        summary: "Bury a group of a log for ever, events that arrive later included"
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "GROUP")
        let (name, group) = (try namespace(words[0]), try Key(words[1]))
        let buried = try await Home(arguments).open().write { try $0.bury(name, group: group) }
        return buried ? .done : .nothingFound
    }

    static let list = Command(
        name: "list", usage: "list NAMESPACE [--bodies]",
        summary: """
            List the live rows of a namespace

            Key and size of each; --json prints an object a line, with --bodies the bodies too.
            """,
        flags: ["bodies"]
    ) { arguments in
        let name = try namespace(try arguments.take("NAMESPACE")[0])
        let asJSON = arguments.has("json")
        let withBodies = arguments.has("bodies")
        try await Home(arguments).open(.readOnly).read { snapshot in
            var failure: (any Error)?
            try snapshot.forEach(name) { row in
                do {
                    try show(row, asJSON: asJSON, withBodies: withBodies)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        return .done
    }

    private static func show(_ row: LiveRow, asJSON: Bool, withBodies: Bool) throws {
        if asJSON { return try printJSON(RowReport(row, withBodies: withBodies)) }
        let group = row.values[0].group.map { "  [\($0)]" } ?? ""
        let conflict = row.values.count > 1 ? "  (\(row.values.count) values)" : ""
        System.print("\(row.key)  \(row.body.count) B\(group)\(conflict)")
        if withBodies { System.print(Hex.readable(row.body)) }
    }

    /// The namespace that a word names.
    static func namespace(_ word: String) throws -> NamespaceName {
        try NamespaceName(Array(word.utf8))
    }

    private static func standardInput() throws -> [UInt8] {
        try File.read("/dev/stdin", atMost: Limits.maxBody + 1)
    }
}

/// A row as JSON.
///
/// Bytes that are not text are in hexadecimal after `0x`.
struct RowReport: Codable {
    struct Value: Codable {
        let time: String
        let replica: String?
        let group: String?
        let bytes: Int
        let body: String?
    }

    let key: String
    let values: [Value]

    init(_ row: LiveRow, withBodies: Bool) {
        key = "\(row.key)"
        values = row.values.map { value in
            Value(
                time: String(value.time), replica: value.replica.map { "\($0)" },
                group: value.group.map { "\($0)" }, bytes: value.body.count,
                body: withBodies ? RowReport.text(value.body) : nil)
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? "0x" + Hex.string(bytes)
    }
}
