import Cenotaph
import Testing

/// What a subscriber is told, however slowly it reads.
@Suite(.timeLimit(.minutes(10))) struct ChangesTests {
    private func replica() throws -> Replica {
        try .inMemory(schema: testSchema, keys: .generate())
    }

    /// Unread changes of one key fold into the latest one.
    @Test func folding() async throws {
        let replica = try replica()
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        try await replica.put("notes", "b", [1])
        try await replica.put("notes", "a", [1])
        try await replica.put("notes", "b", [2])
        try await replica.delete("notes", "a")
        try await replica.write { try $0.append("journal", "k", group: "g", []) }
        let batch = try #require(await changes.next())
        #expect(batch.isComplete)
        #expect(batch.changes.map(\.key) == ["a", "b"])
        #expect(batch.changes.map(\.kind) == [.removed, .updated])
        #expect(batch.changes.allSatisfy { $0.namespace == "notes" })
        try await replica.put("notes", "c", [1])
        #expect(await changes.next()?.changes.map(\.key) == ["c"])
    }

    /// A failed transaction tells nothing.
    @Test func failures() async throws {
        let replica = try replica()
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        await #expect(throws: GateError.self) {
            try await replica.write { transaction in
                try transaction.put("notes", "lost", [1])
                try transaction.put("none", "k", [1])
            }
        }
        try await replica.put("notes", "kept", [1])
        #expect(await changes.next()?.changes.map(\.key) == ["kept"])
    }

    /// More keys than a subscriber may leave unread: it is told to read anew, then goes on.
    @Test func overflow() async throws {
        let replica = try replica()
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        try await replica.fill(4_096, size: 1)
        #expect(await changes.next()?.changes.count == 4_096)
        try await replica.fill(5_000, size: 1)
        let batch = try #require(await changes.next())
        #expect(!batch.isComplete)
        try await replica.put("notes", "after", [1])
        let next = try #require(await changes.next())
        #expect(next.isComplete)
        #expect(next.changes.map(\.key) == ["after"])
    }

    /// A burial tells of its group, and of the keys that it emptied.
    @Test func burials() async throws {
        let replica = try replica()
        try await replica.write { transaction in
            for name in ["journal", "archive"] as [NamespaceName] {
                try transaction.append(name, "k", group: "g", [1])
            }
        }
        var journal = await replica.changes(in: "journal").makeAsyncIterator()
        var archive = await replica.changes(in: "archive").makeAsyncIterator()
        try await replica.write { transaction in
            try transaction.bury("journal", group: "g")
            try transaction.bury("archive", group: "g")
        }
        #expect(await journal.next()?.changes.map(\.kind) == [.buried, .removed])
        #expect(await archive.next()?.changes.map(\.kind) == [.buried])
    }

    /// A subscriber that stops gets the end; others and the replica go on.
    @Test func cancellation() async throws {
        let replica = try replica()
        let stopped = await replica.changes(in: "notes")
        let task = Task { for await _ in stopped {} }
        task.cancel()
        await task.value
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        try await replica.put("notes", "k", [1])
        #expect(await changes.next()?.changes.count == 1)
    }
}
