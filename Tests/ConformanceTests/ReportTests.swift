import FoundationEssentials
import TestSupport
import Testing

@testable import cenotaph_conformance

/// The forms of a report.
@Suite struct ReportTests {
    /// A run in which roots fail, and one text needs escaping everywhere.
    static let run: ReportDocument = {
        do {
            let wrong = Changed { op, answer in
                op == "root" ? .failed(#"<b>&"it's" | broken"#) : answer
            }
            return ReportDocument(
                of: try Runner.report(wrong, isStrict: false, Loaded.whole))
        } catch {
            preconditionFailure("\(error)")
        }
    }()
    static let failed = run.results.filter { $0.op == "root" && $0.outcome == .fail }

    @Test func totalsAreTheCases() {
        let run = Self.run
        #expect(run.cases == Loaded.small.members.count + Loaded.small.canaries.count)
        #expect(run.totals.values.reduce(0, +) == run.cases)
        #expect(run.results.count == run.cases)
        #expect(!Self.failed.isEmpty && run.failures.count == Self.failed.count)
        #expect(run.levels == ["L1", "L3"])
        #expect(run.exitCode == 1)
    }

    @Test func jsonIsReadAgain() throws {
        let text = try JSON.pretty(Self.run)
        let read = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))
        #expect(try JSON.pretty(read) == text)
        for part in [Self.run.manifest, Self.run.seed, Version.text] {
            #expect(text.contains(part))
        }
    }

    @Test func tapHasALineForEachCase() {
        let lines = TAPReport.text(Self.run).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("ok ") } == Self.run.cases - Self.failed.count)
        #expect(lines.count { $0.hasPrefix("not ok ") } == Self.failed.count)
        #expect(lines.contains { $0 == "1..\(Self.run.cases)" })
        #expect(lines.contains { $0.contains(#"internal error: <b>&"it''s" | broken"#) })
    }

    @Test func junitIsWellFormed() {
        let text = JUnitReport.text(Self.run)
        expectBalanced(text)
        #expect(text.components(separatedBy: "<testcase ").count - 1 == Self.run.cases)
        #expect(text.components(separatedBy: "<failure ").count - 1 == Self.failed.count)
        #expect(text.contains("&lt;b&gt;&amp;&quot;it&#39;s&quot; | broken"))
    }

    @Test func htmlNeedsNothingElse() {
        let text = HTMLReport.text([Self.run, Self.run])
        expectBalanced(text.replacing("<!doctype html>", with: ""), voids: ["meta"])
        for word in ["http:", "https:", "<script", "<link", "src=", "url("] {
            #expect(!text.contains(word), "\(word)")
        }
        for id in Self.failed.map(\.id) + ["DIG-001"] { #expect(text.contains(id)) }
        #expect(!text.contains("<b>&"))
    }

    @Test func markdownHasAColumnForEachRun() {
        let text = MarkdownReport.text([Self.run, Self.run])
        let row = text.split(separator: "\n").first { $0.hasPrefix("| WIRE-001 |") }
        #expect(row?.split(separator: "|").count == 5)
        #expect(text.contains(#"\| broken"#))
        #expect(text.contains(Self.run.manifest))
    }

    @Test func aBadgeTellsFailures() {
        expectBalanced(Badge.text(Self.run))
        #expect(Badge.text(Self.run).contains("\(Self.failed.count) failed"))
        do {
            let good = ReportDocument(of: try Runner.report(BuiltIn()))
            #expect(Badge.text(good).contains(">L1 L2 L3 L4</text>"))
            #expect(good.claim.contains("expected failures: none"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func reportsOfOneCorpusAreMerged() throws {
        let folder =
            "\(FileManager.default.temporaryDirectory.path)/reports-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(Folder.make("\(folder)/a"))
        try Console.save(try JSON.pretty(Self.run), to: "\(folder)/a.json")
        let words = ["report", "merge", "\(folder)/a.json", "\(folder)/a.json"]
        #expect(Checker.run(words + ["--html", "\(folder)/m.html"]) == .ok)
        #expect(Folder.bytes("\(folder)/m.html")?.isEmpty == false)
        #expect(Checker.run(["report", "merge", "\(folder)/none.json"]) == .usage)
        #expect(Checker.run(["report", "split"]) == .usage)
        let other = try JSON.pretty(Self.run).replacing(Self.run.manifest, with: "00")
        try Console.save(other, to: "\(folder)/b.json")
        #expect(Checker.run(words + ["\(folder)/b.json"]) == .usage)
    }

    @Test func wordsAreQuotedForAShell() throws {
        #expect(Repro.quoted("plain-1.0/x") == "plain-1.0/x")
        #expect(Repro.quoted("") == "''")
        #expect(Repro.quoted("it's $HOME") == #"'it'\''s $HOME'"#)
        let value = try Loaded.corpus.find("prim-uvarint-0004")
        let line = try Repro.line(value, ["cat"])
        #expect(line.hasPrefix(#"printf '%s\n' '{"bytes":""#))
        #expect(line.hasSuffix(#""op":"uvarint.decode"}' | cat"#))
        #expect(throws: Stop.self) { try Loaded.corpus.find("nobody") }
    }

    /// Whether every tag is closed, in order.
    private func expectBalanced(_ text: String, voids: Set<String> = []) {
        var open: [Substring] = []
        for piece in text.split(separator: "<", omittingEmptySubsequences: true).dropFirst(
            text.hasPrefix("<") ? 0 : 1)
        {
            guard let end = piece.firstIndex(of: ">") else {
                Issue.record("a tag without end: \(piece.prefix(60))")
                return
            }
            let tag = piece[..<end]
            if tag.hasPrefix("?") || tag.hasSuffix("/") { continue }
            let name = tag.prefix { $0 != " " }
            if voids.contains(String(name)) { continue }
            if name.hasPrefix("/") {
                guard open.popLast() == name.dropFirst() else {
                    Issue.record("\(name) closes nothing")
                    return
                }
            } else {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }
}
