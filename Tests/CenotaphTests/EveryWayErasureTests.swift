import Cenotaph
import CenotaphTesting
import Foundation
import Testing

/// Each way in which a body goes, under each policy: after a scrub, the store's files hold no byte of it.
@Suite struct EveryWayErasureTests {
    private static let secret = Array("the body that must not be found again".utf8)
    private static let storage = ID16(high: 1, low: 1)

    /// A way: what makes the secret body lie in the store, and what takes it away again.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let write: @Sendable (WriteTransaction) throws -> Void
        let remove: @Sendable (WriteTransaction) throws -> Void
    }

    private static func message(_ tx: ReadTransaction) throws -> Key { try tx.ownMessage([7]) }

    private static func listing(_ count: Int, _ body: [UInt8]) throws -> Listing {
        try Listing.complete(
            (0..<count).map { Listing.Row(try Key("t\($0)"), body) }, expectedCount: count,
            storage: storage)
    }

    /// A causal row of another replica's; the numbers are its writers.
    private static func causal(_ writers: Range<UInt64>, _ body: [UInt8]?) throws -> Row {
        let entries = writers.compactMap { number in
            ReplicaID(ID16(high: 9, low: number)).map {
                CausalRow.Entry(replica: $0, time: number + 1, value: body)
            }
        }
        return .causal(try #require(CausalRow(key: "x", entries: entries)))
    }

    static let ways: [Way] =
        editable + [
            Way(
                testDescription: "log: burial",
                write: { try $0.append("journal", "e", group: "g", secret) },
                remove: { try $0.bury("journal", group: "g") }),
            Way(
                testDescription: "log: burial from a peer",
                write: { try $0.append("journal", "e", group: "g", secret) },
                remove: { tx in
                    let replica = try #require(ReplicaID(ID16(high: 9, low: 9)))
                    let marker = LogMarker(group: "g", stamp: Stamp(time: 1, replica: replica))
                    _ = try tx.merge("journal", .logMarker(marker))
                }),
            Way(
                testDescription: "messages: recall",
                write: { try $0.post("chat", message($0), secret) },
                remove: { try $0.deleteForEveryone("chat", message($0)) }),
            Way(
                testDescription: "messages: recall of an edited one",
                write: { tx in
                    try tx.post("chat", message(tx), [1])
                    try tx.edit("chat", message(tx), secret)
                },
                remove: { try $0.deleteForEveryone("chat", message($0)) }),
            Way(
                testDescription: "messages: edit replaced",
                write: { tx in
                    try tx.post("chat", message(tx), [1])
                    try tx.edit("chat", message(tx), secret)
                },
                remove: { try $0.edit("chat", message($0), [2]) }),
            Way(
                testDescription: "messages: delivered, then deleted for this fleet",
                write: { tx in
                    try tx.post("chat", message(tx), secret)
                    try tx.markDelivered("chat", message(tx))
                },
                remove: { try $0.deleteForMe("chat", message($0)) }),
            Way(
                testDescription: "messages: an orphan edit, recalled",
                write: { tx in
                    let edit = MessageRow.Edit(editedAt: 5, opID: .zero, body: secret)
                    let row = try #require(MessageRow(key: message(tx), edit: edit))
                    _ = try tx.merge("chat", .message(row))
                },
                remove: { try $0.deleteForEveryone("chat", message($0)) }),
            Way(
                testDescription: "derived: delete", write: { try $0.put("view", "k", secret) },
                remove: { try $0.delete("view", "k") }),
            Way(
                testDescription: "derived: overwritten", write: { try $0.put("view", "k", secret) },
                remove: { try $0.put("view", "k", [1]) }),
            Way(
                testDescription: "causal: a parked row discarded",
                write: { tx in
                    _ = try tx.merge("notes", causal(0..<UInt64(Limits.maxVector), nil))
                    let last = UInt64(Limits.maxVector)
                    let outcome = try tx.merge("notes", causal(last..<last + 1, secret))
                    #expect(outcome == .refused(.range))
                },
                remove: { tx in
                    for parked in try tx.parked() { try tx.dropParked(parked.id) }
                }),
            Way(
                testDescription: "causal: a conflict covered by a write",
                write: { tx in
                    try tx.put("notes", "x", [1])
                    _ = try tx.merge("notes", causal(1..<4, secret))
                    #expect(try tx.get("notes", "x")?.values.count == 4)
                },
                remove: { try $0.put("notes", "x", [2]) }),
            Way(
                testDescription: "causal: a conflict covered by a peer's delete",
                write: { _ = try $0.merge("notes", causal(1..<4, secret)) },
                remove: { _ = try $0.merge("notes", causal(1..<4, nil)) }),
            Way(
                testDescription: "causal: cascade",
                write: { tx in
                    try tx.put("notes", "p", [1])
                    try tx.put("pages", Key(child: [1], of: "p"), secret)
                },
                remove: { try $0.delete("notes", "p") }),
        ]

    private static let editable: [Way] = (["notes", "devices"] as [NamespaceName]).flatMap { name in
        [
            Way(
                testDescription: "\(name): delete", write: { try $0.put(name, "x", secret) },
                remove: { try $0.delete(name, "x") }),
            Way(
                testDescription: "\(name): overwritten", write: { try $0.put(name, "x", secret) },
                remove: { try $0.put(name, "x", [1]) }),
            Way(
                testDescription: "\(name): deleted and revived",
                write: { try $0.put(name, "x", secret) },
                remove: { tx in
                    try tx.delete(name, "x")
                    try tx.revive(name, "x", [1])
                }),
            Way(
                testDescription: "\(name): missing in a listing",
                write: { _ = try $0.observe(name, listing(1, secret)) },
                remove: { _ = try $0.observe(name, listing(0, [])) }),
            Way(
                testDescription: "\(name): held back, then approved",
                write: { _ = try $0.observe(name, listing(5, secret)) },
                remove: { tx in
                    let report = try tx.observe(name, listing(0, []))
                    try tx.approve(heldDeletes: try #require(report.held).id)
                }),
        ]
    }

    @Test(arguments: ways) func nothingIsLeft(_ way: Way) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "cenotaph-ways-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func isFound() throws -> Bool {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .contains { try Data(contentsOf: $0).range(of: Data(Self.secret)) != nil }
        }
        let fleet = Fleet()
        let path = folder.appending(path: "store").path
        let replica = try await Replica.open(at: path, schema: fleet.schema, keys: fleet.keys)
        // Rows around it, so that pages split and merge.
        try await replica.write { tx in
            for number in 0..<120 {
                let body = [UInt8](repeating: UInt8(number), count: 40 + number)
                try tx.put("notes", try Key("note \(number)"), body)
                try tx.put("devices", try Key("device \(number)"), body)
            }
        }
        try await replica.write { try way.write($0) }
        #expect(try isFound())
        try await replica.write { try way.remove($0) }
        try await replica.scrub()
        #expect(try !isFound())
        #expect(try await replica.list("notes").count >= 120)
    }
}
