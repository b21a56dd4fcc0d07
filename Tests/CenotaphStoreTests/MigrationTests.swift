import Cenotaph
import CenotaphDigest
@testable import CenotaphStore
import CenotaphTesting
import Foundation
import Testing

/// Files of earlier formats, and steps that are interrupted.
@Suite struct MigrationTests {
    /// Opens every format's file: all that was seen is seen, and what was deleted stays so.
    @Test(arguments: 1...Format.version) func everyFormatOpens(_ format: Int64) throws {
        let folder = try TempFolder()
        try FormatFixtures.make(format, at: folder.file())
        let gate = try FormatSample.gate(try folder.store("store.db", .open))
        #expect(try FormatSample.describe(gate) == FormatFixtures.text("contents.txt"))
        try expectPlaces(gate, folder)
        try expectTheDeadStayDead(gate)
        let fresh = try TempFolder()
        try fresh.store().close()
        #expect(
            try FormatFixtures.schema(RawDatabase(folder.file()))
                == FormatFixtures.schema(RawDatabase(fresh.file())),
            "a migrated file has the tables of a new one")
    }

    /// Every row is found by its place, and nothing says any longer that one is not.
    private func expectPlaces(_ gate: Gate, _ folder: TempFolder) throws {
        try gate.read { snapshot in
            for name in FormatSample.schema.namespaces.map(\.name) {
                let key = try snapshot.key(of: name)
                for set in RowSet.allCases {
                    try snapshot.forEachLeaf(name, set, .all) { rowKey, leaf in
                        let id = RowID(place: key.place(of: rowKey), leaf: leaf)
                        let found = try? snapshot.keys(name, set, places: [id.place], ids: [id])
                        #expect(found == [rowKey])
                        return true
                    }
                }
            }
        }
        let raw = try RawDatabase(folder.file())
        try #expect(raw.texts("SELECT name FROM record WHERE name LIKE 'unplaced%'").isEmpty)
    }

    /// The gate fills places in: not at all in a namespace that it does not open, whole or not at all in the others.
    @Test func placesAreFilledIn() throws {
        let folder = try TempFolder()
        try FormatFixtures.make(2, at: folder.file())
        let notes: NamespaceName = "notes"
        func unplaced() throws -> [String] {
            try RawDatabase(folder.file()).texts(
                "SELECT name FROM record WHERE name LIKE 'unplaced%'")
        }
        func open(_ store: any Store) throws -> Gate {
            var random = SeededRandom(seed: 3)
            return try Gate(
                store: store, schema: Schema { Namespace("notes", .causal) },
                keys: FormatSample.keys(), milliseconds: { 1 }, random: &random)
        }
        func placed(_ snapshot: ReadTransaction, _ place: UInt32) throws -> [Key] {
            var keys: [Key] = []
            try snapshot.forEachRow(notes, .live, places: [place]) { row, _ in
                keys.append(row.key)
                return true
            }
            return keys
        }
        // Migrated, and then only read: rows are found by a scan.
        try folder.store("store.db", .open).close()
        let all = try unplaced().count
        #expect(all == FormatSample.schema.namespaces.count)
        let reader = try open(try folder.store("store.db", .readOnly))
        let (place, live) = try reader.read { snapshot in
            var keys: [Key] = []
            try snapshot.forEachLeaf(notes, .live, .all) { key, _ in
                keys.append(key)
                return true
            }
            let place = try snapshot.key(of: notes).place(of: keys[0])
            return (place, try placed(snapshot, place))
        }
        #expect(live.count == 1)
        // A failure, or a crash, within the filling leaves it all to the next opening.
        for call in [FaultyStore.Call.setPlace, .commit] {
            let failing = FaultyStore(try folder.store("store.db", .open))
            var calls = 0
            failing.willCall = { each in
                if each == call { calls += 1 }
                return calls == (call == .commit ? 1 : 2) ? .full : nil
            }
            #expect(throws: GateError.store(.full)) { try open(failing) }
            try #expect(unplaced().count == all)
            try #expect(
                RawDatabase(folder.file()).texts(
                    "SELECT key FROM place UNION SELECT key FROM fresh"
                ).isEmpty)
        }
        let gate = try open(try folder.store("store.db", .open))
        try #expect(unplaced().count == all - 1)
        try #expect(gate.read { try placed($0, place) } == live)
        try #expect(
            !RawDatabase(folder.file()).texts("SELECT key FROM place UNION SELECT key FROM fresh")
                .isEmpty)
    }

    private func expectTheDeadStayDead(_ gate: Gate) throws {
        for key in ["deleted"] as [Key] {
            #expect(throws: GateError.refused(.rowDeleted(key))) {
                try gate.write { try $0.put("notes", key, [7]) }
            }
        }
        let before = try FormatSample.describe(gate)
        let old = try FormatSample.rowsFromElsewhere()
        _ = try gate.write { tx in
            for (name, row) in old { _ = try tx.merge(name, row) }
        }
        #expect(
            try FormatSample.describe(gate) == before, "old rows that arrive again change nothing")
        #expect(try gate.read { try $0.get("notes", "deleted") } == nil)
        #expect(try gate.read { try $0.get("devices", "lost") } == nil)
        #expect(try gate.read { try $0.isBuried("journal", group: "buried") })
    }

    /// Writes the files of this format to the folder that `CENOTAPH_WRITE_FORMATS` names, and checks that the sample
    /// shows what the fixtures show.
    @Test func thisFormatHasAFixture() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        try FormatSample.fill(store)
        let contents = try FormatSample.describe(FormatSample.gate(store))
        store.close()
        let name = "format-\(Format.version).sql"
        if let place = ProcessInfo.processInfo.environment["CENOTAPH_WRITE_FORMATS"] {
            let place = URL(filePath: place)
            try Data(try FormatFixtures.dump(folder.file()).utf8)
                .write(to: place.appending(path: name))
            try Data(contents.utf8).write(to: place.appending(path: "contents.txt"))
        }
        #expect(try FormatFixtures.text("contents.txt") == contents)
        let hasFixture = FileManager.default.fileExists(
            atPath: FormatFixtures.folder.appending(path: name).path)
        #expect(
            hasFixture, "run this test with CENOTAPH_WRITE_FORMATS=Tests/CenotaphStoreTests/Formats"
        )
    }

    // MARK: Steps

    private func open(
        _ folder: TempFolder, _ migrations: [Migration], _ mode: OpenMode = .open
    ) throws -> SQLiteStore {
        try SQLiteStore(
            path: folder.file(), mode: mode, busyTimeout: .milliseconds(50),
            migrations: migrations)
    }

    /// As many steps as the format needs to come to `format`, those beyond the library's own made up.
    private func steps(_ more: Migration...) -> [Migration] { Format.migrations + more }

    private let adding = Migration("CREATE TABLE extra(a)", "INSERT INTO extra VALUES(1)")
    private let doubling = Migration("UPDATE extra SET a=a*2", "INSERT INTO extra VALUES(10)")

    @Test func stepsRunOnceEach() throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        for _ in 0..<3 { try open(folder, steps(adding, doubling)).close() }
        let raw = try RawDatabase(folder.file())
        try #expect(raw.texts("SELECT a FROM extra ORDER BY a") == ["2", "10"])
        try #expect(raw.texts("PRAGMA user_version") == ["\(Format.version + 2)"])
        // A program of the format before refuses it now, and so does one that has it open.
        #expect(
            throws: StoreError.newerFormat(found: Format.version + 2, known: Format.version)
        ) { try folder.store("store.db", .open) }
    }

    @Test func aStepThatFailsLeavesTheFileAsItWas() throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        try folder.store("store.db", .open).close()
        let before = try FormatFixtures.dump(folder.file())
        let broken = Migration("DELETE FROM row", "CREATE TABLE extra(a)", "no statement")
        for mode in [OpenMode.create, .open] {
            #expect(throws: StoreError.self) { try open(folder, steps(broken), mode) }
            try #expect(FormatFixtures.dump(folder.file()) == before)
        }
        let gate = try FormatSample.gate(try folder.store("store.db", .open))
        #expect(try FormatSample.describe(gate) == FormatFixtures.text("contents.txt"))
    }

    @Test func theStepsBeforeAFailedOneStay() throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        let broken = Migration("UPDATE extra SET a=7", "no statement")
        #expect(throws: StoreError.self) { try open(folder, steps(adding, broken)) }
        try #expect(RawDatabase(folder.file()).texts("SELECT a FROM extra") == ["1"])
        try open(folder, steps(adding, doubling)).close()
        try #expect(
            RawDatabase(folder.file()).texts("SELECT a FROM extra ORDER BY a") == ["2", "10"])
    }

    /// A process that is killed within a step, when pages of it have reached the log.
    @Test func aKilledStepIsUndone() async throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        try folder.store("store.db", .open).close()
        let before = try FormatFixtures.dump(folder.file())
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let killed = Migration { (connection) throws(StoreError) in
                try connection.run("PRAGMA cache_size=1")
                try connection.run("CREATE TABLE extra(a)")
                try connection.run(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 500) "
                        + "INSERT INTO extra SELECT randomblob(500) FROM n")
                kill(getpid(), SIGKILL)
            }
            _ = try SQLiteStore(
                path: TempFolder(lentBy: path).file(), mode: .open, busyTimeout: .zero,
                migrations: Format.migrations + [killed])
        }
        try #expect(folder.read("store.db-wal").count > 100_000, "the step was under way")
        try folder.store("store.db", .open).close()
        try #expect(FormatFixtures.dump(folder.file()) == before)
    }

    @Test func aReaderCannotMigrate() throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        let before = try folder.read()
        #expect(throws: StoreError.olderFormat(found: 1, known: Format.version + 1)) {
            try open(folder, steps(adding), .readOnly)
        }
        try #expect(folder.holds(before))
    }

    @Test func aRunningProgramIsToldOfANewerFormat() throws {
        let folder = try TempFolder()
        let old = try folder.store()
        try old.write { try old.put("k") }
        try open(folder, steps(adding)).close()
        let newer = StoreError.newerFormat(found: Format.version + 1, known: Format.version)
        for writing in [true, false] {
            #expect(throws: newer) { try old.begin(writing: writing) }
        }
        let new = try open(folder, steps(adding))
        try #expect(new.read { try new.keys() } == ["k"])
    }

    @Test func manyProcessesMigrateOnce() async throws {
        let folder = try TempFolder()
        try FormatFixtures.make(1, at: folder.file())
        let (path, steps) = (folder.file(), steps(adding, doubling))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    try SQLiteStore(
                        path: path, mode: .open, busyTimeout: .seconds(60), migrations: steps
                    ).close()
                }
            }
            try await group.waitForAll()
        }
        try #expect(RawDatabase(path).texts("SELECT a FROM extra ORDER BY a") == ["2", "10"])
    }
}
