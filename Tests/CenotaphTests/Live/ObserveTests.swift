import Cenotaph
import Testing

@Suite struct ObserveTests {
    let fleet = Fleet()

    static let cases: [(StoreKind, NamespaceName)] = StoreKind.allCases.flatMap { kind in
        (["notes", "devices"] as [NamespaceName]).map { (kind, $0) }
    }

    @Test(arguments: cases)
    func writesEditsAndDeletes(kind: StoreKind, namespace: NamespaceName) async throws {
        try await kind.with(fleet) { replica, _ in
            var app = AppTable(["a": "1", "b": "2", "c": "3"])
            var report = try await replica.observe(namespace, app.complete())
            #expect(report.written == ["a", "b", "c"])
            #expect(try await replica.table(namespace) == app.rows)
            let digests = try await replica.digests().map(\.digest)
            // Nothing changed: nothing is stamped, so not even the knowledge grows.
            report = try await replica.observe(namespace, app.complete())
            #expect(report == ObserveReport.none)
            #expect(try await replica.digests().map(\.digest) == digests)
            app.rows["a"] = nil
            app.rows["b"] = "2 edited"
            app.rows["d"] = "4"
            report = try await replica.observe(namespace, app.complete())
            #expect(report.written == ["b", "d"])
            #expect(report.deleted == ["a"])
            #expect(try await replica.table(namespace) == app.rows)
            // A deleted row that an old copy of the table brings back is dead, also when it is listed again.
            app.rows["a"] = "1"
            for _ in 0..<2 {
                report = try await replica.observe(namespace, app.complete())
                #expect(report.dead == ["a"])
                #expect(report.written.isEmpty && report.deleted.isEmpty)
            }
            app.rows["a"] = nil
            #expect(try await replica.observe(namespace, app.complete()) == ObserveReport.none)
            #expect(try await replica.table(namespace) == app.rows)
        }
    }

