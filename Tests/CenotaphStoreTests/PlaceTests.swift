import Cenotaph
@testable import CenotaphStore
import Testing

/// Places that wait, and those that are sorted in.
@Suite struct PlaceTests {
    private func counts(_ folder: TempFolder) throws -> [String] {
        try RawDatabase(folder.file()).texts(
            "SELECT (SELECT count(*) FROM fresh) || ' ' || (SELECT count(*) FROM place)")
    }

    private func keys(_ store: SQLiteStore, _ place: UInt32) throws -> [Key] {
        try store.keys(1, places: [place]).map(\.key).sorted()
    }

    /// As many as may wait are sorted in together, whichever transactions they came in.
    @Test func sortedInWhenTheyAreMany() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        store.maxFresh = 5
        for number in 0..<13 {
            try store.write { try store.setPlace(1, UInt32(number % 3), Key("\(number)"), true) }
            try #expect(counts(folder) == ["\((number + 1) % 5) \((number + 1) / 5 * 5)"])
        }
        try store.read {
            try #expect(keys(store, 0) == ["0", "12", "3", "6", "9"])
            try #expect(keys(store, 1) == ["1", "10", "4", "7"])
        }
        try #expect(counts(folder) == ["3 10"])
        // A transaction that may write sorts in what waits, and one that is taken back does not.
        try store.begin(writing: true)
        try #expect(keys(store, 0) == ["0", "12", "3", "6", "9"])
        store.rollback()
        try #expect(counts(folder) == ["3 10"])
        try store.write { try #expect(keys(store, 1) == ["1", "10", "4", "7"]) }
        try #expect(counts(folder) == ["0 13"])
    }

    /// What is noted twice is one, whether it waits, lies there or both; what is forgotten is gone from wherever it is.
    @Test func notedTwiceAndForgotten() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        try store.write {
            for _ in 0..<2 { try store.setPlace(1, 7, "waits", true) }
            try store.setPlace(1, 7, "sorted", true)
        }
        try store.read { try #expect(keys(store, 7) == ["sorted", "waits"]) }
        try store.write { try #expect(keys(store, 7) == ["sorted", "waits"]) }
        try store.write { try store.setPlace(1, 7, "sorted", true) }
        try #expect(counts(folder) == ["1 2"])
        try store.read { try #expect(keys(store, 7) == ["sorted", "waits"]) }
        try store.write { try store.setPlace(1, 7, "sorted", false) }
        try #expect(counts(folder) == ["0 1"])
        try store.read { try #expect(keys(store, 7) == ["waits"]) }
    }
}
