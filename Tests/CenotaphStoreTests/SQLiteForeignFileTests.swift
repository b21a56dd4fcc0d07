import CenotaphStore
import CenotaphWire
import Testing

/// Files that are not stores are refused, and not one byte of them changes.
@Suite struct SQLiteForeignFileTests {
    /// Tries every mode on `name`, and compares the whole folder before and after.
    private func expectRefusal(
        _ folder: TempFolder, _ expected: StoreError = .notAStore, _ name: String = "store.db",
        _ modes: [OpenMode] = OpenMode.allCases
    ) throws {
        let before = try folder.contents()
        for mode in modes {
            #expect(throws: expected, "\(mode)") { try folder.store(name, mode) }
        }
        let isUntouched = try folder.contents() == before
        #expect(isUntouched)
    }

    @Test func textsAndNoise() throws {
        var numbers = SeededGenerator(for: "textsAndNoise")
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let magic = [UInt8]("SQLite format 3\0".utf8)
        let files: [[UInt8]] = [
            [UInt8]("just a note\n".utf8), [0], magic, [UInt8](repeating: 0, count: 4_096),
            [UInt8](repeating: 0x20, count: 8_192), noise, magic + noise, magic + noise.prefix(84),
        ]
        for bytes in files {
            let folder = try TempFolder()
            try folder.write(bytes)
            try expectRefusal(folder)
        }
    }

    @Test(arguments: ["DELETE", "WAL"]) func anotherDatabase(_ journal: String) throws {
        let folder = try TempFolder()
        do {
            let raw = try RawDatabase(folder.file())
            raw.keepLogOnClose()
            try raw.run(
                "PRAGMA journal_mode=\(journal)", "CREATE TABLE row(a, b)",
                "INSERT INTO row VALUES(1, 2)")
        }
        // In the second case a log waits to be moved into the file: nobody but its owner may do that.
        try #expect(folder.names().contains("store.db-wal") == (journal == "WAL"))
        try expectRefusal(folder)
    }

    @Test func anEmptyDatabase() throws {
        let folder = try TempFolder()
        try RawDatabase(folder.file()).run(
            "PRAGMA user_version=3", "PRAGMA user_version=0", "VACUUM")
        try expectRefusal(folder)
    }

    @Test func anotherDatabaseAfterACrash() throws {
        let folder = try TempFolder()
        let raw = try RawDatabase(folder.file("live.db"))
        try raw.run(
            "PRAGMA cache_size=2", "CREATE TABLE t(a)", "INSERT INTO t VALUES(zeroblob(50000))",
            "BEGIN", "UPDATE t SET a=randomblob(60000)",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 2000) "
                + "INSERT INTO t SELECT randomblob(200) FROM n")
        let other = try TempFolder()
        try other.write(try folder.read("live.db"))
        try other.write(try folder.read("live.db-journal"), "store.db-journal")
        // Whoever reads the file through SQLite plays its journal back; that is its owner's business.
        try expectRefusal(other)
        let before = try other.read()
        try #expect(RawDatabase(other.file()).texts("SELECT count(*) FROM t") == ["1"])
        try #expect(!other.holds(before))
    }

    @Test func anotherApplication() throws {
        let folder = try TempFolder()
        try folder.store().close()
        try RawDatabase(folder.file()).run("PRAGMA application_id=7")
        try expectRefusal(folder)
    }

    @Test func aNewerFormat() throws {
        let folder = try TempFolder()
        try folder.store().close()
        let raw = try RawDatabase(folder.file())
        let (known, newer) = (Format.version, Format.version + 1)
        try raw.run("PRAGMA user_version=\(newer)", "PRAGMA wal_checkpoint(TRUNCATE)")
        try expectRefusal(folder, .newerFormat(found: newer, known: known))
        // Also where the number is in the log only.
        try raw.run(
            "PRAGMA user_version=\(known)", "PRAGMA wal_checkpoint(TRUNCATE)",
            "PRAGMA user_version=99")
        let before = try folder.read()
        for mode in OpenMode.allCases {
            #expect(throws: StoreError.newerFormat(found: 99, known: known)) {
                try folder.store("store.db", mode)
            }
        }
        try #expect(folder.holds(before))
    }

    @Test func truncatedStores() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        try store.write {
            for number in UInt64(0)..<200 { try store.put(try Key("k\(number)"), .sample(number)) }
        }
        store.close()
        let whole = try folder.read()
        let sizes = [1, 15, 16, 99, 100, 101, 512, 4_095, 4_096, 4_097, 8_192, whole.count - 4_096]
        for size in sizes + [whole.count - 1] {
            let cut = try TempFolder()
            try cut.write([UInt8](whole.prefix(size)))
            for mode in OpenMode.allCases {
                let error = #expect(throws: StoreError.self) { try cut.store("store.db", mode) }
                switch error {
                case .notAStore where size < 100: break
                case .corrupt where size >= 100: break
                default: Issue.record("\(size) bytes, \(mode): \(String(describing: error))")
                }
                try #expect(cut.holds([UInt8](whole.prefix(size))))
            }
        }
    }
}
