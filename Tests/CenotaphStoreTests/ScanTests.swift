import CenotaphStore
import CenotaphWire
import Testing

/// What every store visits, in which order, and what a visitor may do.
@Suite struct ScanTests {
    struct Stop: Error {}

    @Test(arguments: StoreKind.allCases) func orderIsThatOfBytes(_ kind: StoreKind) throws {
        let ascending = try [
            [0], [0, 0], [0, 0xff], [1], [0x41], [0x41, 0], [0x41, 0x42], [0x61], [0x7f], [0x80],
            [0xc3, 0xa9], [0xff], [0xff, 0], [0xff, 0xff], [0xff, 0xff, 0],
        ].map { try Key($0) }
        var numbers = SeededGenerator(for: "orderIsThatOfBytes")
        try kind.with { store in
            try store.write {
                for key in ascending.shuffled(using: &numbers) { try store.put(key) }
                try store.setRow(at: RowAddress(0, .live, "other"), .sample(1))
                try store.setRow(at: RowAddress(2, .live, "other"), .sample(1))
                try store.setRow(at: RowAddress(1, .tombstones, "other"), .sample(1))
            }
            try store.read { try #expect(store.keys() == ascending) }
        }
    }

    @Test(arguments: StoreKind.allCases) func everyRange(_ kind: StoreKind) throws {
        let held: [Key] = [try key(0), "a", "aa", "b", "ba", try key(0xff), try key(0xff, 0xff)]
        let bounds = held + ["", "ab", "z"].compactMap { try? Key($0) } + [try key(0xff, 0)]
        try kind.with { store in
            try store.write { for key in held { try store.put(key) } }
            try store.read {
                for low in [nil] + bounds.map(Optional.some) {
                    for high in [nil] + bounds.map(Optional.some) {
                        let range = KeyRange(from: low, to: high)
                        let expected = held.filter { range.contains($0) }
                        guard try store.keys(range) != expected else { continue }
                        Issue.record("wrong keys for \(range)")
                    }
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func rowsCarryTheirValues(_ kind: StoreKind) throws {
        let keys: [Key] = ["a", "b", "c", "d"]
        try kind.with { store in
            try store.write {
                for (number, key) in keys.enumerated() {
                    try store.put(key, .sample(UInt64(number), size: number * 3_000))
                }
            }
            try store.read {
                var number = UInt64(1)
                let range = KeyRange(from: "b", to: "d")
                try store.scanRows(1, .live, range) { (key, row) throws(StoreError) in
                    #expect(key == keys[Int(number)])
                    #expect(row == .sample(number, size: Int(number) * 3_000))
                    number += 1
                    return true
                }
                #expect(number == 3)
                number = 0
                try store.scanLeaves(1, .live, .all) { (_, leaf) throws(StoreError) in
                    #expect(leaf == StoredRow.sample(number).leaf)
                    number += 1
                    return true
                }
                #expect(number == 4)
                try store.scanRows(7, .live, .all) { (_, _) throws(StoreError) in
                    Issue.record("an empty set has no rows")
                    return true
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func visitorsStopAndThrow(_ kind: StoreKind) throws {
        try kind.with { store in
            try store.write { for key in ["a", "b", "c"] as [Key] { try store.put(key) } }
            try store.begin(writing: true)
            for _ in 0..<3 {
                var visited = 0
                try store.scanLeaves(1, .live, .all) { (_, _) throws(StoreError) in
                    visited += 1
                    return visited < 2
                }
                #expect(visited == 2)
                #expect(throws: StoreError.corrupt("by the visitor")) {
                    try store.scanRows(1, .live, .all) { (key, _) throws(StoreError) in
                        guard key == "a" else { throw .corrupt("by the visitor") }
                        return true
                    }
                }
                try #expect(store.keys() == ["a", "b", "c"], "nothing is left half done")
            }
            try store.put("d")
            try store.commit()
            try #expect(store.read { try store.keys() } == ["a", "b", "c", "d"])
        }
    }

    @Test(arguments: StoreKind.allCases) func visitorsReadAndScan(_ kind: StoreKind) throws {
        let keys: [Key] = ["a", "b", "c", "d"]
        try kind.with { store in
            try store.write {
                for (number, key) in keys.enumerated() {
                    try store.put(key, .sample(UInt64(number)))
                    try store.setMember(1, "g", key, true)
                }
                try store.setRecord("r", [1])
            }
            try store.read {
                var pairs: [[Key]] = []
                try store.scanLeaves(1, .live, .all) { (outer, leaf) throws(StoreError) in
                    try #expect(store.row(at: RowAddress(1, .live, outer))?.leaf == leaf)
                    try #expect(store.members(1, "g") == keys)
                    try #expect(store.record("r") == [1])
                    let rest = KeyRange(from: outer)
                    try store.scanLeaves(1, .live, rest) { (inner, _) throws(StoreError) in
                        try store.scanRows(1, .live, .all) { (key, row) throws(StoreError) in
                            #expect(key == "a" && row == .sample(0))
                            return false
                        }
                        pairs.append([outer, inner])
                        return true
                    }
                    return true
                }
                let expected = keys.flatMap { outer in
                    keys.filter { !($0 < outer) }.map { [outer, $0] }
                }
                #expect(pairs == expected)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func visitorsWrite(_ kind: StoreKind) throws {
        try kind.with { store in
            try store.write { for key in ["b", "d", "f", "h"] as [Key] { try store.put(key) } }
            try store.begin(writing: true)
            var visited: [Key] = []
            try store.scanRows(1, .live, .all) { (key, row) throws(StoreError) in
                visited.append(key)
                switch key {
                case "b":
                    // Before and at the key: not visited again. Behind it: visited.
                    try store.setRow(at: RowAddress(1, .live, "a"), .sample(2))
                    try store.setRow(at: RowAddress(1, .live, "b"), .sample(2))
                    try store.setRow(at: RowAddress(1, .live, "b\u{0}"), .sample(2))
                    try store.setRow(at: RowAddress(1, .live, "c"), .sample(2))
                    try store.setRow(at: RowAddress(1, .live, "f"), .sample(9))
                case "d":
                    // The key itself goes, and the one behind the next.
                    try store.setRow(at: RowAddress(1, .live, "d"), nil)
                    try store.setRow(at: RowAddress(1, .live, "h"), nil)
                    try store.setRow(at: RowAddress(1, .tombstones, "d"), .sample(3))
                case "f": #expect(row == .sample(9))
                default: break
                }
                return true
            }
            #expect(visited == ["b", "b\u{0}", "c", "d", "f"])
            try store.commit()
            try store.read {
                try #expect(store.keys() == ["a", "b", "b\u{0}", "c", "f"])
                try #expect(store.keys(shelf: .tombstones) == ["d"])
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func visitorsEmptyTheSet(_ kind: StoreKind) throws {
        try kind.with { store in
            let keys = try (0..<2_000).map { try Key("key \($0 + 10_000)") }
            try store.write { for key in keys { try store.put(key) } }
            try store.write {
                var visited: [Key] = []
                try store.scanLeaves(1, .live, .all) { (key, _) throws(StoreError) in
                    visited.append(key)
                    try store.setRow(at: RowAddress(1, .live, key), nil)
                    return true
                }
                #expect(visited == keys)
                try #expect(store.keys() == [])
            }
        }
    }
}
