internal import FoundationEssentials

/// `init LANG DIR`: a skeleton of an adapter that runs as it comes out.
enum InitCommand {
    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words)
        guard arguments.positional.count == 2, arguments.adapter.isEmpty else {
            throw .usage("init LANG DIR, where LANG is one of \(Skeleton.names)")
        }
        let (name, folder) = (arguments.positional[0], arguments.positional[1])
        guard let skeleton = Skeleton.all.first(where: { $0.name == name }) else {
            throw .usage("no skeleton for \(name), only for \(Skeleton.names)")
        }
        guard Folder.names(folder).isEmpty else { throw .usage("\(folder) is not empty") }
        for (path, text) in skeleton.files + [("README.md", skeleton.readme)] {
            guard Folder.make("\(folder)/\(path)") else {
                throw .usage("cannot make a folder for \(folder)/\(path)")
            }
            try Console.save(text, to: "\(folder)/\(path)")
        }
        Console.print("\(folder) has an adapter in \(name); see \(folder)/README.md")
        return .ok
    }
}

/// The files of an adapter that knows one operation, in one language.
struct Skeleton: Sendable {
    let name: String
    /// The command that builds it, in its folder; empty if there is nothing to build.
    let build: String
    /// The command that runs it, in its folder.
    let command: String
    /// Paths and texts.
    let files: [(String, String)]

    static let all = [python, javascript, c, go, rust, swift]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// What to do next.
    var readme: String {
        let building = build.isEmpty ? "" : "    \(build)\n"
        return """
            # An adapter for Cenotaph's conformance checker

            It speaks adapter protocol 1 (Spec/11-conformance.md): one JSON object a line from the standard input, one answer a line
            to the standard output, and it ends with its input. One operation is there, `uvarint.decode`, as an example; all
            others are answered `unsupported`.

            \(building)    cenotaph-conformance run --only uvarint.decode -- \(command)
                cenotaph-conformance run --level L1 -- \(command)

            The first passes. In the second, what is not there is counted as unsupported: put your implementation behind the
            operations, one by one, in the order of the table in Spec/11-conformance.md. Answer `ok` with the fields that the
            table names, `reject` with a class of Spec/09-errors.md, and `error` where the adapter itself fails, which
            satisfies no case.

                cenotaph-conformance run --only frame.decode --html report.html -- \(command)
                cenotaph-conformance repro ID -- \(command)

            show the report as a page, and feed one request by hand.

            """
    }
}
