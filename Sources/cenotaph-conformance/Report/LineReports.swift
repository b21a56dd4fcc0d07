/// A run as the Test Anything Protocol, version 14.
enum TAPReport {
    static func text(_ run: ReportDocument) -> String {
        var lines = ["TAP version 14", "1..\(run.results.count)"]
        for (index, result) in run.results.enumerated() {
            let isGood = [.pass, .skipped, .notSelected].contains(result.outcome)
            let line = "\(isGood ? "ok" : "not ok") \(index + 1) - \(result.id)"
            switch result.outcome {
            case .pass: lines.append(line)
            case .skipped, .notSelected, .notRun:
                lines.append("\(line) # SKIP \(result.outcome.rawValue)")
            case .xfail: lines.append("\(line) # TODO expected \(result.label)")
            case .fail, .crash, .timeout, .unsupported, .xpass:
                lines.append(line)
                lines += ["  ---", "  outcome: \(result.label)"]
                lines.append("  message: \(quoted(result.difference ?? ""))")
                lines.append("  ...")
            }
        }
        lines.append("# \(run.implementation); corpus \(run.corpus), manifest \(run.manifest)")
        lines.append("# checker \(run.checker), seed \(run.seed); claim: \(run.claim)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line of YAML in single quotes.
    private static func quoted(_ text: String) -> String {
        let line = text.map { $0.isNewline ? " " : $0 }
        return "'" + line.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}

/// A run as JUnit's XML: a suite for each file of the corpus.
enum JUnitReport {
    static func text(_ run: ReportDocument) -> String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        let failures = run.results.count { isFailure($0.outcome) }
        lines.append(
            #"<testsuites name="cenotaph-conformance" tests="\#(run.results.count)" failures="\#(failures)">"#
        )
        for file in run.files {
            lines += suite(file, run.results.filter { $0.file == file }, run)
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func isFailure(_ outcome: Outcome) -> Bool {
        outcome.isFailure || outcome == .xpass || outcome == .notRun
    }

    private static func suite(
        _ file: String, _ results: [ReportDocument.Result], _ run: ReportDocument
    ) -> [String] {
        let failures = results.count { isFailure($0.outcome) }
        let skipped = results.count { [.skipped, .notSelected, .xfail].contains($0.outcome) }
        var lines = [
            #"  <testsuite name="\#(Markup.escape(file))" tests="\#(results.count)" failures="\#(failures)" skipped="\#(skipped)">"#,
            "    <properties>",
        ]
        let properties = [
            ("corpus", run.corpus), ("manifest", run.manifest), ("checker", run.checker),
            ("seed", run.seed), ("implementation", run.implementation), ("claim", run.claim),
        ]
        lines += properties.map {
            #"      <property name="\#($0)" value="\#(Markup.escape($1))"/>"#
        }
        lines.append("    </properties>")
        for result in results {
            let head =
                #"    <testcase classname="\#(Markup.escape(result.op))" name="\#(Markup.escape(result.id))""#
            let message = Markup.escape(result.difference ?? result.label)
            switch result.outcome {
            case .pass: lines.append("\(head)/>")
            case .skipped, .notSelected, .xfail:
                lines.append(
                    #"\#(head)><skipped message="\#(result.outcome.rawValue)"/></testcase>"#)
            case .fail, .crash, .timeout, .unsupported, .xpass, .notRun:
                lines.append(
                    #"\#(head)><failure type="\#(result.label)" message="\#(message)"/></testcase>"#
                )
            }
        }
        return lines + ["  </testsuite>"]
    }
}

/// Text in XML and HTML.
enum Markup {
    /// The text as character data or as an attribute in double quotes.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n": escaped += " "
            case _ where scalar.value < 32 || scalar.value == 127: escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
