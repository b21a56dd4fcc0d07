import Foundation
import Testing

/// A relay and devices in processes of their own.
@Suite(.serialized) struct RelayCommandTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        for home in ["a", "b"] {
            let join = home == "a" ? [] : ["--join", "a/fleet.key"]
            #expect(try tool.run(["init", "--home", home] + join).code == 0)
        }
    }

    private func digest(_ home: String) throws -> String {
        try tool.run("digest", "--home", home).output
    }

    @Test func statusMetricsAndShutdown() throws {
        defer { tool.remove() }
        try tool.run("put", "notes", "k", "v", "--home", "a")
        let relay = try RunningTool(
            tool, "relay", "--listen", "unix:r", "--control", "c", "--metrics", "m.prom",
            "--metrics-seconds", "1")
        #expect(relay.firstLine == "listening on unix:r")
        let device = try RunningTool(tool, "serve", "--listen", "relay:unix:r", "--home", "a")
        #expect(device.firstLine == "waiting at relay:unix:r")
        #expect(try tool.run("sync", "relay:unix:r", "--home", "b").code == 0)
        #expect(try tool.run("get", "notes", "k", "--home", "b").output == "v")

        let status = try tool.run("relay", "status", "--control", "c", "--json")
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any])
        #expect(json["entered"] as? Int == 2)
        #expect(json["rooms"] as? Int == 1)
        #expect((json["frames"] as? Int ?? 0) > 4)
        #expect(try tool.run("relay", "status", "--control", "c").output.contains("frames passed"))
        let rights = try FileManager.default.attributesOfItem(atPath: tool.path("c"))
        #expect(rights[.posixPermissions] as? Int == 0o600)
        #expect(try tool.run("relay", "status", "--control", "none").code == 5)
        #expect(try tool.run("relay", "--listen", "unix:r").code == 5)

        // It tells its clients, writes the metrics a last time, and leaves nothing but them.
        let ending = relay.terminate()
        #expect(ending.code == 0)
        let metrics = String(decoding: try tool.bytes(of: "m.prom"), as: UTF8.self)
        #expect(metrics.contains("\ncenotaph_relay_entered_total 2\n"))
        #expect(metrics.contains("\ncenotaph_relay_ended_total{reason=\"stopping\"} 1\n"))
        #expect(metrics.contains("\ncenotaph_relay_connections 0\n"))
        #expect(device.terminate().errors.contains("stopping [RELAY-015]"))
        let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
        #expect(left == ["a", "b", "m.prom"])

        let lines = ending.errors.split(separator: "\n")
        #expect(lines.count >= 6)
        for line in lines {
            let fields = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(fields["time"] is Double && fields["event"] is String)
        }
    }

    @Test func tokensAreAskedFor() throws {
        defer { tool.remove() }
        try tool.write(Array("one\ntwo\n".utf8), to: "tokens")
        try tool.write(Array("two\n".utf8), to: "mine")
        #expect(try tool.run("relay", "--token-file", "tokens").code == 5)
        for name in ["tokens", "mine"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: tool.path(name))
        }
        let relay = try RunningTool(tool, "relay", "--token-file", "tokens", "--quiet")
        let place = "relay:" + relay.place
        let device = try RunningTool(
            tool, "serve", "--listen", place, "--token-file", "mine", "--home", "a", "--quiet")
        let without = try tool.run("sync", place, "--home", "b", "--timeout", "1")
        #expect(without.code == 4)
        #expect(without.errors.contains("token"))
        #expect(try tool.run("sync", place, "--home", "b", "--token-file", "mine").code == 0)
        #expect(device.terminate().code != 0)
        #expect(relay.terminate().errors == "")
    }

    /// Two devices and a relay in three processes, cut off from each other again and again: `CENOTAPH_DISCONNECTS` times.
    @Test func devicesComeTogetherThroughDisconnects() throws {
        defer { tool.remove() }
        let count =
            ProcessInfo.processInfo.environment["CENOTAPH_DISCONNECTS"].flatMap { Int($0) } ?? 20
        var relay = try RunningTool(tool, "relay", "--listen", "unix:r", "--quiet")
        var devices = try ["a", "b"].map { try device($0) }
        for round in 0..<count {
            for home in ["a", "b"] {
                let key = "\(home) \(round % 50)"
                let words =
                    round % 7 == 3
                    ? ["delete", "notes", key]
                    : ["put", "notes", key, "round \(round)", "--revive"]
                let code = try tool.run(words + ["--home", home]).code
                #expect(code == 0 || (words[0] == "delete" && code == 1))
            }
            Thread.sleep(forTimeInterval: .random(in: 0...0.5))
            switch Int.random(in: 0..<6) {
            case 0:
                #expect(relay.terminate().code == 0)
                relay = try RunningTool(tool, "relay", "--listen", "unix:r", "--quiet")
            case 1:
                devices[0].kill()
                devices[0] = try device("a")
            case 2:
                devices[1].kill()
                devices[1] = try device("b")
            default:
                relay.kill()
                relay = try RunningTool(tool, "relay", "--listen", "unix:r", "--quiet")
            }
        }
        // In step again, with every last write on both.
        let final = try tool.run("sync", "relay:unix:r", "--home", "a", "--timeout", "120")
        #expect(final.code == 0, "\(final.errors)")
        #expect(try digest("a") == digest("b"))
        for home in ["a", "b"] {
            for round in max(0, count - 50)..<count where round % 7 != 3 {
                let other = home == "a" ? "b" : "a"
                let value = try tool.run("get", "notes", "\(home) \(round % 50)", "--home", other)
                    .output
                #expect(value == "round \(round)")
            }
        }
        for device in devices { device.kill() }
        relay.kill()
    }

    private func device(_ home: String) throws -> RunningTool {
        try RunningTool(tool, "serve", "--listen", "relay:unix:r", "--home", home, "--quiet")
    }
}
