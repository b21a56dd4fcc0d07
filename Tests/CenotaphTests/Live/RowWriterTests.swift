import Testing

@testable import Cenotaph

@Suite struct RowWriterTests {
    let fleet = Fleet()
    let clock = ManualClock()

    @Test func writersAreForLiveRows() async throws {
        let replica = try fleet.replica()
        await #expect(throws: WriterError.notLive) { try await replica.writer(for: "notes", "x") }
        try await replica.put("notes", "x", text: "1")
        try await replica.delete("notes", "x")
        await #expect(throws: WriterError.notLive) { try await replica.writer(for: "notes", "x") }
        for namespace in ["journal", "chat"] as [NamespaceName] {
            await #expect(throws: GateError.self) {
                try await replica.writer(for: namespace, "x")
            }
        }
        await #expect(throws: GateError.self) { try await replica.writer(for: "none", "x") }
        #expect(replica.writers.count == 0)
    }

    @Test func savesUpdate() async throws {
        let replica = try fleet.replica()
        try await replica.put("notes", "x", text: "1")
        let writer = try await replica.writer(for: "notes", "x")
        try await writer.save(Array("2".utf8))
        #expect(try await replica.text("notes", "x") == "2")
        #expect(try await writer.read().body == Array("2".utf8))
        await #expect(throws: GateError.refused(.bodyTooLarge(bytes: 983_041))) {
            try await writer.save([UInt8](repeating: 0, count: 983_041))
        }
        #expect(writer.failure != nil)
        #expect(!writer.hasPending)
        try await writer.save(Array("3".utf8))
        #expect(writer.failure == nil)
        #expect(try await replica.texts("notes", "x") == ["3"])
    }

    @Test func aDebounceKeepsTheNewest() async throws {
        let replica = try fleet.replica()
        try await replica.put("notes", "x", text: "1")
        let writer = try await replica.writer(for: "notes", "x", clock: clock)
        let before = try await replica.get("notes", "x")
        for text in ["2", "3", "4"] { try writer.saveSoon(Array(text.utf8), after: .seconds(1)) }
        #expect(try await replica.get("notes", "x") == before)
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        await clock.waitForSleepers(3)
        clock.advance(by: .seconds(1))
        #expect(await changes.next()?.changes.count == 1)
        #expect(try await replica.text("notes", "x") == "4")
        try await writer.flush()
        try writer.saveSoon(Array("5".utf8), after: .seconds(1))
        try await writer.save(Array("6".utf8))
        clock.advance(by: .seconds(5))
        try await writer.flush()
        #expect(try await replica.text("notes", "x") == "6")
    }

    @Test func aDeleteThatIsUndoneSeversNothing() async throws {
        struct Undo: Error {}
        let failure = FailureSwitch()
        let replica = try fleet.replica(over: failure.store())
        try await replica.put("notes", "x", text: "1")
        let writer = try await replica.writer(for: "notes", "x", clock: clock)
        try writer.saveSoon(Array("2".utf8), after: .seconds(1))
        await #expect(throws: Undo.self) {
            try await replica.write { tx in
                try tx.delete("notes", "x")
                throw Undo()
            }
        }
        failure.fails = true
        await #expect(throws: GateError.store(.full)) { try await replica.delete("notes", "x") }
        #expect(!writer.isSevered)
        await #expect(throws: GateError.store(.full)) { try await writer.flush() }
        #expect(writer.hasPending)
        #expect(writer.failure as? GateError == .store(.full))
        failure.fails = false
        try await writer.flush()
        #expect(writer.failure == nil)
        #expect(try await replica.text("notes", "x") == "2")
    }

    @Test func aSecondLifeHasNewWriters() async throws {
        let replica = try fleet.replica()
        for namespace in ["notes", "devices", "view"] as [NamespaceName] {
            try await replica.put(namespace, "x", text: "1")
            let old = try await replica.writer(for: namespace, "x", clock: clock)
            try old.saveSoon(Array("old".utf8), after: .seconds(1))
            // Dead only for a moment, inside one transaction.
            try await replica.write { tx in
                try tx.delete(namespace, "x")
                try tx.revive(namespace, "x", Array("2".utf8))
            }
            #expect(old.isSevered)
            await #expect(throws: WriterError.severed) { try await old.save([9]) }
            await #expect(throws: WriterError.severed) { try await old.read() }
            #expect(throws: WriterError.severed) { try old.saveSoon([9], after: .zero) }
            clock.advance(by: .seconds(9))
            let new = try await replica.writer(for: namespace, "x")
            #expect(!new.isSevered)
            try await new.save(Array("3".utf8))
            #expect(try await replica.texts(namespace, "x") == ["3"])
        }
    }

    @Test func everyWriterOfTheRowIsSeveredAndNoOther() async throws {
        let replica = try fleet.replica()
        for key in ["x", "y"] as [Key] { try await replica.put("notes", key, text: "1") }
        try await replica.put("devices", "x", text: "1")
        let first = try await replica.writer(for: "notes", "x")
        let second = try await replica.writer(for: "notes", "x")
        let other = try await replica.writer(for: "notes", "y")
        let elsewhere = try await replica.writer(for: "devices", "x")
        try await replica.delete("notes", "x")
        #expect(first.isSevered && second.isSevered)
        #expect(!other.isSevered && !elsewhere.isSevered)
        #expect(await first.waitUntilSevered())
    }

    @Test(.timeLimit(.minutes(10))) func theRegistryHoldsNoWriter() async throws {
        let replica = try fleet.replica()
        try await replica.put("notes", "x", text: "1")
        do {
            let writer = try await replica.writer(for: "notes", "x", clock: clock)
            #expect(replica.writers.count == 1)
            let waiting = Task { await writer.waitUntilSevered() }
            waiting.cancel()
            #expect(await waiting.value == false)
        }
        // The task lets go of the writer some time after its value is there.
        while replica.writers.count > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        // An object that goes with a save pending: the save still happens.
        try await replica.writer(for: "notes", "x", clock: clock)
            .saveSoon(Array("2".utf8), after: .seconds(1))
        var changes = await replica.changes(in: "notes").makeAsyncIterator()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        _ = await changes.next()
        #expect(try await replica.text("notes", "x") == "2")
    }

    @Test func anUnseenEditOfAPeerIsNotOverwritten() async throws {
        let (a, b) = (try fleet.replica(), try fleet.replica())
        try await a.put("notes", "x", text: "1")
        try await fleet.sync(a, b)
        let writer = try await a.writer(for: "notes", "x")
        try await b.put("notes", "x", text: "theirs")
        try await fleet.sync(a, b)
        try await writer.save(Array("mine".utf8))
        try await writer.save(Array("mine 2".utf8))
        #expect(try await a.texts("notes", "x") == ["mine 2", "theirs"])
        try await fleet.sync(a, b)
        #expect(try await b.texts("notes", "x") == ["mine 2", "theirs"])
        #expect(try await writer.read().values.count == 2)
        try await writer.save(Array("both".utf8))
        #expect(try await a.texts("notes", "x") == ["both"])
    }

    @Test func anotherProcessMayDelete() async throws {
        let folder = try StoreFile()
        defer { folder.remove() }
        let here = try await Replica.open(at: folder.path, schema: fleet.schema, keys: fleet.keys)
        let there = try await Replica.open(at: folder.path, schema: fleet.schema, keys: fleet.keys)
        try await here.put("notes", "x", text: "1")
        let writer = try await here.writer(for: "notes", "x")
        try await there.delete("notes", "x")
        await #expect(throws: WriterError.severed) { try await writer.save([2]) }
        #expect(writer.isSevered)
        #expect(try await here.get("notes", "x") == nil)
    }
}
