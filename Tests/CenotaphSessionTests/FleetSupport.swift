import Cenotaph
import CenotaphTesting
import Testing

/// One namespace of each policy.
let allPolicies = Schema {
    Namespace("notes", .causal)
    Namespace("journal", .log(buried: .erase))
    Namespace("archive", .log(buried: .hide))
}

extension SimulatedFleet {
    /// The three namespaces over `count` replicas in memory.
    convenience init(_ count: Int, for test: String) throws {
        try self.init(count, schema: allPolicies, random: SeededRandom(for: test))
    }

    /// Fails the test unless all replicas show the same and have equal fingerprints.
    func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard try isConverged() else {
            Issue.record("seed \(random.seed): fingerprints differ", sourceLocation: sourceLocation)
            return
        }
        let views = try replicas.map { try $0.view() }
        guard views.allSatisfy({ $0 == views[0] }) else {
            Issue.record("seed \(random.seed): views differ", sourceLocation: sourceLocation)
            return
        }
    }

    /// Fails the test unless ten further rounds send nothing but summaries and change nothing.
    func expectSilence(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try replicas.map { try $0.digests() }
        traffic = SimulatedTraffic()
        for _ in 0..<10 { try round() }
        let open = links.filter(\.isOpen).count
        #expect(
            traffic.frames == [.digest: 20 * open] && traffic.rows == 0,
            "seed \(random.seed): \(traffic)", sourceLocation: sourceLocation)
        #expect(
            try replicas.map { try $0.digests() } == before, "seed \(random.seed)",
            sourceLocation: sourceLocation)
    }

    /// Joins two replicas until they are quiet, then parts them.
    func sync(_ first: Int, _ second: Int) throws {
        let link = try connect(min(first, second), max(first, second))
        try runUntilQuiet(within: 10)
        cut(link)
    }

    /// Writes a body under a text key of `notes`.
    func put(_ replica: Int, _ key: Key, _ body: String) throws {
        try write(replica) { try $0.put("notes", key, Array(body.utf8)) }
    }

    /// The bodies under a key of `notes`, as text; the first one is what a read returns.
    func bodies(_ replica: Int, _ key: Key) throws -> [String] {
        try read(replica) { try $0.get("notes", key) }?.values
            .map { String(decoding: $0.body, as: UTF8.self) } ?? []
    }
}
