import TestSupport
import Testing

@testable import cenotaph_conformance

/// The command line and its exit codes.
@Suite struct CommandTests {
    static let vectors = "\(Vectors.root)/TestVectors/v1"

    @Test func exitCodes() {
        let golden = Vectors.goldenFrames[0]
        let cases: [([String], ExitCode)] = [
            (["--help"], .ok), (["--version"], .ok),
            (["run", "--vectors", Self.vectors, "--only", "prim-*", "--seed", "7"], .ok),
            (
                [
                    "run", "--vectors=\(Self.vectors)", "--level", "L1", "--only", "prim-stamp-*",
                    "--strict-errors", "--json=-",
                ],
                .ok
            ),
            (["lint", "--vectors", Self.vectors], .ok),
            (["show", "--vectors", Self.vectors, golden.id], .ok),
            (["list", "--vectors", Self.vectors, "--only", "seal.key"], .ok),
            (["explain", "--vectors", Self.vectors, golden.id], .ok),
            (["explain", golden.in["bytes"] ?? ""], .ok), (["explain", "0203"], .ok),
            (["explain", "--sealed", "01020304"], .ok), (["explain", ""], .ok),
            ([], .usage), (["what"], .usage), (["run", "--what"], .usage),
            (["run", "word"], .usage),
            (["run", "--level", "L9", "--vectors", Self.vectors], .usage),
            (["run", "--only"], .usage),
            (["run", "--seed", "x", "--vectors", Self.vectors], .usage),
            (["run", "--only", "nothing", "--vectors", Self.vectors], .usage),
            (["run", "--vectors", Self.vectors, "--"], .usage),
            (["show", "--vectors", Self.vectors], .usage),
            (["show", "--vectors", Self.vectors, "nobody"], .usage),
            (["explain", "--key", "/nonexistent", "00"], .usage),
            (["lint", "--vectors", Self.vectors, "--", "cat"], .usage),
            (["run", "--vectors", "/nonexistent"], .corpus),
            (["lint", "--vectors", "\(Vectors.root)/Spec"], .corpus),
            (["run", "--vectors", Self.vectors, "--section", "05", "--skip", "seal.open"], .ok),
            (["run", "--vectors", Self.vectors, "--section", "99"], .usage),
            (["run", "--vectors", Self.vectors, "--xfail", "/nonexistent"], .usage),
            (["run", "--vectors", Self.vectors, "--only", "@/nonexistent"], .usage),
            (["run", "--vectors", Self.vectors, "--generated", "-1"], .usage),
            (["repro", "--vectors", Self.vectors, golden.id, "--", "cat"], .ok),
            (["repro", "--vectors", Self.vectors], .usage),
            (["fuzz", "--vectors", Self.vectors], .usage),
            (["double", "--vectors", Self.vectors, "nobody"], .usage),
            (["run", "--vectors", Self.vectors, "--", "/nonexistent/command"], .adapter),
            (["run", "--vectors", Self.vectors, "--timeout", "0.5", "--", "/bin/cat"], .adapter),
        ]
        for (words, code) in cases where Checker.run(words) != code {
            Issue.record("\(words) does not end with \(code)")
        }
    }

    @Test func anAdapterThatFailsEndsWithOne() {
        let script = """
            while read -r line; do
              id=${line##*\\"id\\":\\"}; id=${id%%\\"*}
              echo "{\\"id\\":\\"$id\\",\\"ok\\":{\\"protocol\\":\\"1\\"}}"
            done
            """
        let words = ["run", "--vectors", Self.vectors, "--only", "prim-stamp-*"]
        #expect(Checker.run(words + ["--", "/bin/sh", "-c", script]) == .failure)
    }

    @Test func patterns() {
        let matching = [
            ("*", ""), ("*", "abc"), ("a*c", "abbc"), ("a?c", "abc"), ("*-01*", "prim-0104"),
            ("a*b*c", "aXbYbZc"), ("", ""), ("abc", "abc"), ("**", "x"),
        ]
        for (pattern, text) in matching { #expect(Glob.matches(pattern[...], text[...])) }
        let other = [("", "a"), ("a", ""), ("a?", "a"), ("a*c", "ab"), ("?", ""), ("abc", "abd")]
        for (pattern, text) in other { #expect(!Glob.matches(pattern[...], text[...])) }
    }

    @Test func selectionsByIDOperationAndRequirement() {
        for only in ["frame-*", "frame.decode", "WIRE-0*"] {
            let selection = Selection(only: [only])
            let taken = Loaded.corpus.members.filter {
                selection.takes($0, Loaded.corpus.specification)
            }
            #expect(!taken.isEmpty && taken.count < Loaded.corpus.members.count)
        }
    }

    @Test func argumentsAreTakenApart() throws {
        let arguments = try Arguments(
            ["a", "--x", "1", "--f", "--y=2=3", "b", "--", "cmd", "--x"], flags: ["--f"],
            options: ["--x", "--y"])
        #expect(arguments.positional == ["a", "b"])
        #expect(arguments["--x"] == "1")
        #expect(arguments["--y"] == "2=3")
        #expect(arguments.has("--f"))
        #expect(arguments.adapter == ["cmd", "--x"])
    }

    @Test func sha256OfKnownTexts() {
        #expect(
            Corpus.sha256([])
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            Corpus.sha256(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
