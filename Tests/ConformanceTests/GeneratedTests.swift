import CenotaphDigest
import FoundationEssentials
import TestSupport
import Testing

@testable import cenotaph_conformance

/// Fresh cases, and the fuzzing with them.
@Suite struct GeneratedTests {
    static let maker = CaseMaker(corpus: Loaded.corpus)
    static let fresh = maker.members(seed: SeededGenerator.seed, perArea: 24)

    @Test func everyAreaHasFreshCasesOfBothKinds() {
        let known = Set(Loaded.corpus.members.map { "\($0.value.op) \($0.value.in)" })
        for area in CaseMaker.areas {
            let cases = Self.fresh.filter { $0.file == "\(area.name).json" }.map(\.value)
            #expect(cases.count == 24, "\(area.name)")
            #expect(cases.contains { $0.out != nil }, "\(area.name)")
            if area.name != "sketch" {
                #expect(cases.contains { $0.reject != nil }, "\(area.name)")
            }
            #expect(cases.contains { !known.contains("\($0.op) \($0.in)") }, "\(area.name)")
            #expect(cases.allSatisfy { !$0.req.isEmpty }, "\(area.name)")
        }
    }

    @Test func aSeedMakesTheSameCasesAndAnIdFindsOne() throws {
        let again = Self.maker.members(seed: SeededGenerator.seed, perArea: 24)
        #expect(again.map(\.value.in) == Self.fresh.map(\.value.in))
        for member in Self.fresh.prefix(40) {
            #expect(try Loaded.corpus.find(member.value.id).in == member.value.in)
        }
        let other = Self.maker.members(seed: SeededGenerator.seed + 1, perArea: 24)
        #expect(other.map(\.value.in) != Self.fresh.map(\.value.in))
        for id in ["gen-1-frame", "gen-1-what-1", "gen-x-frame-1", "gen-1-frame--1"] {
            #expect(throws: Stop.self) { try Loaded.corpus.find(id) }
        }
    }

    @Test func freshCasesAreCountedBesideTheCorpus() throws {
        var runner = Runner(
            corpus: Loaded.small, selection: Loaded.whole, judge: Judge(isStrict: true),
            seed: SeededGenerator.seed)
        runner.generated = Self.fresh
        var library = BuiltIn()
        let report = try runner.run(&library)
        #expect(report.addsUp)
        #expect(report.totals[.pass] == Loaded.small.members.count + Self.fresh.count)
        // A run that lost a verdict does not add up.
        let short = RunReport(
            corpus: report.corpus, implementation: "", seed: 0, isStrict: true,
            selection: Loaded.whole, members: report.members.dropLast(),
            verdicts: report.verdicts, stale: [], greeting: [:])
        #expect(!short.addsUp && short.exitCode == .bug)
    }

    /// A set of indexes for any row and size; the greatest sizes read beyond a table once.
    @Test func everySizeHasIndexes() {
        var dice = Dice(seed: SeededGenerator.seed)
        for _ in 0..<2_000 {
            let fields = ["row": dice.hex(6), "size": "\(1 + dice.below(65_536))"]
            guard case .accepted = BuiltIn().answer("sketch.indexes", fields) else {
                Issue.record("\(fields)")
                return
            }
        }
        for _ in 0..<200 {
            _ = BuiltIn().answer("sketch.indexes", ["row": dice.hex(6), "size": "65536"])
        }
    }

    @Test func fuzzingFindsAMistakeAndMakesItSmall() throws {
        // Takes what a long frame has left over.
        var lax = Changed { _, answer in
            if case .rejected("trailing", _) = answer { return .accepted(["kind": "skip"]) }
            return answer
        }
        var fuzzer = Fuzzer(
            maker: Self.maker, judge: Judge(isStrict: false), seed: SeededGenerator.seed)
        let lines = try fuzzer.run(&lax, 2_000) { true }
        #expect(!lines.isEmpty && lines.count == fuzzer.notes.count)
        for line in lines {
            let value = try JSONDecoder().decode(VectorCase.self, from: Data(line.utf8))
            #expect(value.reject?.class == "trailing")
            #expect(BuiltIn().answer(value.op, value.in) != lax.answer(value.op, value.in))
            if value.op == "uvarint.decode" { #expect((value.in["bytes"] ?? "").utf8.count <= 4) }
        }
        var right = BuiltIn()
        var calm = Fuzzer(maker: Self.maker, judge: Judge(isStrict: true), seed: 1)
        #expect(try calm.run(&right, 200) { true }.isEmpty)
        #expect(calm.asked == 200)
        var lazy = Fuzzer(maker: Self.maker, judge: Judge(isStrict: true), seed: 1)
        #expect(try lazy.run(&lax, 200) { false }.isEmpty)
    }
}
