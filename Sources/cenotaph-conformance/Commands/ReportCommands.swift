/// `report merge` and `repro`: forms of what was found.
enum ReportCommands {
    /// `report merge A.json B.json ...`: runs of several implementations side by side.
    static func report(_ words: [String]) throws(Stop) -> ExitCode {
        guard words.first == "merge" else { throw .usage("report merge A.json B.json ...") }
        let arguments = try Arguments(Array(words.dropFirst()), options: ["--md", "--html"])
        guard arguments.adapter.isEmpty, !arguments.positional.isEmpty else {
            throw .usage("report merge needs what run --json wrote")
        }
        var runs: [ReportDocument] = []
        for path in arguments.positional { runs.append(try Matrix.read(path)) }
        if let other = runs.first(where: { $0.manifest != runs[0].manifest }) {
            throw .usage(
                "\(other.implementation) was run on another corpus than \(runs[0].implementation)")
        }
        if let path = arguments["--html"] { try Console.save(HTMLReport.text(runs), to: path) }
        if let path = arguments["--md"] ?? (arguments["--html"] == nil ? "-" : nil) {
            try Console.save(MarkdownReport.text(runs), to: path)
        }
        return .ok
    }

    /// `repro ID -- CMD`: a shell line that feeds one request to an adapter.
    static func repro(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words, options: ["--vectors"])
        guard arguments.positional.count == 1 else { throw .usage("give one case id") }
        let corpus = try Corpus.find(arguments["--vectors"])
        let value = try corpus.find(arguments.positional[0])
        let command =
            arguments.adapter.isEmpty ? ["cenotaph-conformance", "adapter"] : arguments.adapter
        Console.print(try Repro.line(value, command))
        return .ok
    }
}

extension Corpus {
    /// The case of that id: one of the corpus, a canary, or a generated one, which its id makes again.
    func find(_ id: String) throws(Stop) -> VectorCase {
        if let value = self[id] { return value }
        if let canary = canaries.first(where: { $0.value.id == id }) { return canary.value }
        if let fresh = CaseMaker(corpus: self).member(id: id) { return fresh.value }
        throw .usage("no case is called \(id)")
    }
}
