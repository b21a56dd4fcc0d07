import CenotaphStore
import CenotaphWire
import Testing

/// What is removed is gone from the bytes of the files, not only from the tables.
@Suite struct SQLiteErasureTests {
    /// The bodies, each named by its first eight bytes, that are in one of the folder's files.
    private func found(_ bodies: Set<[UInt8]>, in folder: TempFolder) throws -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for (_, bytes) in try folder.contents() {
            // Every body begins with 0xd7, 0xc9, which little else does.
            for start in bytes.indices.dropLast(8)
            where bytes[start] == 0xd7 && bytes[start + 1] == 0xc9 {
                let piece = [UInt8](bytes[start..<start + 8])
                if bodies.contains(piece) { found.insert(piece) }
            }
        }
        return found
    }

    private func body(_ number: Int, _ size: Int) -> (piece: [UInt8], content: [UInt8]) {
        var piece: [UInt8] = [0xd7, 0xc9]
        for shift in stride(from: 40, through: 0, by: -8) {
            piece.append(UInt8(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4b) >> shift))
        }
        var content = piece
        while content.count < size { content += piece }
        return (piece, content)
    }

    @Test(arguments: [8, 100, 3_000, 50_000, 1_048_576]) func aRemovedRow(_ size: Int) throws {
        let folder = try TempFolder()
        let store = try folder.store()
        let (piece, content) = body(1, size)
        let (other, otherContent) = body(2, size)
        let row = StoredRow(leaf: .zero, type: .causal, content: content)
        try store.write {
            try store.put("secret", row)
            try store.put("other", StoredRow(leaf: .zero, type: .causal, content: otherContent))
            try store.setRecord("record", content)
            try store.setMember(1, "g", try Key(piece), true)
        }
        try #expect(found([piece, other], in: folder) == [piece, other])
        try store.write {
            try store.drop("secret")
            try store.setRecord("record", nil)
            try store.setMember(1, "g", try Key(piece), false)
        }
        try #expect(found([piece, other], in: folder) == [piece, other], "the log still has it")
        try store.checkpoint()
        try #expect(folder.read("store.db-wal") == [])
        try #expect(found([piece, other], in: folder) == [other])
    }

    @Test func anOverwrittenRow() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        let (old, oldContent) = body(1, 9_000)
        let (new, newContent) = body(2, 50)
        for content in [oldContent, newContent] {
            try store.write {
                try store.put("k", StoredRow(leaf: .zero, type: .causal, content: content))
                try store.setRecord("r", content)
            }
        }
        store.close()
        try #expect(found([old, new], in: folder) == [new])
    }

    @Test func scrubbingReachesMovedCopies() throws {
        var numbers = SeededGenerator(for: "scrubbingReachesMovedCopies")
        let folder = try TempFolder()
        let store = try folder.store()
        var live: [Key: [UInt8]] = [:]
        var dead: Set<[UInt8]> = []
        for round in 0..<60 {
            try store.write {
                for step in 0..<50 {
                    if numbers.below(100) < 45,
                        let key = live.keys.sorted().randomElement(using: &numbers)
                    {
                        try store.drop(key)
                        if let piece = live.removeValue(forKey: key) { dead.insert(piece) }
                    } else {
                        let key = try Key((0..<16).map { _ in UInt8(numbers.below(256)) })
                        let (piece, content) = body(round * 50 + step, 8 + numbers.below(300))
                        try store.put(
                            key, StoredRow(leaf: .zero, type: .causal, content: content))
                        live[key] = piece
                    }
                }
            }
        }
        try store.scrub()
        try #expect(found(dead, in: folder) == [])
        try #expect(found(Set(live.values), in: folder) == Set(live.values))
        try #expect(store.read { try store.keys() } == live.keys.sorted())
        store.close()
        let again = try folder.store("store.db", .open)
        try #expect(again.read { try again.keys() } == live.keys.sorted())
    }
}
