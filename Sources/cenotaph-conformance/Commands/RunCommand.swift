/// `run`: asks an implementation every selected case.
enum RunCommand {
    /// The levels of Spec 11 that have vectors.
    static let levels = ["L1", "L2", "L3", "L4"]
    /// Generated cases of each area in a run.
    static let generated = 16
    /// Forms of the report, each with the path that it is written to.
    private static let forms:
        [(option: String, text: @Sendable (ReportDocument) throws(Stop) -> String)] = [
            ("--json", { (run) throws(Stop) in try JSON.pretty(run) + "\n" }),
            ("--junit", { (run) throws(Stop) in JUnitReport.text(run) }),
            ("--tap", { (run) throws(Stop) in TAPReport.text(run) }),
            ("--md", { (run) throws(Stop) in MarkdownReport.text([run]) }),
            ("--html", { (run) throws(Stop) in HTMLReport.text([run]) }),
            ("--badge", { (run) throws(Stop) in Badge.text(run) }),
        ]

    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(
            words, flags: ["--strict-errors", "--debug-names", "--trace"],
            options: selecting.union([
                "--seed", "--timeout", "--generated", "--xfail", "--write-xfail",
            ]).union(forms.map(\.option)))
        try arguments.expectNoMore(adapter: true)
        let corpus = try Corpus.find(arguments["--vectors"])
        let report = try report(arguments, corpus)
        guard report.addsUp else {
            throw Stop(code: .bug, message: "the totals do not add up to the corpus")
        }
        try write(report, arguments)
        if report.totals[.notRun] != nil {
            Console.complain("the adapter failed \(Adapter.patience) times in a row; the run ended")
        }
        return report.exitCode
    }

    private static func report(_ arguments: Arguments, _ corpus: Corpus) throws(Stop) -> RunReport {
        let seed = try seed(arguments)
        let count = try number(arguments, "--generated", 0...10_000) ?? generated
        var runner = Runner(
            corpus: corpus, selection: try selection(arguments, corpus),
            judge: Judge(isStrict: arguments.has("--strict-errors")), seed: seed,
            tellsNames: arguments.has("--debug-names"))
        runner.generated = CaseMaker(corpus: corpus).members(seed: seed, perArea: count)
        if let path = arguments["--xfail"] {
            guard let bytes = Folder.bytes(path) else { throw .usage("cannot read \(path)") }
            runner.expectations = try Expectations(parsing: String(decoding: bytes, as: UTF8.self))
        }
        guard !arguments.adapter.isEmpty else {
            var implementation = BuiltIn()
            return try runner.run(&implementation)
        }
        var adapter = try Adapter(
            arguments.adapter, spec: corpus.manifest.spec, timeout: try timeout(arguments))
        adapter.isTraced = arguments.has("--trace")
        return try runner.run(&adapter) { $0.isHopeless }
    }

    /// Writes each form that is asked for; the lines go to the standard output, unless a form does.
    private static func write(_ report: RunReport, _ arguments: Arguments) throws(Stop) {
        let document = ReportDocument(of: report)
        var isTaken = false
        for form in forms {
            guard let path = arguments[form.option] else { continue }
            isTaken = isTaken || path == "-"
            try Console.save(try form.text(document), to: path)
        }
        if let path = arguments["--write-xfail"] {
            try Console.save(Expectations.text(of: report), to: path)
        }
        guard !isTaken else { return }
        let text = TextReport(report: report, command: arguments.adapter)
        for line in text.lines() { Console.print(line) }
    }

    /// The options that choose cases.
    static let selecting: Set<String> = ["--vectors", "--only", "--skip", "--section", "--level"]

    static func selection(_ arguments: Arguments, _ corpus: Corpus) throws(Stop) -> Selection {
        var selection = Selection(
            only: try Selection.patterns(arguments["--only"]),
            skip: try Selection.patterns(arguments["--skip"]),
            sections: try Selection.patterns(arguments["--section"]))
        if let level = arguments["--level"] {
            guard levels.contains(level) else { throw .usage("a level is one of L1 to L4") }
            guard let asked = corpus.manifest.levels[level] else {
                throw .corpus("the manifest does not know level \(level)")
            }
            selection.files = Set(asked.files)
        }
        guard corpus.members.contains(where: { selection.takes($0, corpus.specification) }) else {
            throw .usage("no case is selected")
        }
        return selection
    }

    static func seed(_ arguments: Arguments) throws(Stop) -> UInt64 {
        guard let text = arguments["--seed"] else {
            return UInt64.random(in: 0...UInt64(UInt32.max))
        }
        guard let seed = UInt64(text) else { throw .usage("a seed is a number") }
        return seed
    }

    static func number(
        _ arguments: Arguments, _ option: String, _ range: ClosedRange<Int>
    ) throws(Stop) -> Int? {
        guard let text = arguments[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage("\(option) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func timeout(_ arguments: Arguments) throws(Stop) -> Duration {
        try duration(arguments, "--timeout", 0.01...3_600) ?? .seconds(5)
    }

    /// A number of seconds, with or without an `s` behind it.
    static func duration(
        _ arguments: Arguments, _ option: String, _ range: ClosedRange<Double>
    ) throws(Stop) -> Duration? {
        guard let text = arguments[option] else { return nil }
        let digits = text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let seconds = Double(digits), range.contains(seconds) else {
            throw .usage("\(option) is \(range.lowerBound) to \(range.upperBound) seconds")
        }
        return .milliseconds(Int(seconds * 1_000))
    }
}
