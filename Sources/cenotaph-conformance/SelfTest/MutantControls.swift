/// The mistakes of `bugs.json`, made by the executable specification; the corpus must tell each of them.
struct MutantControls {
    let corpus: Corpus
    /// The command that runs Python.
    let python: String
    let seed: UInt64

    private struct File: Decodable {
        struct Bug: Decodable {
            let name: String
            let description: String
            let by: [String]
            let strict: Bool?
        }

        let bugs: [Bug]
    }

    private var command: [String] {
        [python, "\(corpus.folder)/../../Spec/adapters/python/adapter.py"]
    }

    /// The adapter without a mistake, and then with each.
    func controls() throws(Stop) -> [Control] {
        guard let bytes = Folder.bytes("\(corpus.folder)/bugs.json") else {
            throw .corpus("no bugs.json in \(corpus.folder)")
        }
        let bugs = try Folder.decode(File.self, bytes, "bugs.json").bugs
        var controls = [try unchanged()]
        for bug in bugs { controls.append(try control(bug)) }
        return controls
    }

    private func unchanged() throws(Stop) -> Control {
        var runner = Runner(
            corpus: corpus, selection: Selection(), judge: Judge(isStrict: true), seed: seed)
        runner.generated = CaseMaker(corpus: corpus).members(
            seed: seed, perArea: RunCommand.generated)
        let report = try run(command, runner)
        let bad = report.failures.first
        return Control(
            group: "mistake", name: "none", expected: "the whole corpus passes, fresh cases too",
            problem: report.exitCode == .ok
                ? nil : bad.map { "\($0.member.value.id): \($0.verdict.difference)" } ?? "it ended")
    }

    /// Every case that is said to tell the mistake must fail.
    private func control(_ bug: File.Bug) throws(Stop) -> Control {
        let runner = Runner(
            corpus: corpus, selection: Selection(only: bug.by),
            judge: Judge(isStrict: bug.strict ?? false), seed: seed)
        let report = try run(command + ["--bug", bug.name], runner)
        let failed = Set(report.failures.map(\.member.value.id))
        let passed = bug.by.filter { !failed.contains($0) }
        return Control(
            group: "mistake", name: bug.name, expected: "\(bug.by.count) cases fail",
            problem: passed.isEmpty ? nil : "not told by \(passed.joined(separator: " "))")
    }

    private func run(_ command: [String], _ runner: Runner) throws(Stop) -> RunReport {
        var adapter = try Adapter(command, spec: corpus.manifest.spec, timeout: .seconds(60))
        return try runner.run(&adapter) { $0.isHopeless }
    }
}
