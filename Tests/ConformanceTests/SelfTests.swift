import TestSupport
import Testing

@testable import cenotaph_conformance

/// The checker must go red: implementations that only pretend, and expectations that are wrong.
@Suite struct SelfTests {
    @Test func acceptAllFails() throws {
        for isStrict in [true, false] {
            let report = try Runner.report(AcceptAll(), isStrict: isStrict)
            #expect(report.totals[.pass] == nil)
            #expect(report.addsUp)
        }
    }

    @Test func rejectAllPassesNoRejectionThatHasATwin() throws {
        for reason in ["truncated", "range", "auth", "", "no such class"] {
            let report = try Runner.report(RejectAll(reason: reason), isStrict: false)
            let passed = zip(Loaded.small.members, report.verdicts).filter { $1.outcome == .pass }
            #expect(passed.allSatisfy { $0.0.value.reject != nil && $0.0.value.twin == nil })
            #expect(passed.count * 50 < Loaded.small.members.count)
            #expect(report.addsUp)
        }
    }

    @Test func echoFails() throws {
        #expect(try Runner.report(Echo(), isStrict: false).totals[.pass] == nil)
    }

    @Test func theLayerCountsAndWithStrictErrorsTheClass() throws {
        let swapped = Changed { _, answer in
            if case .rejected("truncated", _) = answer { return .rejected("trailing") }
            return answer
        }
        #expect(try Runner.report(swapped, isStrict: false).failures.isEmpty)
        #expect(!(try Runner.report(swapped, isStrict: true).failures.isEmpty))
        let wrongLayer = Changed { _, answer in
            if case .rejected("truncated", _) = answer { return .rejected("range") }
            return answer
        }
        #expect(!(try Runner.report(wrongLayer, isStrict: false).failures.isEmpty))
    }

    @Test func oneWrongFieldIsAFailure() throws {
        let wrong = Changed { op, answer in
            guard op == "root", case .accepted(var out) = answer else { return answer }
            out["root"] = String(repeating: "0", count: 64)
            return .accepted(out)
        }
        let report = try Runner.report(wrong)
        let roots = Loaded.small.members.count { $0.value.op == "root" }
        #expect(report.failures.count == roots)
        // A rejection of the operation fails by its twin, which now has the wrong answer.
        let accepted = report.failures.filter { $0.0.value.out != nil }
        #expect(!accepted.isEmpty)
        #expect(accepted.allSatisfy { $0.verdict.difference.hasPrefix("root: expected") })
        let chatty = Changed { op, answer in
            guard op == "root", case .accepted(var out) = answer else { return answer }
            out["more"] = "1"
            return .accepted(out)
        }
        #expect(try Runner.report(chatty).failures.count == roots)
    }

    @Test func aMutatedExpectationIsNoticed() throws {
        /// The failures of the library in a case whose expectation is another.
        func failures(
            _ id: String, isStrict: Bool = true, _ change: (VectorCase) -> VectorCase
        ) throws -> [String] {
            try Runner.report(
                BuiltIn(), Loaded.small.replacing(id, change), isStrict: isStrict,
                Selection(only: [id])
            ).failures.map(\.0.value.id)
        }
        let accepted = try Loaded.small.first { $0.op == "leaf.causal" && $0.out != nil }
        var out = try #require(accepted.out)
        for name in out.keys.sorted() {
            let right = out[name]
            out[name] = (right ?? "") + "0"
            #expect(try failures(accepted.id) { $0.with(out: .some(out)) } == [accepted.id])
            out[name] = nil
            #expect(try failures(accepted.id) { $0.with(out: .some(out)) } == [accepted.id])
            out[name] = right
        }
        #expect(try failures(accepted.id) { $0.with(out: .some(out)) } == [])
        let rejected = try Loaded.small.first { $0.reject?.class == "order" }
        func failures(
            expecting name: String, _ layer: String, also: [String]? = nil, isStrict: Bool
        ) throws -> [String] {
            try failures(rejected.id, isStrict: isStrict) {
                $0.with(reject: .init(class: name, layer: layer, also: also))
            }
        }
        #expect(try failures(expecting: "range", "value", isStrict: true) == [rejected.id])
        #expect(try failures(expecting: "range", "value", isStrict: false) == [])
        #expect(try failures(expecting: "trailing", "frame", isStrict: false) == [rejected.id])
        #expect(try failures(expecting: "range", "value", also: ["order"], isStrict: true) == [])
    }

