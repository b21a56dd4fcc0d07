import Cenotaph
import CenotaphStore
import CenotaphTesting
import Testing

@Suite("The shelf of buried rows")
struct BuriedShelfTests {
    private static let visible = 20

    /// Fills both namespaces with rows of which an app sees the same few, and buries or deletes others between them.
    private static func fill(_ bench: GateBench, dead: Int) throws {
        try bench.write { tx in
            for number in 0..<visible {
                try tx.append("archive", try Key("k\(number)"), group: "kept", [1])
                try tx.put("notes", try Key("k\(number)"), [1])
            }
            for number in 0..<dead {
                let key = try Key("k\(number % visible)-\(number)")
                try tx.append("archive", key, group: "gone", [2])
                try tx.put("notes", key, [2])
            }
        }
        try bench.write { tx in
            try tx.bury("archive", group: "gone")
            for number in 0..<dead {
                try tx.delete("notes", try Key("k\(number % visible)-\(number)"))
            }
        }
        // Late arrivals for the buried group.
        try bench.write { tx in
            for number in 0..<dead {
                let event = LogEvent(
                    stamp: Stamp(time: 1, replica: bench.gate.replica), group: "gone", body: [3])
                let row = LogRow(key: try Key("k\(number % visible)-late-\(number)"), event: event)
                _ = try tx.merge("archive", .logEvents(row))
            }
        }
    }

    /// Steps of listing a namespace, with that many dead rows between the live ones.
    private static func steps(_ name: NamespaceName, dead: Int) throws -> Int {
        let folder = try TempFolder()
        let store = try folder.store()
        let bench = try GateBench(store)
        try fill(bench, dead: dead)
        try #expect(bench.inconsistency() == nil)
        _ = store.takeSteps()
        try #expect(bench.gate.read { try $0.list(name) }.count == visible)
        return store.takeSteps()
    }

    @Test(arguments: ["archive", "notes"] as [NamespaceName])
    func aLiveScanPassesNoDeadRow(_ name: NamespaceName) throws {
        let few = try BuriedShelfTests.steps(name, dead: 1)
        try #expect(BuriedShelfTests.steps(name, dead: 2_000) == few)
        #expect(few > BuriedShelfTests.visible)
    }

    /// A row with an event in a group that is not buried is seen, whichever came first.
    @Test(arguments: StoreKind.allCases) func rowsMoveBothWays(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            let replica = bench.gate.replica
            func merge(_ time: UInt64, _ group: Key) throws {
                let event = LogEvent(
                    stamp: Stamp(time: time, replica: replica), group: group,
                    body: [UInt8(time)])
                _ = try bench.write {
                    try $0.merge("archive", .logEvents(LogRow(key: "k", event: event)))
                }
            }
            try merge(1, "g")
            try bench.write { try $0.bury("archive", group: "g") }
            #expect(try bench.bodies("archive", "k").isEmpty)
            try merge(2, "g")
            #expect(try bench.bodies("archive", "k").isEmpty)
            try merge(3, "h")
            #expect(try bench.bodies("archive", "k") == [[3]])
            #expect(try bench.inconsistency() == nil)
            try bench.write { try $0.bury("archive", group: "h") }
            #expect(try bench.bodies("archive", "k").isEmpty)
            #expect(try bench.inconsistency() == nil)
            try #expect(bench.gate.read { try $0.row("archive", .live, "k") } != nil)
        }
    }

    /// A file of format 1 has its buried rows among the live ones.
    @Test func formatOneIsUpgraded() throws {
        let folder = try TempFolder()
        var store = try folder.store()
        let bench = try GateBench(store)
        try BuriedShelfTests.fill(bench, dead: 30)
        // A row in a buried and an unburied group, which no upgrade may hide.
        try bench.write { tx in
            for group in ["gone", "kept"] as [Key] {
                let event = LogEvent(
                    stamp: Stamp(time: 9, replica: bench.gate.replica), group: group, body: [9])
                _ = try tx.merge("archive", .logEvents(LogRow(key: "both", event: event)))
            }
        }
        let before = try bench.dump()
        store.close()
        let raw = try RawDatabase(folder.file())
        try #expect(raw.texts("SELECT count(*) FROM row WHERE \"set\"=2") == ["60"])
        try raw.run(
            "UPDATE row SET \"set\"=0 WHERE \"set\"=2", "DROP TABLE place", "DROP TABLE fresh",
            "PRAGMA user_version=1",
            "PRAGMA wal_checkpoint(TRUNCATE)")
        // Read only, the file would have to be brought to this format first.
        #expect(throws: StoreError.olderFormat(found: 1, known: Format.version)) {
            try folder.store("store.db", .readOnly)
        }
        store = try folder.store()
        try #expect(GateBench(store).dump() == before)
        store.close()
        try #expect(raw.texts("PRAGMA user_version") == ["\(Format.version)"])
    }

    @Test(arguments: StoreKind.allCases) func twoShelvesAreScannedAsOne(_ kind: StoreKind) throws {
        try kind.with { store in
            let places: [(Shelf, Key)] = [
                (.live, "a"), (.buried, "b"), (.live, "c"), (.buried, "d"), (.buried, "f"),
            ]
            try store.write {
                for (shelf, key) in places {
                    try store.setRow(at: RowAddress(1, shelf, key), .sample(1))
                }
                var seen: [Key] = []
                let range = KeyRange(from: "b", to: "g")
                try store.scanRows(1, .live, and: .buried, range) { (key, _) throws(StoreError) in
                    seen.append(key)
                    if key == "c" {
                        try store.setRow(at: RowAddress(1, .buried, "d"), nil)
                        try store.setRow(at: RowAddress(1, .buried, "b"), nil)
                        try store.setRow(at: RowAddress(1, .live, "e"), .sample(2))
                    }
                    return true
                }
                #expect(seen == ["b", "c", "e", "f"])
                try store.setRow(at: RowAddress(1, .live, "f"), .sample(2))
                #expect(throws: StoreError.self) {
                    try store.scanLeaves(1, .live, and: .buried, .all) {
                        (_, _) throws(StoreError) in true
                    }
                }
                #expect(try store.keys() == ["a", "c", "e", "f"])
            }
        }
    }
}
