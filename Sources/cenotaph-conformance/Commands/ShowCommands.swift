internal import CenotaphSeal
internal import CenotaphWire

/// `list`, `show` and `explain`: looking at cases and bytes.
enum ShowCommands {
    static func list(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words, options: RunCommand.selecting)
        try arguments.expectNoMore()
        let corpus = try Corpus.find(arguments["--vectors"])
        let selection = try RunCommand.selection(arguments, corpus)
        for member in corpus.members where selection.takes(member, corpus.specification) {
            let value = member.value
            let expectation = value.reject?.class ?? "accepted"
            let comment = value.comment.map { "  \($0)" } ?? ""
            Console.print("\(value.id)  \(value.op)  \(expectation)\(comment)")
        }
        return .ok
    }

    static func show(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words, options: ["--vectors"])
        let id = try arguments.single("case id")
        let corpus = try Corpus.find(arguments["--vectors"])
        let value = try corpus.find(id)
        Console.print("\(value.id)  \(value.op)")
        if let comment = value.comment { Console.print("  \(comment)") }
        printFields("in", value.in)
        if let out = value.out { printFields("out", out) }
        if let reject = value.reject {
            Console.print("  reject \(reject.class), layer \(reject.layer)")
        }
        if let twin = value.twin {
            let layer = twin.layer.map { " of the \($0)" } ?? ""
            for edit in twin.edits {
                Console.print(
                    "  made from \(twin.of): in \(twin.field)\(layer), at byte \(edit.at) take out "
                        + "\(edit.del) and put in \"\(edit.ins)\"")
            }
        }
        if let why = value.twinless { Console.print("  no twin: \(why)") }
        for id in value.req {
            Console.print("  \(id)  \(corpus.specification.sentences[id] ?? "(text not found)")")
        }
        for (wrong, why) in (value.decoys ?? [:]).sorted(by: { $0.value < $1.value }) {
            Console.print("  not \(wrong.prefix(40)): \(why)")
        }
        printAll(Explanation.frames(of: value))
        return .ok
    }

    static func explain(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(
            words, flags: ["--sealed"], options: ["--vectors", "--key"])
        let what = try arguments.single("case id or hexadecimal text")
        if let bytes = Hex.bytes(what) {
            let keys = try keys(arguments["--key"])
            guard keys == nil, !arguments.has("--sealed") else {
                printAll(Explanation.sealed(bytes, keys))
                return .ok
            }
            printAll([Explanation.frame(bytes)])
            return .ok
        }
        let corpus = try Corpus.find(arguments["--vectors"])
        let value = try corpus.find(what)
        let explanations = Explanation.frames(of: value)
        guard !explanations.isEmpty else {
            throw .usage("\(what) holds no frame; see show \(what)")
        }
        printAll(explanations)
        return .ok
    }

    private static func keys(_ path: String?) throws(Stop) -> FleetKeys? {
        guard let path else { return nil }
        do {
            return try FleetKeyFile.load(path)
        } catch {
            throw .usage("the key file was not taken: \(error)")
        }
    }

    private static func printFields(_ title: String, _ fields: [String: String]) {
        for name in fields.keys.sorted() {
            Console.print("  \(title) \(name) = \(fields[name] ?? "")")
        }
    }

    private static func printAll(_ explanations: [Explanation]) {
        for explanation in explanations {
            Console.print(explanation.title)
            for line in explanation.lines { Console.print(line) }
        }
    }
}
