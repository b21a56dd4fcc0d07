import TestSupport
import Testing

@testable import cenotaph_conformance

/// Files of expected failures, and how a run ends with them.
@Suite struct ExpectationTests {
    private static func run(_ text: String, only: [String]) throws -> RunReport {
        var runner = Runner(
            corpus: Loaded.corpus, selection: Selection(only: only), judge: Judge(isStrict: false),
            seed: SeededGenerator.seed)
        runner.expectations = try Expectations(parsing: text)
        // Wrong in what it says of roots; right in all else.
        var implementation = Changed { op, answer in
            op == "root" ? .accepted(["root": "00"]) : answer
        }
        return try runner.run(&implementation)
    }

    private let root =
        Loaded.corpus.members.first {
            $0.value.op == "root" && $0.value.out != nil
        }?.value.id ?? ""
    private let seal = Loaded.corpus.members.first { $0.value.op == "seal.key" }?.value.id ?? ""

    @Test func whatIsExpectedIsNoFailure() throws {
        let report = try Self.run("# known\n\n\(root)  fail:value  # not done yet\n", only: [root])
        #expect(report.totals[.xfail] == 1)
        #expect(report.exitCode == .ok)
        #expect(report.addsUp)
        #expect(report.claim.levels.isEmpty)
    }

    @Test func anotherOutcomeIsAFailure() throws {
        for label in ["crash", "fail:accepted", "unsupported", "timeout"] {
            let report = try Self.run("\(root) \(label) # why", only: [root])
            #expect(report.totals[.fail] == 1)
            #expect(report.exitCode == .failure)
        }
    }

    @Test func aPassIsStale() throws {
        let report = try Self.run("\(seal) fail:value # why", only: [seal])
        #expect(report.totals[.xpass] == 1)
        #expect(report.exitCode == .stale)
        // A failure that nobody expected says more.
        let both = try Self.run("\(seal) fail:value # why", only: [seal, root])
        #expect(both.exitCode == .failure)
    }

    @Test func anEntryWithoutACaseIsStale() throws {
        let report = try Self.run("nobody-0001 crash # why", only: [seal])
        #expect(report.stale.count == 1)
        #expect(report.exitCode == .stale)
        // A case that was not asked is not judged.
        #expect(try Self.run("\(root) fail:value # why", only: [seal]).exitCode == .ok)
    }

    @Test func aPatternCoversTwentyCasesAtMost() throws {
        let report = try Self.run("* fail:value # all", only: [root])
        #expect(report.totals[.xfail] == nil)
        #expect(report.stale.first?.contains("at most 20") == true)
        let few = try Self.run("\(root.dropLast())? fail:value # why", only: [root])
        #expect(few.totals[.xfail] == 1)
    }

    @Test func linesThatMakeNoSenseAreRefused() {
        for text in [
            "a", "a crash", "a crash #", "a fail # why", "a crash more # why", "a pass # w",
        ] {
            #expect(throws: Stop.self) { try Expectations(parsing: text) }
        }
    }

    @Test func aWrittenFileIsRead() throws {
        let first = try Self.run("", only: ["root"])
        #expect(first.exitCode == .failure)
        let again = try Self.run(Expectations.text(of: first), only: ["root"])
        #expect(again.exitCode == .ok)
        #expect(again.totals[.xfail] == first.failures.count)
    }
}
