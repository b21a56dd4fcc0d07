import Cenotaph

extension Command {
    static let explain = Command(
        name: "explain", usage: "explain NAMESPACE KEY",
        summary: """
            Say why a row is alive or dead

            Which rule decides, which writes are known and what became of each, and which devices are
            not known to hold the deciding one. KEY may also name a group of a log.
            """
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "KEY")
        let (name, key) = (try namespace(words[0]), try Key(words[1]))
        let explanation = try await Home(arguments).open(.readOnly).explain(name, key)
        if arguments.has("json") {
            try printJSON(ExplanationReport(explanation))
        } else {
            ExplanationReport(explanation).lines(about: words[1]).forEach(System.print)
        }
        return explanation.verdict == .unknown ? .nothingFound : .done
    }

    static let parked = Command(
        name: "parked", usage: "parked [--put ID | --drop ID]",
        summary: """
            List rows that were refused and kept

            --put writes one as a new write of this device, --drop forgets it.
            """,
        options: ["put", "drop"]
    ) { arguments in
        _ = try arguments.take()
        let isRead = arguments.value("put") == nil && arguments.value("drop") == nil
        let replica = try await Home(arguments).open(isRead ? .readOnly : .open)
        if let word = arguments.value("put") {
            let id = try parkedID(word)
            return try await replica.write { try $0.putParked(id) } ? .done : .nothingFound
        }
        if let word = arguments.value("drop") {
            let id = try parkedID(word)
            return try await replica.write { try $0.dropParked(id) } ? .done : .nothingFound
        }
        let rows = try await replica.read { try $0.parked() }
        for row in rows {
            if arguments.has("json") {
                try printJSON([
                    "id": "\(row.id)", "namespace": "\(row.namespace)", "key": "\(row.row.key)",
                    "reason": "\(row.reason)",
                ])
            } else {
                System.print("\(row.id)  \(row.namespace)  \(row.row.key)  \(row.reason)")
            }
        }
        return .done
    }

    private static func parkedID(_ word: String) throws -> Hash256 {
        guard let bytes = Hex.bytes(word), bytes.count == 32 else {
            throw Failure(.usage, "an id is 64 hexadecimal digits")
        }
        return try decodeWhole(bytes) { (reader) throws(WireError) in try reader.hash() }
    }
}

/// An explanation as JSON and as lines for a person.
struct ExplanationReport: Encodable {
    struct Write: Encodable {
        let time: String
        let replica: String
        let fate: String
        let millisecondsAhead: UInt64
    }

    let verdict: String
    let rule: String
    let policy: String
    let writes: [Write]
    let waitingFor: [String]

    init(_ explanation: Explanation) {
        verdict = explanation.verdict.rawValue
        rule = explanation.rule
        policy = "\(explanation.policy)"
        writes = explanation.writes.map { write in
            Write(
                time: String(write.stamp.time), replica: "\(write.stamp.replica)",
                fate: write.fate.rawValue, millisecondsAhead: write.ahead)
        }
        waitingFor = explanation.waitingFor.map { "\($0)" }
    }

    func lines(about key: String) -> [String] {
        var lines = ["\(key) is \(verdict) [\(rule)], under \(policy)"]
        for write in writes {
            let ahead =
                write.millisecondsAhead > 0
                ? ", \(write.millisecondsAhead) ms ahead of this clock" : ""
            lines.append("  \(write.fate): written at \(write.time) by \(write.replica)\(ahead)")
        }
        lines += waitingFor.map { "  not known to have it: \($0)" }
        return lines
    }
}
