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

          run [--vectors DIR] [--only GLOB] [--level L1..L4] [--strict-errors] [--json]
              [--seed N] [--timeout SECONDS] [-- CMD args...]
                        the library of this package, or an adapter that speaks protocol 1
          list [--vectors DIR] [--only GLOB]
          show [--vectors DIR] ID
          explain [--vectors DIR] [--sealed] [--key FILE] HEX|ID
                        a commented byte dump of a frame, or of a sealed one
          lint [--vectors DIR]
                        hashes, counts, ids, twins, requirements
          adapter       answers protocol 1 on the standard input with the library
          --help, --version

        Exit codes: 0 ok, 1 a case failed, 3 the adapter, 4 the arguments, 5 the corpus, 70 the checker.
        GLOB is matched with the id, the operation and the requirements of a case.
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
