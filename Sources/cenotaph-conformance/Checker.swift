#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The conformance checker: vectors against an implementation.
@main
enum Checker {
    static let help = """
        cenotaph-conformance checks an implementation against TestVectors.

          run [CASES] [-- CMD args...]
                        the library of this package, or an adapter that speaks protocol 1
              --strict-errors       the class of a rejection counts, not only its layer
              --seed N              order and fresh cases of an earlier run
              --generated N         fresh cases of each area, 16 unless said
              --timeout SECONDS     for one case, 5 unless said
              --xfail FILE          failures that are known; --write-xfail FILE makes such a file
              --json --junit --tap --md --html --badge FILE
                                    forms of the report; - is the standard output
              --debug-names         requests say which case they are
              --trace               requests and answers on the standard error
          list [CASES]
          show ID, explain [--sealed] [--key FILE] HEX|ID
                        a case; a commented byte dump of a frame, or of a sealed one
          repro ID [-- CMD args...]
                        a shell line that feeds one request to an adapter
          fuzz [--seed N] [--for SECONDS] [--cases N] [--strict-errors] [--out FILE] -- CMD args...
                        fresh cases against an adapter; failures are made small and written as vectors
          report merge A.json B.json... [--md FILE] [--html FILE]
                        runs of several implementations side by side
          init LANG DIR a skeleton of an adapter: \(Skeleton.names)
          lint          hashes, counts, ids, twins, requirements
          selftest [--no-mistakes] [--python CMD] [--seed N]
                        whether the checker goes red where it must
          adapter       answers protocol 1 on the standard input with the library
          --help, --version

        CASES: --level L1..L4, --only, --skip LIST, --section 05. A LIST has patterns of ids, operations and
        requirements, separated by commas; @FILE stands for the lines of a file. --vectors DIR names the corpus.
        Exit codes: 0 ok, 1 a case failed, 2 expectations are stale, 3 the adapter could not start or failed 5 times in a
        row, 4 the arguments, 5 the corpus, 70 the checker.
        """

    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs a command line.
    static func run(_ words: [String]) -> ExitCode {
        do {
            return try dispatch(words)
        } catch {
            Console.complain("cenotaph-conformance: \(error.message)")
            return error.code
        }
    }

    private static func dispatch(_ words: [String]) throws(Stop) -> ExitCode {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "run": return try RunCommand.run(rest)
        case "list": return try ShowCommands.list(rest)
        case "show": return try ShowCommands.show(rest)
        case "explain": return try ShowCommands.explain(rest)
        case "repro": return try ReportCommands.repro(rest)
        case "report": return try ReportCommands.report(rest)
        case "fuzz": return try FuzzCommand.run(rest)
        case "init": return try InitCommand.run(rest)
        case "selftest": return try SelfTestCommand.run(rest)
        case "double": return try SelfTestCommand.double(rest)
        case "lint": return try LintCommand.run(rest)
        case "adapter": return try serve(rest)
        case "--help", "help":
            Console.print(help)
            return .ok
        case "--version":
            Console.print("cenotaph-conformance \(Version.text)")
            return .ok
        case let word?: throw .usage("no command is called \(word); see --help")
        case nil: throw .usage("which command? See --help")
        }
    }

    private static func serve(_ words: [String]) throws(Stop) -> ExitCode {
        try Arguments(words).expectNoMore()
        var server = AdapterServer(implementation: BuiltIn())
        while let line = readLine() {
            if let reply = try server.reply(to: line) { Console.print(reply) }
        }
        return .ok
    }
}
