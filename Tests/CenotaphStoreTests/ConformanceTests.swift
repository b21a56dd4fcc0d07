import CenotaphStore
import CenotaphWire
import Testing

/// What every store does with records, rows, groups and transactions.
@Suite struct ConformanceTests {
    @Test(arguments: StoreKind.allCases) func records(_ kind: StoreKind) throws {
        try kind.with { store in
            try store.write {
                try #expect(store.record("a") == nil)
                try store.setRecord("a", [1, 2])
                try store.setRecord("b", [])
                try store.setRecord("", [9])
                try #expect(store.record("a") == [1, 2])
                try store.setRecord("a", [3])
            }
            try store.read {
                try #expect(store.record("a") == [3])
                try #expect(store.record("b") == [], "an empty record is not a missing one")
                try #expect(store.record("") == [9])
                try #expect(store.record("A") == nil)
            }
            try store.write {
                try store.setRecord("a", nil)
                try store.setRecord("missing", nil)
            }
            try #expect(store.read { try store.record("a") } == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func recordNamesAreBytes(_ kind: StoreKind) throws {
        // The two texts are equal to Swift, and differ in their bytes.
        try kind.with { store in
            try store.write {
                try store.setRecord("\u{e9}", [1])
                try store.setRecord("e\u{301}", [2])
            }
            try store.read {
                try #expect(store.record("\u{e9}") == [1])
                try #expect(store.record("e\u{301}") == [2])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func rows(_ kind: StoreKind) throws {
        try kind.with { store in
            let key: Key = "row"
            let places = [
                RowAddress(1, .live, key), RowAddress(1, .tombstones, key),
                RowAddress(2, .live, key), RowAddress(-1, .live, key),
                RowAddress(.max, .live, key), RowAddress(.min, .tombstones, key),
            ]
            try store.write {
                for (number, place) in places.enumerated() {
                    try #expect(store.row(at: place) == nil)
                    try store.setRow(at: place, .sample(UInt64(number)))
                }
                try store.setRow(at: places[0], .sample(77, size: 0))
            }
            try store.read {
                try #expect(store.row(at: places[0]) == .sample(77, size: 0))
                for (number, place) in places.enumerated().dropFirst() {
                    try #expect(store.row(at: place) == .sample(UInt64(number)))
                }
            }
            try store.write {
                try store.setRow(at: places[1], nil)
                try store.setRow(at: RowAddress(9, .live, key), nil)
            }
            try store.read {
                try #expect(store.row(at: places[1]) == nil)
                try #expect(store.row(at: places[0]) != nil)
                try #expect(store.keys() == [key])
                try #expect(store.keys(shelf: .tombstones) == [])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func everyTypeComesBack(_ kind: StoreKind) throws {
        try kind.with { store in
            for type in RowType.allCases {
                var row = StoredRow.sample(5)
                row.type = type
                try store.write { try store.put("k", row) }
                try #expect(store.read { try store.row(at: RowAddress(1, .live, "k")) } == row)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func longValues(_ kind: StoreKind) throws {
        try kind.with { store in
            let longest = try Key([UInt8](repeating: 0xff, count: Limits.maxKey))
            let mebibyte = StoredRow.sample(3, size: 1_048_576)
            var full = StoredRow.sample(4)
            full.content = [UInt8](repeating: 0xa5, count: Limits.maxRowContent)
            try store.write {
                try store.put(longest, mebibyte)
                try store.put("full", full)
                try store.setRecord("long", full.content)
            }
            try store.read {
                try #expect(store.row(at: RowAddress(1, .live, longest)) == mebibyte)
                try #expect(store.row(at: RowAddress(1, .live, "full")) == full)
                try #expect(store.record("long") == full.content)
                try #expect(store.keys() == ["full", longest])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func places(_ kind: StoreKind) throws {
        try kind.with { store in
            let most = UInt32(0xff_ffff)
            try store.write {
                for key in ["b", "a", "dead", "gone"] as [Key] {
                    try store.setPlace(1, 7, key, true)
                    try store.setPlace(1, 7, key, true)
                }
                try store.setPlace(1, most, "last", true)
                try store.setPlace(2, 7, "other", true)
            }
            func keys(_ namespace: Int64, _ places: UInt32...) throws -> [Key] {
                let found = try store.keys(namespace, places: places)
                #expect(found.allSatisfy { places.contains($0.place) })
                return found.map(\.key).sorted()
            }
            let all: [Key] = ["a", "b", "dead", "gone"]
            func check() throws {
                try #expect(keys(1, 7) == all)
                try #expect(keys(1, 7, most) == all + ["last"])
                try #expect(keys(1, 0, 8, most) == ["last"])
                try #expect(keys(2, 7) == ["other"])
                for (namespace, place) in [(1, 8), (1, 0), (2, most), (3, 7)] as [(Int64, UInt32)] {
                    try #expect(keys(namespace, place).isEmpty)
                }
            }
            // Before and after a writing transaction looked for any.
            try store.read { try check() }
            try store.write { try check() }
            try store.read { try check() }
            try store.write {
                try store.setPlace(1, 7, "a", false)
                try store.setPlace(1, 7, "a", false)
                try store.setPlace(1, 9, "b", false)
                try store.setPlace(3, 7, "b", false)
                // Whether a row lies at the key does not count.
                try store.put("b", .sample(5))
                try store.setPlace(1, 7, "fresh", true)
                try store.setPlace(1, 7, "gone", true)
            }
            try store.read { try #expect(keys(1, 7) == ["b", "dead", "fresh", "gone"]) }
            try store.begin(writing: true)
            try store.setPlace(1, 7, "b", false)
            try store.setPlace(1, 7, "a", true)
            store.rollback()
            try store.read {
                try #expect(keys(1, 7) == ["b", "dead", "fresh", "gone"])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func groups(_ kind: StoreKind) throws {
        try kind.with { store in
            let keys: [Key] = [try key(0), "a", "a\u{0}", "b", try key(0x80), try key(0xff, 0)]
            try store.write {
                try #expect(store.members(1, "g") == [])
                for key in keys.reversed() { try store.setMember(1, "g", key, true) }
                try store.setMember(1, "g", "a", true)
                try store.setMember(1, "h", "z", true)
                try store.setMember(2, "g", "y", true)
                try #expect(store.members(1, "g") == keys)
            }
            try store.write {
                try store.setMember(1, "g", "a", false)
                try store.setMember(1, "g", "a", false)
                try store.setMember(1, "g", "never", false)
                try store.setMember(1, "h", "z", false)
                try store.setMember(3, "h", "z", false)
            }
            try store.read {
                try #expect(store.members(1, "g") == keys.filter { $0 != "a" })
                try #expect(store.members(1, "h") == [])
                try #expect(store.members(2, "g") == ["y"])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func rollbackForgetsEverything(_ kind: StoreKind) throws {
        try kind.with { store in
            try store.write {
                try store.setRecord("kept", [1])
                try store.put("kept", .sample(1))
                try store.put("removed", .sample(2))
                try store.setMember(1, "g", "kept", true)
            }
            try store.begin(writing: true)
            for round in UInt8(0)..<3 {
                try store.setRecord("kept", [round, 2])
                try store.setRecord("new", [round])
                try store.put("kept", .sample(UInt64(round) + 50))
                try store.put("new", .sample(UInt64(round)))
                try store.drop("removed")
                try store.setMember(1, "g", "kept", round == 1)
                try store.setMember(1, "g", "new", true)
                try store.setMember(1, "h", "new", true)
            }
            try store.setRecord("kept", nil)
            try store.drop("kept")
            try #expect(store.keys() == ["new"])
            store.rollback()
            store.rollback()
            try store.read {
                try #expect(store.record("kept") == [1])
                try #expect(store.record("new") == nil)
                try #expect(store.keys() == ["kept", "removed"])
                try #expect(store.row(at: RowAddress(1, .live, "kept")) == .sample(1))
                try #expect(store.members(1, "g") == ["kept"])
                try #expect(store.members(1, "h") == [])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func transactionsFollowOneAnother(_ kind: StoreKind) throws
    {
        try kind.with { store in
            store.rollback()
            try store.begin(writing: false)
            try #expect(!store.changedElsewhere())
            try store.commit()
            for number in UInt64(0)..<3 {
                try store.begin(writing: true)
                try #expect(!store.changedElsewhere(), "one's own commits do not count")
                try store.put("k", .sample(number))
                try store.commit()
            }
            try store.begin(writing: false)
            try #expect(store.row(at: RowAddress(1, .live, "k")) == .sample(2))
            store.rollback()
        }
    }
}
