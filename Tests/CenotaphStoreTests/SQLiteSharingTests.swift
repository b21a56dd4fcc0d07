import CenotaphStore
import CenotaphWire
import Testing

/// Several connections on one file.
@Suite struct SQLiteSharingTests {
    @Test func oneWriterAtATime() throws {
        let folder = try TempFolder()
        let first = try folder.store()
        let second = try folder.store("store.db", .open, busyTimeout: .milliseconds(20))
        try first.begin(writing: true)
        try first.put("first")
        #expect(throws: StoreError.locked) { try second.begin(writing: true) }
        try #expect(second.read { try second.keys() } == [], "readers do not wait")
        try first.commit()
        try second.write { try second.put("second") }
        try #expect(first.read { try first.keys() } == ["first", "second"])

        let raw = try RawDatabase(folder.file())
        try raw.run("BEGIN IMMEDIATE")
        #expect(throws: StoreError.locked) { try second.begin(writing: true) }
        try raw.run("ROLLBACK")
        try second.write { try second.drop("first") }
    }

    @Test func aWriterWaitsForItsTurn() async throws {
        let folder = try TempFolder()
        let path = folder.file()
        try folder.store().close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = try SQLiteStore(path: path, mode: .open, busyTimeout: .seconds(60))
                    for number in 0..<25 {
                        try store.write {
                            let sum = try store.record("sum") ?? [0]
                            try store.setRecord("sum", [sum[0] + 1])
                            try store.put(try Key("\(writer) \(number)"))
                        }
                    }
                    store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try folder.store("store.db", .open)
        try store.read {
            try #expect(store.record("sum") == [100], "no increment is lost")
            try #expect(store.keys().count == 100)
        }
    }

    @Test func readersSeeOneSnapshot() throws {
        let folder = try TempFolder()
        let writer = try folder.store()
        let reader = try folder.store("store.db", .open)
        try writer.write { try writer.put("a") }
        try reader.begin(writing: false)
        try writer.write {
            try writer.put("b")
            try writer.drop("a")
        }
        // The snapshot is as old as `begin`, not as old as the first question.
        try #expect(reader.keys() == ["a"])
        try reader.scanLeaves(1, .live, .all) { (_, _) throws(StoreError) in
            try writer.begin(writing: true)
            try writer.setRow(at: RowAddress(1, .live, "c"), .sample(1))
            try writer.commit()
            return true
        }
        try #expect(reader.keys() == ["a"])
        try reader.commit()
        try #expect(reader.read { try reader.keys() } == ["b", "c"])
    }

    @Test func changedElsewhere() throws {
        let folder = try TempFolder()
        let first = try folder.store()
        let second = try folder.store("store.db", .open)
        func asked(_ store: SQLiteStore) throws -> Bool {
            try store.read { try store.changedElsewhere() }
        }
        try #expect(!asked(first) && !asked(second))
        try first.write { try first.put("a") }
        try #expect(!asked(first), "one's own commits do not count")
        try #expect(asked(second))
        try #expect(!asked(second))
        try second.write { try second.put("b") }
        try first.write { try first.put("c") }
        try #expect(asked(first) && asked(second), "a commit of one's own hides nothing")
        try #expect(!asked(first) && !asked(second))

        // A rolled back transaction is nothing; a commit inside a snapshot shows in the next one.
        try first.begin(writing: true)
        try first.put("d")
        first.rollback()
        try #expect(!asked(second))
        try second.begin(writing: false)
        try first.write { try first.put("d") }
        try #expect(!second.changedElsewhere())
        try second.commit()
        try #expect(asked(second))

        // A writer learns it before it writes.
        try first.write { try first.put("e") }
        try second.write { try #expect(second.changedElsewhere()) }
        try RawDatabase(folder.file()).run("DELETE FROM row")
        try #expect(asked(first) && asked(second))
        try first.checkpoint()
        try #expect(first.read { try first.keys() } == [])
    }

    @Test func aCheckpointWaitsForReaders() throws {
        let folder = try TempFolder()
        let writer = try folder.store("store.db", .create, busyTimeout: .milliseconds(20))
        let reader = try folder.store("store.db", .open)
        try writer.write { try writer.put("a") }
        try reader.begin(writing: false)
        try writer.write { try writer.put("b") }
        #expect(throws: StoreError.locked) { try writer.checkpoint() }
        #expect(throws: StoreError.locked) { try writer.scrub() }
        try reader.commit()
        try writer.checkpoint()
        try #expect(folder.read("store.db-wal") == [])
        try writer.scrub()
        try #expect(reader.read { try reader.keys() } == ["a", "b"])
    }
}
