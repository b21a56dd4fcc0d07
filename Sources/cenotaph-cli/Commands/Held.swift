import Cenotaph

extension Command {
    static let held = Command(
        name: "held", usage: "held [--keys] [--approve EVENT | --undo EVENT]",
        summary: """
            List deletes that were held back because too many rows were missing at once

            An app's table or a mirrored folder that suddenly lacks many rows deletes none: the rows wait
            as one event. --approve deletes those that have not changed since, --undo keeps all: their
            app, or the next mirror, shows them again. --keys lists the rows of each event too.
            """,
        options: ["approve", "undo"], flags: ["keys"]
    ) { arguments in
        _ = try arguments.take()
        guard let decision = try heldDecision(arguments) else {
            return try await listHeld(arguments)
        }
        let replica = try await Home(arguments).open()
        var report = HeldDecisionReport()
        switch decision {
        case .approve(let event):
            let approved = try await replica.approve(heldDeletes: event)
            report.deleted = approved.deleted.map { "\($0)" }
            report.kept = approved.kept.map { "\($0)" }
        case .undo(let event):
            report.kept = try await replica.undo(heldDeletes: event).map { "\($0)" }
        }
        if arguments.has("json") {
            try printJSON(report)
        } else {
            System.print("\(report.deleted.count) rows deleted, \(report.kept.count) kept")
        }
        return .done
    }

    /// What `--approve` or `--undo` says, or `nil` without them.
    static func heldDecision(_ arguments: Arguments) throws -> HeldDecision? {
        let (approve, undo) = (arguments.value("approve"), arguments.value("undo"))
        guard approve == nil || undo == nil else {
            throw Failure(.usage, "either --approve or --undo")
        }
        guard let text = approve ?? undo else { return nil }
        guard let event = UInt64(text) else { throw Failure(.usage, "no such event: \(text)") }
        return approve == nil ? .undo(event) : .approve(event)
    }

    private static func listHeld(_ arguments: Arguments) async throws -> ExitCode {
        let withKeys = arguments.has("keys")
        let events = try await Home(arguments).open(.readOnly).read { snapshot in
            try snapshot.heldDeletes().map { event in
                HeldReport(event, keys: withKeys ? try snapshot.heldKeys(event.id) : nil)
            }
        }
        for event in events {
            if arguments.has("json") {
                try printJSON(event)
            } else {
                event.lines.forEach(System.print)
            }
        }
        return .done
    }
}

/// What is to become of an event.
enum HeldDecision: Sendable {
    case approve(UInt64)
    case undo(UInt64)
}

/// What became of an event's rows, as JSON.
struct HeldDecisionReport: Codable {
    var deleted: [String] = []
    var kept: [String] = []
}

/// An event that holds back deletes, as JSON and as lines for a person.
struct HeldReport: Codable, Sendable {
    let event: UInt64
    let namespace: String
    let observer: String
    let milliseconds: UInt64
    let rows: Int
    let keys: [String]?

    init(_ held: HeldDeletes, keys: [Key]?) {
        event = held.id
        namespace = "\(held.namespace)"
        observer = held.observer
        milliseconds = held.milliseconds
        rows = held.rows
        self.keys = keys.map { $0.map { "\($0)" } }
    }

    var lines: [String] {
        let name = Hex.readable(Array(observer.utf8))
        return ["\(event)  \(namespace)  \(name)  \(rows) rows"] + (keys ?? []).map { "  \($0)" }
    }
}