    @Test func aDecoyIsDiagnosed() throws {
        let value = try Loaded.small.first { !($0.decoys ?? [:]).isEmpty && $0.op == "leaf.event" }
        let (decoy, diagnosis) = try #require(value.decoys?.first)
        var out = try #require(value.out)
        out["leaf"] = decoy
        let verdict = Judge(isStrict: false).verdict(.accepted(out), on: value)
        #expect(verdict.outcome == .fail)
        #expect(verdict.diagnosis == diagnosis)
    }

    @Test func harnessOutcomesSatisfyNoCase() throws {
        let judge = Judge(isStrict: false)
        let rejected = try Loaded.small.first { $0.reject != nil }
        let accepted = try Loaded.small.first { $0.out != nil }
        for value in [rejected, accepted] {
            #expect(judge.verdict(.failed("truncated"), on: value).outcome == .fail)
            #expect(judge.verdict(.crashed("truncated"), on: value).outcome == .crash)
            #expect(judge.verdict(.timedOut, on: value).outcome == .timeout)
            #expect(judge.verdict(.unsupported("x"), on: value).outcome == .unsupported)
        }
    }

    @Test func aReportTellsWhatFailedAndWhy() throws {
        let rejected = try Loaded.small.first { $0.op == "frame.decode" && $0.reject != nil }
        let lax = Changed { _, answer in
            if case .rejected = answer { return .accepted(["kind": "skip"]) }
            return answer
        }
        let report = try Runner.report(lax, isStrict: false, Selection(only: [rejected.id]))
        let lines = TextReport(report: report, command: ["./a b", "c"]).lines()
        #expect(lines.first == "FAIL:ACCEPTED \(rejected.id) (frame.decode)")
        #expect(
            lines.contains("  repro      cenotaph-conformance repro \(rejected.id) -- './a b' c"))
        for id in rejected.req { #expect(lines.contains { $0.contains(id) }) }
        #expect(lines.contains { $0.contains("but the input was accepted") })
        #expect(lines.contains { $0.contains("kind") && $0.contains("0") })
        let others = Loaded.small.members.count + Loaded.small.canaries.count - 1
        #expect(report.totals[.notSelected] == others)
    }

    @Test func casesForUnknownFeaturesAreSkipped() throws {
        let value = try Loaded.small.first { $0.out != nil }
        let corpus = Loaded.small.replacing(value.id) { $0.with(requires: ["from the future"]) }
        let report = try Runner.report(BuiltIn(), corpus)
        #expect(report.totals[.skipped] == 1)
        #expect(report.failures.isEmpty)
    }

    @Test func everyOperationRefusesFieldsThatMakeNoSense() {
        for op in BuiltIn.operations.keys {
            guard case .failed = BuiltIn().answer(op, [:]) else {
                Issue.record("\(op) without fields")
                continue
            }
        }
        #expect(BuiltIn().answer("no.such", [:]) == .unsupported("no.such"))
        let fields = ["bytes": "0", "min": "-1", "max": "18446744073709551615"]
        guard case .failed = BuiltIn().answer("bytes.decode", fields) else {
            Issue.record("half a byte")
            return
        }
    }

    @Test func anEmptyGroupIsOutOfRangeHoweverShortTheContentIs() {
        let fields = [
            "digestKey": String(repeating: "00", count: 32), "namespace": "6e", "key": "6b",
            "count": "1", "0.time": "1", "0.replica": String(repeating: "a1", count: 16),
            "0.group": "", "0.body": "",
        ]
        guard case .rejected("range", _) = BuiltIn().answer("leaf.event", fields) else {
            Issue.record("an empty group is not range")
            return
        }
    }
}
