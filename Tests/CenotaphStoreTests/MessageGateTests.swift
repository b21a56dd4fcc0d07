import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Testing

/// Local writes of messages, over both stores.
@Suite struct MessageGateTests {
    private func refusal(_ body: () throws -> Void) -> WriteRefusal? {
        do {
            try body()
            return nil
        } catch GateError.refused(let refusal) {
            return refusal
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test(arguments: StoreKind.allCases) func aLife(_ kind: StoreKind) throws {
        try withFleet(kind) { device, _, _, keys in
            let key = try Key(author: keys.fleet, message: [1])
            #expect(try device.write { try $0.post("chat", key, [1]) })
            #expect(try device.write { try $0.post("chat", key, [1]) } == false)
            #expect(try device.seen(key) == [1])
            #expect(try device.outbox().map(\.body) == [[1]])
            try device.write { try $0.edit("chat", key, [2]) }
            #expect(try device.seen(key) == [2])
            #expect(try device.message(key)?.base?.body == [])
            #expect(try device.outbox().map(\.body) == [[2]])
            #expect(try device.write { try $0.markDelivered("chat", key) })
            #expect(try device.write { try $0.markDelivered("chat", key) } == false)
            #expect(try device.outbox() == [])
            #expect(try device.write { try $0.deleteForMe("chat", key) })
            #expect(try device.write { try $0.deleteForMe("chat", key) } == false)
            #expect(try device.seen(key) == nil)
            #expect(try device.write { try $0.deleteForEveryone("chat", key) })
            #expect(try device.write { try $0.deleteForEveryone("chat", key) } == false)
            #expect(try device.write { try $0.deleteForMe("chat", key) } == false)
            #expect(try device.gate.read { try $0.list("chat") }.isEmpty)
            let digest = try device.gate.read { $0.digests }.first { $0.name == "chat" }
            #expect(digest?.live.count == 0 && digest?.tombstones.count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases) func refusals(_ kind: StoreKind) throws {
        try withFleet(kind) { device, _, _, keys in
            let own = try Key(author: keys.fleet, message: [1])
            let other = try Key(author: ID16(high: 1, low: 2), message: [1])
            func refused(_ body: (WriteTransaction) throws -> Void) -> WriteRefusal? {
                refusal { try device.write(body) }
            }
            for key in [other, "short"] {
                #expect(refused { try $0.post("chat", key, []) } == .notAuthor(key))
                #expect(refused { try $0.edit("chat", key, []) } == .notAuthor(key))
                #expect(refused { try $0.deleteForEveryone("chat", key) } == .notAuthor(key))
                #expect(refused { try $0.markDelivered("chat", key) } == .notAuthor(key))
            }
            #expect(refused { try $0.deleteForMe("chat", "short") } == .notAuthor("short"))
            #expect(refused { try $0.edit("chat", own, []) } == .messageUnknown(own))
            #expect(refused { try $0.markDelivered("chat", own) } == .messageUnknown(own))
            let large = [UInt8](repeating: 0, count: Limits.maxBody + 1)
            #expect(
                refused { try $0.post("chat", own, large) } == .bodyTooLarge(bytes: large.count))
            #expect(refused { try $0.post("notes", own, []) } == .wrongPolicy("notes", .causal))
            #expect(
                refused { try $0.deleteForMe("notes", own) } == .wrongPolicy("notes", .causal))
            #expect(refused { try $0.put("chat", own, []) } == .wrongPolicy("chat", .messages))
            #expect(refused { try $0.delete("chat", own) } == .wrongPolicy("chat", .messages))
            #expect(refused { try $0.post("none", own, []) } == .unknownNamespace("none"))
            #expect(try device.rows().isEmpty)
            try device.write { try $0.post("chat", own, [1]) }
            #expect(refused { try $0.post("chat", own, [2]) } == .messageExists(own))
            try device.write { try $0.deleteForMe("chat", own) }
            #expect(refused { try $0.edit("chat", own, [2]) } == .messageDeleted(own))
            #expect(refused { try $0.post("chat", own, [1]) } == .messageExists(own))
            try device.write { try $0.deleteForEveryone("chat", own) }
            #expect(refused { try $0.edit("chat", own, [2]) } == .messageDeleted(own))
            let unknown = try Key(author: keys.fleet, message: [2])
            #expect(try device.write { try $0.deleteForEveryone("chat", unknown) })
            #expect(refused { try $0.post("chat", unknown, [1]) } == .messageExists(unknown))
            #expect(refused { try $0.edit("chat", unknown, [1]) } == .messageDeleted(unknown))
            #expect(try device.write { try $0.deleteForMe("chat", other) })
        }
    }

    @Test(arguments: StoreKind.allCases) func timesChangesAndKnowledge(_ kind: StoreKind) throws {
        try withFleet(kind) { device, late, _, keys in
            let key = try Key(author: keys.fleet, message: [1])
            late.wait(days: 365)
            try late.write { try $0.post("chat", key, [1]) }
            try device.pull(late)
            try device.write { try $0.edit("chat", key, [2]) }
            #expect(
                try device.seen(key) == [2], "an edit is above what is stored, whatever the clock")
            let edited = try #require(try device.message(key))
            #expect(edited.edit?.editedAt ?? 0 > edited.base?.postedAt ?? .max)
            try late.pull(device)
            try late.write { try $0.edit("chat", key, [3]) }
            try device.pull(late)
            #expect(try device.seen(key) == [3])
            func knowledge() throws -> UInt64 {
                let digest = try device.gate.read { $0.digests }.first { $0.name == "chat" }
                return digest?.knowledge.entries.first { $0.replica == device.gate.replica }?.time
                    ?? 0
            }
            var known = try knowledge()
            let writes: [(kind: Change.Kind, write: (WriteTransaction) throws -> Void)] = [
                (.updated, { try $0.markDelivered("chat", key) }),
                (.removed, { try $0.deleteForMe("chat", key) }),
                (.removed, { try $0.deleteForEveryone("chat", key) }),
            ]
            for (kind, write) in writes {
                let committed = try device.gate.write(write)
                #expect(committed.changes.map(\.key) == [key])
                #expect(committed.changes.map(\.kind) == [kind])
                let whole = try device.message(key)
                #expect(
                    committed.localRows.map(\.row) == [whole].compactMap(\.self).map(Row.message))
                #expect(try knowledge() > known)
                known = try knowledge()
            }
            let nothing = try device.gate.write { try $0.deleteForMe("chat", key) }
            #expect(nothing.changes.isEmpty && nothing.localRows.isEmpty)
            #expect(try knowledge() == known)
        }
    }

    @Test func anEditIsNamedByTheGenerator() throws {
        struct Ones: RandomNumberGenerator {
            func next() -> UInt64 { .max }
        }
        try withFleet(.memory) { device, _, _, keys in
            let key = try Key(author: keys.fleet, message: [1])
            var ones = Ones()
            try device.write { try $0.post("chat", key, [1]) }
            try device.write { try $0.edit("chat", key, [2], using: &ones) }
            #expect(try device.message(key)?.edit?.opID == ID16(high: .max, low: .max))
            try device.write { try $0.edit("chat", key, [3]) }
            #expect(try device.message(key)?.edit?.opID != ID16(high: .max, low: .max))
        }
    }

    /// Two writes of a message in one transaction leave as one whole row, so no piece is lost on the way.
    @Test(arguments: StoreKind.allCases) func whatIsSentIsWhole(_ kind: StoreKind) throws {
        try withFleet(kind) { device, other, _, keys in
            let key = try Key(author: keys.fleet, message: [1])
            let rows = try device.rows { tx in
                try tx.post("chat", key, [1])
                try tx.edit("chat", key, [2])
            }
            let whole = try #require(rows.last)
            try other.take([whole])
            #expect(try other.seen(key) == [2])
            #expect(try other.root() == device.root())
        }
    }

    @Test(arguments: StoreKind.allCases) func aReopenedStoreHoldsTheSame(_ kind: StoreKind) throws {
        try kind.with { store in
            let keys = FleetKeys.generate()
            let key = try Key(author: keys.fleet, message: [1])
            let device = try Device(store, keys)
            try device.write { tx in
                try tx.post("chat", key, [1])
                try tx.deleteForMe("chat", key)
            }
            let again = try Device(store, keys)
            #expect(try again.root() == device.root())
            #expect(try again.outbox().map(\.body) == [[1]])
            #expect(try again.seen(key) == nil)
        }
    }
}
