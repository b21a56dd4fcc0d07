import Testing

/// The main job, small.
@Suite struct DemoTests {
    @Test func twentyRowsConverge() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run("demo", "--rows", "20")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("passed: nothing came back"))
    }

    @Test func aFolderWithoutTextIsRefused() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write([0, 1, 2], to: "empty/binary")
        #expect(try tool.run("demo", "--from", "empty").code == 6)
    }
}
