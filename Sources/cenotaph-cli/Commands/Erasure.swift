import Cenotaph

extension Command {
    static let erasure = Command(
        name: "erasure", usage: "erasure NAMESPACE KEY",
        summary: "Say how far a delete has gone: here, on other devices, and where nobody can tell"
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "KEY")
        let (name, key) = (try namespace(words[0]), try Key(words[1]))
        let report = try await Home(arguments).open(.readOnly).read {
            try $0.erasureReport(name, key)
        }
        if arguments.has("json") {
            try printJSON(
                Report(
                    here: report.here.rawValue,
                    acknowledgedBy: report.acknowledgedBy.map { "\($0)" },
                    waitingFor: report.waitingFor.map { "\($0)" },
                    cannotPromise: ErasureReport.cannotPromise))
        } else {
            System.print("here: \(sentence(for: report.here))")
            for peer in report.acknowledgedBy { System.print("has the delete: \(peer)") }
            for peer in report.waitingFor { System.print("not known to have it: \(peer)") }
            for words in ErasureReport.cannotPromise { System.print("cannot promise: \(words)") }
        }
        return [.notDeleted, .unknown].contains(report.here) ? .nothingFound : .done
    }

    static let scrub = Command(
        name: "scrub", usage: "scrub",
        summary: """
            Rewrite the store so that no byte of a deleted body is left in its file

            Takes time in proportion to the store; nothing else may use it meanwhile.
            """
    ) { arguments in
        _ = try arguments.take()
        try await Home(arguments).open().scrub()
        return .done
    }

    private struct Report: Encodable {
        let here: String
        let acknowledgedBy: [String]
        let waitingFor: [String]
        let cannotPromise: [String]
    }

    private static func sentence(for here: ErasureReport.Here) -> String {
        switch here {
        case .notDeleted: "the row is live"
        case .unknown: "nothing is known of it"
        case .removed:
            "removed from every table; cenotaph scrub erases what the file may still hold"
        case .erased: "erased: the file holds no byte of it"
        case .hidden: "hidden: this namespace keeps what is buried"
        }
    }
}
