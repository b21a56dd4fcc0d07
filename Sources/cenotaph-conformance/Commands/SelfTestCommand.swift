/// `selftest`: whether the checker goes red where it must.
enum SelfTestCommand {
    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(
            words, flags: ["--no-mistakes"], options: ["--vectors", "--seed", "--python"])
        try arguments.expectNoMore()
        let corpus = try Corpus.find(arguments["--vectors"])
        let seed = try RunCommand.seed(arguments)
        var controls = try JudgeControls(corpus: corpus).controls()
        controls += try AdapterControls(corpus: corpus, program: program, seed: seed).controls()
        if !arguments.has("--no-mistakes") {
            controls += try MutantControls(
                corpus: corpus, python: arguments["--python"] ?? "python3", seed: seed
            ).controls()
        }
        for line in table(controls) { Console.print(line) }
        let wrong = controls.count { $0.problem != nil }
        Console.print("\(controls.count) controls, \(wrong) not as expected; seed \(seed)")
        return wrong == 0 ? .ok : .bug
    }

    /// This program, for starting it again.
    static var program: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            CommandLine.arguments[0]
        #endif
    }

    static func table(_ controls: [Control]) -> [String] {
        let widest = controls.map(\.name.count).max() ?? 0
        return controls.map { control in
            let padding = String(repeating: " ", count: widest - control.name.count)
            let group = control.group + String(repeating: " ", count: 8 - control.group.count)
            let verdict = control.problem.map { "WRONG  \($0)" } ?? "ok"
            return "\(group) \(control.name)\(padding)  \(control.expected): \(verdict)"
        }
    }

    /// `double NAME`: a misbehaving adapter, for the self-test.
    static func double(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words, options: ["--vectors"])
        guard let kind = Misbehaviour(rawValue: try arguments.single("double")) else {
            throw .usage("a double is one of \(Misbehaviour.allCases.map(\.rawValue))")
        }
        try kind.serve(arguments["--vectors"])
        return .ok
    }
}
