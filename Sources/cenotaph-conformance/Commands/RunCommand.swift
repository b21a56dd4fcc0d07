/// `run`: asks an implementation every selected case.
enum RunCommand {
    private static let levels = ["L1", "L2", "L3", "L4"]

    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(
            words, flags: ["--strict-errors", "--json"],
            options: ["--vectors", "--only", "--level", "--seed", "--timeout"])
        try arguments.expectNoMore(adapter: true)
        let corpus = try Corpus.find(arguments["--vectors"])
        let runner = Runner(
            corpus: corpus, selection: try selection(arguments, corpus),
            judge: Judge(isStrict: arguments.has("--strict-errors")), seed: try seed(arguments))
        let report: RunReport
        if arguments.adapter.isEmpty {
            var implementation = BuiltIn()
            report = try runner.run(&implementation)
        } else {
            var adapter = try Adapter(
                arguments.adapter, spec: corpus.manifest.spec, timeout: try timeout(arguments))
            report = try runner.run(&adapter) { $0.isHopeless }
        }
        guard report.addsUp else {
            throw Stop(code: .bug, message: "the totals do not add up to the corpus")
        }
        if arguments.has("--json") {
            Console.print(try report.json())
        } else {
            for line in report.lines() { Console.print(line) }
        }
        if report.totals[.notRun] != nil {
            Console.complain("the adapter failed \(Adapter.patience) times in a row; the run ended")
            return .adapter
        }
        return report.failures.isEmpty ? .ok : .failure
    }

    private static func selection(
        _ arguments: Arguments, _ corpus: Corpus
    ) throws(Stop) -> Selection {
        var selection = Selection(only: arguments["--only"])
        if let level = arguments["--level"] {
            guard levels.contains(level) else { throw .usage("a level is one of L1 to L4") }
            guard let asked = corpus.manifest.levels[level] else {
                throw .corpus("the manifest does not know level \(level)")
            }
            selection.files = Set(asked.files)
        }
        guard corpus.members.contains(where: selection.takes) else {
            throw .usage("no case is selected")
        }
        return selection
    }

    private static func seed(_ arguments: Arguments) throws(Stop) -> UInt64 {
        guard let text = arguments["--seed"] else {
            return UInt64.random(in: 0...UInt64(UInt32.max))
        }
        guard let seed = UInt64(text) else { throw .usage("a seed is a number") }
        return seed
    }

    private static func timeout(_ arguments: Arguments) throws(Stop) -> Duration {
        guard let text = arguments["--timeout"] else { return .seconds(5) }
        guard let seconds = Double(text), (0.01...3_600).contains(seconds) else {
            throw .usage("a timeout is 0.01 to 3600 seconds")
        }
        return .milliseconds(Int(seconds * 1_000))
    }
}
