/// `lint`: whether the corpus is what it claims to be.
enum LintCommand {
    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(words, options: ["--vectors"])
        try arguments.expectNoMore()
        let corpus = try Corpus.find(arguments["--vectors"])
        let problems = Lint(corpus: corpus).problems()
        for problem in problems { Console.print(problem) }
        let noun = problems.count == 1 ? "problem" : "problems"
        Console.print(
            "\(corpus.members.count) cases, \(corpus.specification.sentences.count) sentences: "
                + "\(problems.count) \(noun)")
        return problems.isEmpty ? .ok : .corpus
    }
}

/// The checks of `lint`.
struct Lint {
    private let corpus: Corpus
    private let twins: TwinCheck

    init(corpus: Corpus) {
        self.corpus = corpus
        twins = TwinCheck(corpus: corpus)
    }

    /// Every problem as a line.
    func problems() -> [String] {
        manifest() + ids() + corpus.members.flatMap { problems(of: $0.value) } + coverage()
    }

    private func manifest() -> [String] {
        var problems: [String] = []
        for (name, file) in corpus.manifest.files.sorted(by: { $0.key < $1.key }) {
            if Folder.bytes("\(corpus.folder)/\(name)").map(Corpus.sha256) != file.sha256 {
                problems.append("MANIFEST.json: \(name) has another hash")
            }
            let cases = corpus.members.filter { $0.file == name }
            let accepted = cases.count { $0.value.out != nil }
            let counts = (cases.count, accepted, cases.count - accepted)
            if counts != (file.cases, file.accepted, file.rejected) {
                problems.append("MANIFEST.json: \(name) has other counts: \(counts)")
            }
        }
        for (name, file) in corpus.manifest.future ?? [:] {
            if Folder.bytes("\(corpus.folder)/\(name)").map(Corpus.sha256) != file.sha256 {
                problems.append("MANIFEST.json: \(name) has another hash")
            }
            let canaries = corpus.canaries.filter { $0.file == name }
            if canaries.count != file.cases {
                problems.append("MANIFEST.json: \(name) has \(canaries.count) cases")
            }
            problems += canaries.filter { ($0.value.requires ?? []).isEmpty }.map {
                "\($0.value.id): a canary needs a feature that nobody has"
            }
        }
        let lists = corpus.manifest.lists ?? [:]
        for (name, hash) in [lists, corpus.manifest.schema ?? [:]].joined()
        where Folder.bytes("\(corpus.folder)/\(name)").map(Corpus.sha256) != hash {
            problems.append("MANIFEST.json: \(name) has another hash")
        }
        for (name, level) in corpus.manifest.levels {
            let files = Set(level.files)
            if corpus.members.count(where: { files.contains($0.file) }) != level.cases {
                problems.append("MANIFEST.json: level \(name) has another count")
            }
        }
        if corpus.members.count != corpus.manifest.cases {
            problems.append("MANIFEST.json: \(corpus.members.count) cases are there")
        }
        let present = Folder.names(corpus.folder).filter { $0.hasSuffix(".json") }
        for name in present
        where name != "MANIFEST.json" && corpus.manifest.files[name] == nil && lists[name] == nil {
            problems.append("MANIFEST.json does not name \(name)")
        }
        return problems
    }

    private func ids() -> [String] {
        var seen: Set<String> = []
        return (corpus.members + corpus.canaries).compactMap { member in
            seen.insert(member.value.id).inserted ? nil : "\(member.value.id): the id stands twice"
        }
    }

    private func problems(of value: VectorCase) -> [String] {
        var problems: [String] = []
        if (value.out == nil) == (value.reject == nil) {
            problems.append("exactly one of out and reject is needed")
        }
        if value.reject != nil, (value.twin == nil) == (value.twinless == nil) {
            problems.append("a rejection has a twin, or a reason why not")
        }
        if value.req.isEmpty { problems.append("no requirement") }
        if BuiltIn.operations[value.op] == nil { problems.append("no operation \(value.op)") }
        if !corpus.specification.isEmpty {
            for id in value.req where corpus.specification.sentences[id] == nil {
                problems.append("no sentence \(id) in the text")
            }
        }
        if let twin = value.twin, let problem = twins.problem(value, twin) {
            problems.append(problem)
        }
        return problems.map { "\(value.id): \($0)" }
    }

    /// Sentences with a MUST that no case tests and `untestable.md` does not name.
    private func coverage() -> [String] {
        let tested = Set(corpus.members.flatMap(\.value.req))
        let specification = corpus.specification
        return specification.sentences.keys.sorted().filter { id in
            specification.sentences[id]?.contains("MUST") ?? false
                && !tested.contains(id) && !specification.untestable.contains(id)
        }.map { "\($0): a MUST that no case tests" }
    }
}
