import FoundationEssentials
import TestSupport
import Testing

@testable import cenotaph_conformance

/// Adapter protocol 1, with well and badly behaved children.
@Suite struct AdapterTests {
    /// A shell that greets, and then does with each request what `body` says; `$id` is the request's id.
    static func shell(_ body: String, timeout: Duration = .seconds(5)) throws -> Adapter {
        let script = """
            while read -r line; do
              id=${line##*\\"id\\":\\"}; id=${id%%\\"*}
              case $line in
              *'"op":"hello"'*) echo "{\\"id\\":\\"$id\\",\\"ok\\":{\\"protocol\\":\\"1\\",\\"name\\":\\"sh\\"}}" ;;
              *) \(body) ;;
              esac
            done
            """
        return try Adapter(["/bin/sh", "-c", script], spec: "1.0", timeout: timeout)
    }

    static func run(_ adapter: Adapter, only: String = "prim-uvarint-*") throws -> RunReport {
        var adapter = adapter
        let runner = Runner(
            corpus: Loaded.corpus, selection: Selection(only: [only]),
            judge: Judge(isStrict: false),
            seed: SeededGenerator.seed)
        return try runner.run(&adapter) { $0.isHopeless }
    }

    @Test func rejectionsTravel() throws {
        var adapter = try Self.shell(#"echo "{\"id\":\"$id\",\"reject\":\"truncated\"}""#)
        #expect(adapter.name == "sh")
        #expect(try adapter.answer("uvarint.decode", ["bytes": ""]) == .rejected("truncated"))
        #expect(try adapter.answer("uvarint.decode", ["bytes": "01"]) == .rejected("truncated"))
    }

    @Test func answersOfEveryKindAreTold() throws {
        let bodies: [(String, Answer)] = [
            (#"echo "{\"id\":\"$id\",\"ok\":{\"value\":\"1\"}}""#, .accepted(["value": "1"])),
            (#"echo "{\"id\":\"$id\",\"unsupported\":\"no\"}""#, .unsupported("no")),
            (#"echo "{\"id\":\"$id\",\"error\":\"oh\"}""#, .failed("oh")),
        ]
        for (body, expected) in bodies {
            var adapter = try Self.shell(body)
            #expect(try adapter.answer("uvarint.decode", ["bytes": "01"]) == expected)
        }
    }

    @Test func whatIsNoAnswerIsACrash() throws {
        let bodies = [
            "echo chatter", "exit 3", "kill -9 $$", #"echo '{"id":"other","reject":"range"}'"#,
            #"echo "{\"id\":\"$id\"}""#, #"echo "{\"id\":\"$id\",\"ok\":{\"value\":1}}""#,
            #"echo "{\"id\":\"$id\",\"ok\":{},\"reject\":\"range\"}""#, "echo",
        ]
        for body in bodies {
            var adapter = try Self.shell(body)
            guard case .crashed = try adapter.answer("uvarint.decode", ["bytes": "01"]) else {
                Issue.record("\(body)")
                continue
            }
            // It is started again for the next case.
            guard case .crashed = try adapter.answer("uvarint.decode", ["bytes": "01"]) else {
                Issue.record("\(body), again")
                continue
            }
        }
    }

    @Test func silenceIsATimeout() throws {
        var adapter = try Self.shell(":", timeout: .milliseconds(300))
        #expect(try adapter.answer("uvarint.decode", ["bytes": "01"]) == .timedOut)
        // A child that does not read a request larger than a pipe.
        var deaf = try Self.shell("exec sleep 60", timeout: .milliseconds(300))
        _ = try deaf.answer("uvarint.decode", ["bytes": "01"])
        let long = String(repeating: "0", count: 1 << 20)
        var idle = try Self.shell("sleep 60", timeout: .milliseconds(300))
        #expect(try idle.answer("bytes.decode", ["bytes": long]) == .timedOut)
    }

    @Test func fiveMishapsInARowEndTheRun() throws {
        let report = try Self.run(try Self.shell("exit 1"))
        #expect(report.totals[.crash] == 5)
        #expect((report.totals[.notRun] ?? 0) > 0)
        #expect(report.totals[.pass] == nil)
        #expect(report.addsUp)
    }

    @Test func aCrashCostsOneCase() throws {
        // It answers three cases and crashes on every fourth.
        let report = try Self.run(
            try Self.shell(
                #"n=$((n + 1)); [ $n -lt 4 ] || exit 1; echo "{\"id\":\"$id\",\"unsupported\":\"\"}""#
            ))
        let selected = Loaded.corpus.members.count { $0.value.id.hasPrefix("prim-uvarint-") }
        #expect(report.totals[.crash] == selected / 4)
        #expect(report.totals[.unsupported] == selected - selected / 4)
        #expect(report.addsUp)
    }

    @Test func aCommandThatIsNoAdapterIsToldSo() {
        let commands = [
            ["/nonexistent/command"], ["/bin/sh", "-c", "exit 0"], ["/bin/cat"],
            ["/bin/sh", "-c", "echo hello; cat"], ["/bin/sh", "-c", "sleep 60"],
            [
                "/bin/sh", "-c",
                #"read -r l; i=${l##*\"id\":\"}; i=${i%%\"*}; echo "{\"id\":\"$i\",\"ok\":{\"protocol\":\"2\"}}""#,
            ],
        ]
        for command in commands {
            do throws(Stop) {
                _ = try Adapter(command, spec: "1.0", timeout: .milliseconds(500))
                Issue.record("taken: \(command)")
            } catch {
                #expect(error.code == .adapter)
            }
        }
    }

    @Test func theServerAnswersWhatTheAdapterAsks() throws {
        var server = AdapterServer(implementation: BuiltIn())
        let hello = try server.reply(to: #"{"id":"a","op":"hello","protocol":"1","spec":"1.0"}"#)
        #expect(hello?.contains(#""protocol":"1""#) == true)
        let accepted = try server.reply(
            to: #"{"id":"b","op":"uvarint.decode","bytes":"ac02","x":"y"}"#)
        #expect(accepted?.contains(#""value":"300""#) == true)
        let rejected = try server.reply(to: #"{"id":"c","op":"uvarint.decode","bytes":"ac"}"#)
        #expect(rejected?.contains(#""reject":"truncated""#) == true)
        let unknown = try server.reply(to: #"{"id":"d","op":"what"}"#)
        #expect(unknown?.contains(#""unsupported""#) == true)
        #expect(try server.reply(to: "chatter") == nil)
    }

    /// The checker's own program beside the test program, where there is one.
    static let program: String? = {
        let folder = CommandLine.arguments.first.map { path in
            path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                separator: "/")
        }
        let path = "\(folder ?? "")/cenotaph-conformance"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    @Test(.enabled(if: program != nil, "the program is not beside the tests"))
    func theLibraryPassesOverTheProtocol() throws {
        let program = try #require(Self.program)
        let adapter = try Adapter([program, "adapter"], spec: "1.0", timeout: .seconds(30))
        let report = try Self.run(adapter, only: "*")
        #expect(report.totals[.pass] == Loaded.corpus.members.count)
        #expect(report.totals[.skipped] == Loaded.corpus.canaries.count)
    }
}
