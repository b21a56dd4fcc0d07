import CenotaphStore
import CenotaphWire
import Testing

/// What the format does not allow is reported as corrupt, whoever wrote it.
@Suite struct SQLiteDamageTests {
    private let folder: TempFolder

    init() throws {
        folder = try TempFolder()
        let store = try folder.store()
        try store.write { try store.put("a", .sample(1)) }
        store.close()
    }

    private func expectCorrupt(
        _ what: String, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, "\(what)", sourceLocation: sourceLocation) {
            try body()
        }
        if case .corrupt = error { return }
        Issue.record("\(what): \(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "DROP TABLE member", "DROP TABLE place", "DROP TABLE fresh", "DROP TABLE row",
        "DROP TABLE record",
        "PRAGMA user_version=0",
        "ALTER TABLE row ADD COLUMN more BLOB", "ALTER TABLE record RENAME TO records",
        "PRAGMA user_version=-1",
    ]) func schemas(_ sql: String) throws {
        try RawDatabase(folder.file()).run(sql)
        let before = try folder.read()
        for mode in OpenMode.allCases {
            expectCorrupt("\(sql), \(mode)") { _ = try folder.store("store.db", mode) }
        }
        try #expect(folder.holds(before))
    }

    @Test(arguments: [
        "x'62', zeroblob(31), 1, x'00'", "x'62', zeroblob(33), 1, x'00'", "x'62', x'', 1, x'00'",
        "x'62', zeroblob(32), 0, x'00'", "x'62', zeroblob(32), 99, x'00'",
        "x'62', zeroblob(32), -1, x'00'", "x'62', zeroblob(32), 257, x'00'",
        "x'62', zeroblob(32), 9223372036854775807, x'00'",
        "x'62', zeroblob(32), 1, zeroblob(16777217)", "x'62', zeroblob(32), 1, zeroblob(20000000)",
        "x'', zeroblob(32), 1, x'00'", "zeroblob(513), zeroblob(32), 1, x'00'",
    ]) func rows(_ values: String) throws {
        try RawDatabase(folder.file()).run("INSERT INTO row VALUES(1, 0, \(values))")
        let store = try folder.store()
        try store.begin(writing: true)
        expectCorrupt("scan") {
            try store.scanRows(1, .live, .all) { (_, _) throws(StoreError) in true }
        }
        if values.hasPrefix("x'62'") {
            expectCorrupt("row") { _ = try store.row(at: RowAddress(1, .live, "b")) }
        }
        if !values.contains("zeroblob(32)") || !values.hasPrefix("x'62'") {
            expectCorrupt("leaves") { _ = try store.keys() }
        } else {
            try #expect(store.keys() == ["a", "b"], "leaves are read without the rest")
        }
        // The transaction goes on, and the damage can be removed.
        try #expect(store.row(at: RowAddress(1, .live, "a")) == .sample(1))
        try store.drop("b")
        try store.commit()
    }

    @Test func members() throws {
        try RawDatabase(folder.file()).run(
            "INSERT INTO member VALUES(1, x'67', x'')",
            "INSERT INTO member VALUES(1, x'68', zeroblob(513))")
        let store = try folder.store()
        try store.read {
            expectCorrupt("empty") { _ = try store.members(1, "g") }
            expectCorrupt("long") { _ = try store.members(1, "h") }
        }
    }

    @Test func records() throws {
        try RawDatabase(folder.file()).run(
            "INSERT INTO record VALUES('long', zeroblob(16777217))",
            "INSERT INTO record VALUES('longer', zeroblob(20000000))")
        let store = try folder.store()
        try store.read {
            expectCorrupt("long") { _ = try store.record("long") }
            expectCorrupt("longer") { _ = try store.record("longer") }
        }
    }

    @Test(arguments: [
        "'text', 1, x'00'", "NULL, 1, x'00'", "7, 1, x'00'", "zeroblob(32), 'one', x'00'",
        "zeroblob(32), NULL, x'00'", "zeroblob(32), 1.5, x'00'", "zeroblob(32), x'01', x'00'",
        "zeroblob(32), 1, 'text'", "zeroblob(32), 1, NULL", "zeroblob(32), 1, 12",
    ]) func types(_ values: String) throws {
        // A table that checks nothing, under the text of the one that does.
        let raw = try RawDatabase(folder.file())
        let text = try #require(raw.texts("SELECT sql FROM sqlite_schema WHERE name='row'").first)
        try raw.run(
            "DROP TABLE row",
            #"CREATE TABLE row(namespace, "set", key, leaf, type, content, "#
                + #"PRIMARY KEY(namespace, "set", key)) WITHOUT ROWID"#,
            "INSERT INTO row VALUES(1, 0, x'62', \(values))", "PRAGMA writable_schema=ON",
            "UPDATE sqlite_schema SET sql='\(text)' WHERE name='row'")
        let store = try folder.store()
        try store.read {
            expectCorrupt("row") { _ = try store.row(at: RowAddress(1, .live, "b")) }
            expectCorrupt("scan") {
                try store.scanRows(1, .live, .all) { (_, _) throws(StoreError) in true }
            }
        }
    }

    @Test func scribbledPages() throws {
        let store = try folder.store()
        try store.write {
            for number in UInt64(0)..<300 {
                try store.put(try Key("key \(number)"), .sample(number, size: 100))
                try store.setMember(1, "g", try Key("key \(number)"), true)
            }
        }
        store.close()
        let whole = try folder.read()
        var numbers = SeededGenerator(for: "scribbledPages")
        // Whatever comes of it, it is an error of the right type or an answer, never a trap.
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0...numbers.below(20) {
                bytes[100 + numbers.below(bytes.count - 100)] = UInt8(numbers.below(256))
            }
            let other = try TempFolder()
            try other.write(bytes)
            do throws(StoreError) {
                let store = try SQLiteStore(path: other.file(), mode: .open)
                try store.begin(writing: false)
                defer { store.rollback() }
                try store.scanRows(1, .live, .all) { (_, _) throws(StoreError) in true }
                _ = try store.members(1, "g")
            } catch {
                switch error {
                case .corrupt, .notAStore, .failed: break
                default: Issue.record("seed \(numbers.seed): \(error)")
                }
            }
        }
    }
}