    @Test(arguments: cases)
    func absenceIsEvidenceOfNothing(kind: StoreKind, namespace: NamespaceName) async throws {
        try await kind.with(fleet) { replica, _ in
            let app = AppTable(count: 30)
            try await replica.observe(namespace, app.complete())
            let roots = try await replica.digests().map(\.root)
            // A failed listing is none; half a listing is partial, or its count is wrong.
            var half = app
            half.rows = app.rows.filter { Int($0.key) ?? 0 < 15 }
            #expect(throws: ListingError.count(expected: 30, found: 15)) {
                try Listing.complete(half.listed(), expectedCount: 30, storage: app.storage)
            }
            #expect(try await replica.observe(namespace, half.partial()) == ObserveReport.none)
            half.rows = [:]
            #expect(try await replica.observe(namespace, half.partial()) == ObserveReport.none)
            #expect(throws: ListingError.duplicate("x")) {
                try Listing.partial([.init("x", [1]), .init("x", [2])], storage: app.storage)
            }
            // A wiped table is a new storage, whatever it holds; bookkeeping of one is not read as of another.
            for wiped in [AppTable(), AppTable(["0": "body 0"])] {
                await #expect(throws: GateError.otherStorage(namespace, observer: "app")) {
                    try await replica.observe(namespace, wiped.complete())
                }
            }
            // A table that was emptied in place looks like a mass of deletes, and is held back.
            let report = try await replica.observe(namespace, half.complete())
            #expect(report.held?.rows == 30)
            #expect(try await replica.digests().map(\.root) == roots)
            let wiped = AppTable()
            try await replica.write { try $0.resetObserver(namespace, storage: wiped.storage) }
            #expect(try await replica.heldDeletes().isEmpty)
            #expect(try await replica.observe(namespace, wiped.complete()) == ObserveReport.none)
            #expect(try await replica.digests().map(\.root) == roots)
        }
    }

    @Test func onlyRowsThatTheAppHadAreMissing() async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        var app = AppTable(["a": "1"])
        try await here.observe("notes", app.complete())
        try await there.put("notes", "b", text: "theirs")
        try await fleet.sync(here, there)
        // The app has not taken in b: that it does not list it says nothing.
        #expect(try await here.observe("notes", app.complete()) == ObserveReport.none)
        #expect(try await here.read { try $0.unapplied("notes") } == ["b"])
        try await app.apply(here)
        #expect(app.rows == ["a": "1", "b": "theirs"])
        #expect(try await here.observe("notes", app.complete()) == ObserveReport.none)
        app.rows["b"] = nil
        #expect(try await here.observe("notes", app.complete()).deleted == ["b"])
        try await fleet.sync(here, there)
        #expect(try await there.table() == ["a": "1"])
    }

    @Test func anEditCoversOnlyWhatTheAppHad() async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        var app = AppTable(["a": "1", "b": "1", "c": "1"])
        try await here.observe("notes", app.complete())
        try await fleet.sync(here, there)
        for key in ["a", "b", "c"] as [Key] { try await there.put("notes", key, text: "theirs") }
        try await fleet.sync(here, there)
        app.rows["a"] = "mine"
        app.rows["b"] = nil
        var report = try await here.observe("notes", app.complete())
        #expect(report.written == ["a"])
        #expect(report.deleted == [])
        #expect(try await here.texts("notes", "a") == ["mine", "theirs"])
        #expect(try await here.table()["b"] == "theirs")
        try await app.apply(here)
        #expect(app.rows["b"] == "theirs" && app.rows["c"] == "theirs")
        report = try await here.observe("notes", app.complete())
        #expect(report == ObserveReport.none)
        try await fleet.sync(here, there)
    }

    @Test func aDeletionThatTheAppHasNotTakenIn() async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        var app = AppTable(["a": "1", "b": "1"])
        try await here.observe("notes", app.complete())
        try await fleet.sync(here, there)
        for key in ["a", "b"] as [Key] { try await there.delete("notes", key) }
        try await fleet.sync(here, there)
        app.rows["b"] = "edited before it was gone"
        #expect(try await here.observe("notes", app.complete()).dead == ["a", "b"])
        #expect(try await here.table().isEmpty)
        let options = ObserveOptions(keepsEditsOfDeletedRows: true)
        let report = try await here.observe("notes", app.complete(), options)
        #expect(report.dead == ["a"] && report.written == ["b"])
        try await app.apply(here)
        #expect(app.rows == ["b": "edited before it was gone"])
        // Once taken in, the deletion is known: an edit of an old copy revives nothing.
        app.rows["a"] = "edited after it was gone"
        #expect(try await here.observe("notes", app.complete(), options).dead == ["a"])
        try await fleet.sync(here, there)
        #expect(try await there.table() == ["b": "edited before it was gone"])
    }

    @Test func anAppThatStopsWhileItTakesIn() async throws {
        for change in ["none", "edit", "delete"] {
            let (here, there) = (try fleet.replica(), try fleet.replica())
            var app = AppTable(["a": "1"])
            try await here.observe("notes", app.complete())
            try await fleet.sync(here, there)
            try await there.put("notes", "a", text: "2")
            try await there.put("notes", "new", text: "2")
            try await fleet.sync(here, there)
            try await app.apply(here, stopBeforeFinishing: true)
            #expect(app.rows == ["a": "2", "new": "2"])
            for key in ["a", "new"] as [Key] {
                if change == "edit" { try await there.put("notes", key, text: "3") }
                if change == "delete" { try await there.delete("notes", key) }
            }
            try await fleet.sync(here, there)
            // What the app was handed is no edit of its own: it beats nothing and revives nothing.
            let report = try await here.observe(
                "notes", app.complete(), ObserveOptions(keepsEditsOfDeletedRows: true))
            #expect(report.written.isEmpty && report.deleted.isEmpty)
            try await app.apply(here)
            let expected = ["none": "2", "edit": "3"][change]
            #expect(app.rows["a"] == expected && app.rows["new"] == expected)
            #expect(try await here.table() == app.rows)
        }
    }

    @Test func whatWasHandedOutAndNeverCameIsNotMissing() async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        let app = AppTable(["a": "1"])
        try await here.observe("notes", app.complete())
        try await there.put("notes", "new", text: "2")
        try await fleet.sync(here, there)
        var crashed = app
        try await crashed.apply(here, stopBeforeFinishing: true)
        #expect(try await here.observe("notes", app.complete()) == ObserveReport.none)
        #expect(try await here.table() == ["a": "1", "new": "2"])
    }

    @Test func oneBadRowStopsNoOther() async throws {
        let replica = try fleet.replica()
        let storage = AppTable().storage
        let large = [UInt8](repeating: 0, count: Limits.maxBody + 1)
        let listing = try Listing.complete(
            [.init("a", [1]), .init("b", large), .init("c", [3])], expectedCount: 3,
            storage: storage)
        let report = try await replica.observe("notes", listing)
        #expect(report.written == ["a", "c"])
        #expect(report.refused.map(\.refusal) == [.bodyTooLarge(bytes: large.count)])
        for namespace in ["journal", "view", "none"] as [NamespaceName] {
            await #expect(throws: GateError.self) { try await replica.observe(namespace, listing) }
        }
    }

    @Test func deletingByListingSeversWriters() async throws {
        let replica = try fleet.replica()
        var app = AppTable(["a": "1", "b": "1"])
        try await replica.observe("notes", app.complete())
        let writer = try await replica.writer(for: "notes", "a")
        app.rows["a"] = nil
        try await replica.observe("notes", app.complete())
        #expect(writer.isSevered)
        await #expect(throws: WriterError.severed) { try await writer.save([1]) }
    }

    @Test func childrenGoWithAParentThatIsMissing() async throws {
        let (here, there) = (try fleet.replica(), try fleet.replica())
        var app = AppTable(["a": "1", "b": "1", "c": "1"])
        try await here.observe("notes", app.complete())
        let keys = try ["a", "b"].map { try Key(child: [1], of: try Key($0)) }
        for key in keys { try await here.put("pages", key, text: "page") }
        let writer = try await here.writer(for: "pages", keys[0])
        try await fleet.sync(here, there)
        // The edit of b is not seen by the app, so b lives on, and its page with it.
        try await there.put("notes", "b", text: "edited")
        try await fleet.sync(here, there)
        app.rows = ["c": "1"]
        #expect(try await here.observe("notes", app.complete()).deleted == ["a"])
        #expect(try await here.list("pages").map(\.key) == [keys[1]])
        #expect(writer.isSevered)
        await #expect(throws: WriterError.severed) { try await writer.save([1]) }
        try await fleet.sync(here, there)
        #expect(try await there.list("pages").map(\.key) == [keys[1]])
        // A page that the app had and edited does not outlive its note by being listed.
        let pages = try Listing.complete(
            [.init(keys[0], [2]), .init(keys[1], [2])], expectedCount: 2, storage: app.storage)
        let report = try await here.observe(
            "pages", pages, ObserveOptions(keepsEditsOfDeletedRows: true))
        #expect(try await here.get("pages", keys[0]) == nil)
        #expect(!report.written.contains(keys[0]))
    }

    @Test func aWriteThatIsBasedOnAVersionNeedsItsParent() async throws {
        let replica = try fleet.replica()
        let child = try Key(child: [1], of: "a")
        try await replica.put("notes", "a", text: "1")
        try await replica.put("pages", child, text: "1")
        let version = try #require(try await replica.read { try $0.version("pages", child) })
        try await replica.delete("notes", "a")
        for base in [version, .nothing] {
            await #expect(throws: GateError.refused(.parentDeleted("a"))) {
                try await replica.write { try $0.put("pages", child, [2], basedOn: base) }
            }
            await #expect(throws: GateError.refused(.parentDeleted("a"))) {
                try await replica.write { try $0.revive("pages", child, [2], basedOn: base) }
            }
        }
    }

    @Test func somethingElseOnThisDeviceWroteTheRow() async throws {
        let replica = try fleet.replica()
        var app = AppTable(["a": "1", "b": "1"])
        try await replica.observe("notes", app.complete())
        try await replica.put("notes", "a", text: "by hand")
        try await replica.put("notes", "b", text: "by hand")
        app.rows["a"] = "by the app"
        app.rows["b"] = nil
        let report = try await replica.observe("notes", app.complete())
        #expect(report.refused.map(\.refusal) == [.unseenOwnValue("a")])
        #expect(report.deleted.isEmpty)
        #expect(try await replica.table() == ["a": "by hand", "b": "by hand"])
        #expect(app.rows["a"] == "by the app")
    }
}

extension ObserveReport {
    /// The report of a listing that changed nothing.
    static let none = ObserveReport()
}
