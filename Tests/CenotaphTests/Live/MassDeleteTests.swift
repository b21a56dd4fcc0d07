import Cenotaph
import Testing

@Suite struct MassDeleteTests {
    let fleet = Fleet()

    /// Rows, how many are missing, whether they are held back.
    @Test(arguments: [
        (40, 20, false), (40, 21, true), (41, 21, true), (42, 21, false), (43, 22, true),
        (44, 22, false), (100, 50, false), (100, 51, true), (21, 20, false), (20, 20, true),
        (1, 1, false), (2, 2, true), (2, 1, false),
    ])
    func theGuardAtItsEdge(rows: Int, missing: Int, isHeld: Bool) async throws {
        let replica = try fleet.replica()
        var app = AppTable(count: rows)
        try await replica.observe("notes", app.complete())
        for index in 0..<missing { app.rows["\(index)"] = nil }
        app.rows["\(rows - 1)"] = missing < rows ? "edited" : nil
        let report = try await replica.observe("notes", app.complete())
        #expect((report.held != nil) == isHeld)
        #expect(report.deleted.count == (isHeld ? 0 : missing))
        #expect(try await replica.list("notes").count == rows - (isHeld ? 0 : missing))
        // The edits of a listing are applied whatever becomes of its deletes.
        #expect(report.written.count == (missing < rows ? 1 : 0))
    }

    @Test func theGuardCanBeSetAndTurnedOff() async throws {
        let replica = try fleet.replica()
        var app = AppTable(count: 10)
        try await replica.observe("notes", app.complete())
        for index in 0..<3 { app.rows["\(index)"] = nil }
        let strict = ObserveOptions(massDeletes: MassDeleteGuard(rows: 2, percent: 20))
        #expect(try await replica.observe("notes", app.complete(), strict).held?.rows == 3)
        app.rows = [:]
        let off = ObserveOptions(massDeletes: .off)
        let report = try await replica.observe("notes", app.complete(), off)
        // Those that an event holds still wait for its decision.
        #expect(report.deleted.count == 7)
        #expect(try await replica.list("notes").count == 3)
        #expect(try await replica.approve(heldDeletes: 1).deleted.count == 3)
        #expect(try await replica.list("notes").isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func oneEventAndNoSecond(kind: StoreKind) async throws {
        try await kind.with(fleet) { first, reopen in
            var app = AppTable(count: 60)
            try await first.observe("notes", app.complete())
            for index in 0..<50 { app.rows["\(index)"] = nil }
            let event = try #require(try await first.observe("notes", app.complete()).held)
            #expect(event.rows == 50)
            let replica = try await reopen()
            for _ in 0..<3 {
                #expect(try await replica.observe("notes", app.complete()).held == nil)
                #expect(try await replica.heldDeletes() == [event])
            }
            // One more missing row is held too, on its own; one that is back leaves its event.
            app.rows["50"] = nil
            app.rows["0"] = "body 0"
            let second = try #require(try await replica.observe("notes", app.complete()).held)
            #expect(second.rows == 1)
            #expect(try await replica.heldDeletes().map(\.rows) == [49, 1])
            #expect(try await replica.list("notes").count == 60)
            #expect(try await replica.read { try $0.heldKeys(second.id) } == ["50"])
            #expect(try await replica.approve(heldDeletes: event.id).deleted.count == 49)
            await #expect(throws: GateError.noHeldDeletes(event.id)) {
                try await replica.approve(heldDeletes: event.id)
            }
            // What is left is within the limits, but waits for its own decision.
            #expect(try await replica.observe("notes", app.complete()).deleted.isEmpty)
            #expect(try await replica.list("notes").count == 11)
            #expect(try await replica.undo(heldDeletes: second.id) == ["50"])
            #expect(try await replica.heldDeletes().isEmpty)
            await #expect(throws: GateError.noHeldDeletes(second.id)) {
                try await replica.undo(heldDeletes: second.id)
            }
            #expect(try await replica.read { try $0.unapplied("notes") } == ["50"])
            // Undone means that the app is to take the rows in again, not that it deleted them.
            #expect(try await replica.observe("notes", app.complete()).deleted.isEmpty)
            try await app.apply(replica)
            #expect(try await replica.table() == app.rows)
        }
    }

    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func approvalSparesWhatChangedSince(namespace: NamespaceName) async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        var app = AppTable(count: 30)
        try await here.observe(namespace, app.complete())
        try await fleet.sync(here, there)
        app.rows = [:]
        let event = try #require(try await here.observe(namespace, app.complete()).held)
        try await there.put(namespace, "7", text: "edited there")
        try await here.put(namespace, "8", text: "edited here")
        try await there.delete(namespace, "9")
        try await fleet.sync(here, there)
        let report = try await here.approve(heldDeletes: event.id)
        #expect(report.kept == ["7", "8"])
        #expect(report.deleted.count == 27)
        try await fleet.sync(here, there)
        let left = ["7": "edited there", "8": "edited here"]
        for replica in [here, there] { #expect(try await replica.table(namespace) == left) }
        try await app.apply(here, namespace)
        #expect(app.rows == left)
        #expect(try await here.observe(namespace, app.complete()) == ObserveReport.none)
    }

    @Test func observersAreApart() async throws {
        let replica = try fleet.replica()
        let (one, other) = (AppTable(["a": "1"]), AppTable(["b": "1"]))
        try await replica.observe("notes", one.complete())
        let options = ObserveOptions(observer: "other")
        #expect(try await replica.observe("notes", other.complete(), options).deleted.isEmpty)
        #expect(try await replica.observe("notes", one.complete()).deleted.isEmpty)
        #expect(try await replica.table() == ["a": "1", "b": "1"])
    }
}
