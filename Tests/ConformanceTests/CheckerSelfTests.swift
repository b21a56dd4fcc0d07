import FoundationEssentials
import TestSupport
import Testing

@testable import cenotaph_conformance

/// The self-test that is shipped, and the skeletons.
@Suite struct CheckerSelfTests {
    @Test func everyComparisonOfTheJudgeIsNeeded() throws {
        let controls = JudgeControls(corpus: Loaded.corpus)
        #expect(try controls.survivors(without: nil).isEmpty)
        for comparison in Comparison.allCases {
            #expect(try controls.survivors(without: comparison).contains(comparison))
        }
        #expect(try controls.controls().allSatisfy { $0.problem == nil })
    }

    @Test(
        .enabled(if: AdapterTests.program != nil, "the program is not beside the tests"),
        arguments: [Misbehaviour.acceptAll, .answerKey, .chatter, .crashOnThird, .both])
    func misbehavingAdaptersFailForTheirReason(_ kind: Misbehaviour) throws {
        let controls = AdapterControls(
            corpus: Loaded.corpus, program: try #require(AdapterTests.program),
            seed: SeededGenerator.seed)
        let control = try controls.control(kind)
        #expect(control.problem == nil)
        // The control itself is not taken in by an adapter that behaves otherwise.
        let table = SelfTestCommand.table([control])
        #expect(table.count == 1 && table[0].hasSuffix(": ok"))
    }

    /// Names of classes of its own pass with a map to those of 09, and a map that redefines one is refused.
    @Test func aliases() throws {
        func adapter(_ aliases: String) throws -> Adapter {
            let script = """
                while read -r line; do
                  id=${line##*\\"id\\":\\"}; id=${id%%\\"*}
                  case $line in
                  *'"op":"hello"'*) echo "{\\"id\\":\\"$id\\",\\"ok\\":{\\"protocol\\":\\"1\\",\\"aliases\\":\\"\(aliases)\\"}}" ;;
                  *) echo "{\\"id\\":\\"$id\\",\\"reject\\":\\"E_SHORT\\"}" ;;
                  esac
                done
                """
            return try Adapter(["/bin/sh", "-c", script], spec: "1.0", timeout: .seconds(20))
        }
        var mapped = try adapter("E_SHORT=truncated E_LONG=trailing")
        guard case .rejected("truncated", _) = try mapped.answer("uvarint.decode", [:]) else {
            Issue.record("the alias is not used")
            return
        }
        var plain = try adapter("")
        #expect(try plain.answer("uvarint.decode", [:]) == .rejected("E_SHORT"))
        for wrong in ["E_SHORT=short", "range=order", "a", "a=range=order", "a=range a=order"] {
            #expect(throws: Stop.self) { try adapter(wrong) }
        }
    }

    @Test(arguments: ["python", "c"]) func skeletonsRunAsTheyComeOut(_ name: String) throws {
        let folder =
            "\(FileManager.default.temporaryDirectory.path)/skeleton-\(name)-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(Checker.run(["init", name, folder]) == .ok)
        #expect(Checker.run(["init", name, folder]) == .usage)
        let skeleton = try #require(Skeleton.all.first { $0.name == name })
        let build = skeleton.build.isEmpty ? ":" : skeleton.build
        let command = ["/bin/sh", "-c", "cd \(folder) && \(build) && exec \(skeleton.command)"]
        var adapter = try Adapter(command, spec: "1.0", timeout: .seconds(60))
        let runner = Runner(
            corpus: Loaded.corpus, selection: Loaded.whole, judge: Judge(isStrict: true),
            seed: SeededGenerator.seed)
        let report = try runner.run(&adapter) { $0.isHopeless }
        for (member, verdict) in zip(report.members, report.verdicts)
        where verdict.outcome != .skipped {
            let right: Outcome = member.value.op == "uvarint.decode" ? .pass : .unsupported
            #expect(verdict.outcome == right, "\(member.value.id): \(verdict.difference)")
        }
        #expect(report.exitCode == .failure)
    }

    @Test func everySkeletonNamesItsFiles() {
        for skeleton in Skeleton.all {
            #expect(!skeleton.files.isEmpty)
            #expect(skeleton.readme.contains(skeleton.command))
            #expect(skeleton.files.contains { $0.1.contains("uvarint.decode") })
        }
        #expect(Checker.run(["init", "cobol", "/nonexistent"]) == .usage)
        #expect(Checker.run(["init", "python"]) == .usage)
    }
}
