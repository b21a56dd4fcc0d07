import TestSupport
import Testing

@testable import cenotaph_conformance

/// The library against the corpus, and the corpus against itself.
@Suite struct CorpusTests {
    @Test func theLibraryPassesTheWholeCorpusWithStrictErrors() throws {
        let report = try Runner.report(BuiltIn(), Loaded.corpus)
        for (member, verdict) in report.failures {
            Issue.record("\(member.value.id): \(verdict.difference)")
        }
        #expect(report.totals[.pass] == Loaded.corpus.members.count)
        #expect(report.totals[.pass] == Loaded.corpus.manifest.cases)
        #expect(report.addsUp)
    }

    @Test func theCorpusIsInOrder() {
        for problem in Lint(corpus: Loaded.corpus).problems() { Issue.record("\(problem)") }
    }

    @Test func everyOperationOfTheTextHasCases() {
        let ops = Set(Loaded.corpus.members.map(\.value.op))
        #expect(ops == Set(BuiltIn.operations.keys))
    }

    @Test func everyLevelIsPartOfTheCorpus() throws {
        for (name, level) in Loaded.corpus.manifest.levels {
            let selection = Selection(files: Set(level.files))
            let taken = Loaded.corpus.members.count {
                selection.takes($0, Loaded.corpus.specification)
            }
            #expect(taken == level.cases, "\(name)")
            let report = try Runner.report(BuiltIn(), isStrict: true, selection)
            #expect(report.failures.isEmpty && report.addsUp, "\(name)")
        }
    }

    @Test func sentencesAreFoundByTheirIDs() {
        let specification = Loaded.corpus.specification
        let text = specification.sentences["WIRE-001"]
        #expect(
            text
                == "A frame MUST be read to its end: bytes after the body are rejected with `trailing`."
        )
        #expect(specification.sentences["CONV-001"]?.hasPrefix("Integers of fixed width") == true)
        #expect(specification.untestable.contains("SYNC-017"))
        #expect(specification.untestable.contains("SEAL-031"))
        #expect(!specification.untestable.contains("WIRE-001"))
        #expect(Specification("/nowhere").isEmpty)
    }

    @Test func lintNoticesABrokenTwin() throws {
        let check = TwinCheck(corpus: Loaded.corpus)
        for layer in [nil, "plaintext"] {
            let value = try Loaded.corpus.first { $0.twin != nil && $0.twin?.layer == layer }
            let twin = try #require(value.twin)
            #expect(check.problem(value, twin) == nil)
            func changed(of: String? = nil, field: String? = nil, edits: [VectorCase.Edit]? = nil)
                -> VectorCase.Twin
            {
                VectorCase.Twin(
                    of: of ?? twin.of, field: field ?? twin.field, edits: edits ?? twin.edits,
                    layer: twin.layer)
            }
            #expect(check.problem(value, changed(of: "nobody")) != nil)
            #expect(check.problem(value, changed(of: value.id)) != nil)
            #expect(check.problem(value, changed(field: "nothing")) != nil)
            #expect(check.problem(value, changed(edits: [])) != nil)
            let beyond = VectorCase.Edit(at: 1 << 40, del: 1, ins: "")
            #expect(check.problem(value, changed(edits: [beyond])) != nil)
            let whole = VectorCase.Edit(at: 0, del: .max, ins: "")
            #expect(check.problem(value, changed(edits: [whole])) != nil)
            let empty = VectorCase.Edit(at: 0, del: 0, ins: "")
            #expect(check.problem(value, changed(edits: twin.edits + [empty])) == nil)
        }
    }

    /// One corpus with a mistake of each kind, and each is told.
    @Test func lintNoticesAChangedCase() throws {
        let changes: [(VectorCase) -> VectorCase] = [
            { $0.with(reject: .some(nil)) }, { $0.with(out: ["value": "1"]) },
            { $0.with(twin: .some(nil)) }, { $0.with(req: []) }, { $0.with(req: ["WIRE-999"]) },
            { $0.with(in: ["bytes": "00"]) },
        ]
        let rejected = Loaded.small.members.map(\.value).filter {
            $0.reject != nil && $0.twin != nil
        }
        var corpus = Loaded.small
        for (value, change) in zip(rejected, changes) {
            corpus = corpus.replacing(value.id, change)
        }
        corpus = Corpus(
            folder: corpus.folder, manifest: corpus.manifest, manifestHash: corpus.manifestHash,
            members: corpus.members + corpus.members.suffix(1), specification: corpus.specification)
        let problems = Lint(corpus: corpus).problems()
        for value in rejected.prefix(changes.count) {
            #expect(problems.contains { $0.hasPrefix("\(value.id): ") }, "\(value.id)")
        }
        #expect(problems.contains { $0.hasSuffix("the id stands twice") })
    }
}
