/// Runs of one or several implementations side by side, in Markdown.
enum MarkdownReport {
    static func text(_ runs: [ReportDocument]) -> String {
        var lines = ["# Conformance to Cenotaph", ""]
        lines += table(
            ["", "corpus", "manifest", "checker", "seed", "errors", "exit"],
            runs.map { run in
                [
                    "**\(run.implementation)**", run.corpus, "`\(run.manifest.prefix(12))`",
                    run.checker, run.seed, run.strictErrors ? "strict" : "by layer",
                    "\(run.exitCode)",
                ]
            })
        for run in runs { lines += ["", "**\(cell(run.implementation))** claims \(run.claim)"] }
        for run in runs where !run.adapter.isEmpty {
            let hello = run.adapter.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines += [
                "", "Hello of \(cell(run.implementation)): `\(hello.joined(separator: "; "))`",
            ]
        }
        lines += ["", "## Outcomes", ""]
        lines += table(
            [""] + Outcome.allCases.map(\.rawValue) + ["all"],
            runs.map { run in
                [run.implementation] + Outcome.allCases.map { "\(run.count($0))" }
                    + ["\(run.cases)"]
            })
        lines += requirements(runs) + failures(runs)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func requirements(_ runs: [ReportDocument]) -> [String] {
        let sentences = Matrix.sentences(runs)
        return ["", "## Requirements", ""]
            + table(
                ["sentence", "section"] + runs.map(\.implementation) + ["text"],
                sentences.map { sentence in
                    let cells = runs.map { run -> String in
                        guard let found = run.requirements[sentence.id] else { return "" }
                        return found.worst == .pass
                            ? found.score : "\(found.score) **\(found.worst.rawValue)**"
                    }
                    return [sentence.id, sentence.section] + cells + [sentence.text]
                })
    }

    private static func failures(_ runs: [ReportDocument]) -> [String] {
        var lines: [String] = []
        for run in runs {
            let bad = run.results.filter {
                $0.outcome.isFailure || $0.outcome == .xpass || $0.outcome == .xfail
            }
            if bad.isEmpty { continue }
            lines += ["", "## Failures of \(cell(run.implementation))", ""]
            lines += table(
                ["case", "outcome", "sentences", "difference"],
                bad.map { result in
                    let label =
                        result.outcome == .xfail ? "\(result.label), expected" : result.label
                    let text = [result.difference, result.diagnosis].compactMap(\.self)
                    return [
                        result.id, label, result.req.joined(separator: " "),
                        text.joined(separator: "; "),
                    ]
                })
        }
        return lines
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let ruler = head.map { _ in "---" }
        return ([head, ruler] + rows).map { row in
            "| " + row.map(cell).joined(separator: " | ") + " |"
        }
    }

    private static func cell(_ text: String) -> String {
        let escaped = text.map { character -> String in
            switch character {
            case "|": "\\|"
            case "<": "&lt;"
            case _ where character.isNewline: " "
            default: String(character)
            }
        }
        return escaped.joined()
    }
}

/// What the runs of a matrix have in common.
enum Matrix {
    /// Every sentence that a run has, by section and id.
    static func sentences(
        _ runs: [ReportDocument]
    ) -> [(id: String, section: String, text: String)] {
        var found: [String: (section: String, text: String)] = [:]
        for run in runs {
            for (id, requirement) in run.requirements {
                found[id] = (requirement.section, requirement.sentence)
            }
        }
        return found.map { ($0.key, $0.value.section, $0.value.text) }.sorted {
            ($0.1, $0.0) < ($1.1, $1.0)
        }
    }

    /// Reads what `--json` wrote.
    static func read(_ path: String) throws(Stop) -> ReportDocument {
        guard let bytes = Folder.bytes(path) else { throw .usage("cannot read \(path)") }
        let run = try Folder.decode(ReportDocument.self, bytes, path)
        guard run.schema == ReportDocument.schema else {
            throw .usage("\(path) is a report of another form, \(run.schema)")
        }
        return run
    }
}
