import Cenotaph
import CenotaphTesting
import Testing

/// Class U for live objects: a dead object cannot save, whatever it waits for.
@Suite struct WriterCaseTests {
    static let names: [NamespaceName] = ["notes", "devices"]

    /// A row that dies and lives again in one step is not the row that the writer is for.
    @Test(arguments: names) func U6_aWriterOfTheFirstLifeIsCutOff(_ name: NamespaceName)
        async throws
    {
        let fleet = Fleet()
        let (a, b) = (try fleet.replica(), try fleet.replica())
        try await a.put(name, "x", text: "first")
        let clock = ManualClock()
        let form = try await a.writer(for: name, "x", clock: clock)
        try form.saveSoon(Array("typed".utf8), after: .seconds(1))
        try await a.write { tx in
            try tx.delete(name, "x")
            try tx.revive(name, "x", Array("second".utf8))
        }
        #expect(form.isSevered)
        await #expect(throws: WriterError.severed) { try await form.flush() }
        clock.advance(by: .seconds(5))
        try await fleet.sync(a, b)
        for replica in [a, b] { #expect(try await replica.texts(name, "x") == ["second"]) }
    }

    /// A save that the disk refused waits; after a delete it waits for nothing.
    @Test(arguments: names) func U7_aRefusedSaveIsNotMadeUpForAfterADelete(_ name: NamespaceName)
        async throws
    {
        let fleet = Fleet()
        let disk = FailureSwitch()
        let a = try fleet.replica(over: disk.store())
        let b = try fleet.replica()
        try await a.put(name, "x", text: "saved")
        let form = try await a.writer(for: name, "x")
        disk.fails = true
        await #expect(throws: GateError.store(.full)) { try await form.save(Array("typed".utf8)) }
        #expect(form.hasPending)
        // A delete that the disk refused is none: the writer is as it was.
        await #expect(throws: GateError.store(.full)) { try await a.delete(name, "x") }
        #expect(!form.isSevered && form.hasPending)
        disk.fails = false
        try await a.delete(name, "x")
        #expect(form.isSevered && !form.hasPending)
        await #expect(throws: WriterError.severed) { try await form.flush() }
        try await fleet.sync(a, b)
        for replica in [a, b] { #expect(try await replica.get(name, "x") == nil) }
    }

    /// A parent's end cuts off the writers of its children, here and when a peer's delete arrives.
    @Test(arguments: [true, false]) func U8_aCascadeCutsOffTheWritersOfChildren(_ here: Bool)
        async throws
    {
        let fleet = Fleet()
        let (a, b) = (try fleet.replica(), try fleet.replica())
        let child = try Key(child: [1], of: "p")
        try await a.put("notes", "p", text: "parent")
        try await a.put("pages", child, text: "child")
        try await fleet.sync(a, b)
        let form = try await a.writer(for: "pages", child)
        try form.saveSoon(Array("typed".utf8), after: .seconds(3_600))
        try await (here ? a : b).delete("notes", "p")
        try await fleet.sync(a, b)
        #expect(form.isSevered && !form.hasPending)
        await #expect(throws: WriterError.severed) { try await form.save([1]) }
        try await fleet.sync(b, a)
        for replica in [a, b] { #expect(try await replica.list("pages").isEmpty) }
    }

    /// Another process deletes the row: the writer finds out when it saves, and writes nothing.
    @Test(arguments: names) func U9_anotherProcessDeletesTheRow(_ name: NamespaceName) async throws
    {
        let fleet = Fleet()
        let file = try StoreFile()
        defer { file.remove() }
        func open() async throws -> Replica {
            try await Replica.open(at: file.path, schema: fleet.schema, keys: fleet.keys)
        }
        let (first, second) = (try await open(), try await open())
        try await first.put(name, "x", text: "saved")
        let form = try await first.writer(for: name, "x")
        try await second.delete(name, "x")
        let dead = try await second.digests().map(\.root)
        for _ in 0..<2 {
            await #expect(throws: WriterError.severed) { try await form.save([1]) }
        }
        #expect(form.isSevered)
        #expect(try await first.digests().map(\.root) == dead)
    }

    /// Class A: a mass of rows that vanish at once is one event that waits, on the disk; undone, nothing was deleted.
    @Test func A7_aMassOfMissingRowsWaitsForAWord() async throws {
        let fleet = Fleet()
        try await StoreKind.sqlite.with(fleet) { a, reopen in
            let b = try fleet.replica()
            var table = AppTable(count: 40)
            try await a.observe("notes", table.complete())
            try await fleet.sync(a, b)
            table.rows = table.rows.filter { $0.key == "7" }
            for _ in 0..<2 { try await a.observe("notes", table.complete()) }
            try await fleet.sync(a, b)
            for replica in [a, b] { #expect(try await replica.list("notes").count == 40) }
            let again = try await reopen()
            let held = try await again.heldDeletes()
            #expect(held.map(\.rows) == [39])
            try await again.undo(heldDeletes: held[0].id)
            try await table.apply(again)
            #expect(table.rows.count == 40)
            try await again.observe("notes", table.complete())
            try await fleet.sync(again, b)
            for replica in [again, b] { #expect(try await replica.list("notes").count == 40) }
        }
    }
}
