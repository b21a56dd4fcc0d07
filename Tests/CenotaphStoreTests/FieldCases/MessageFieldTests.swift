import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Testing

/// Deletes of messages that came back in the wild, over both stores.
@Suite struct MessageFieldTests {
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// B56: a recall that arrives before its message is kept, however long, and covers it when it comes.
    @Test(arguments: StoreKind.allCases) func b56_aRecallBeforeItsMessage(_ kind: StoreKind) throws
    {
        try withFleet(kind) { a, b, _, keys in
            try kind.with { store in
                let key = try Key(author: keys.fleet, message: text("m"))
                let posted = try a.rows { try $0.post("chat", key, text("secret")) }
                try b.take(posted)
                let c = try Device(store, keys)
                let recall = try #require(MessageRow(key: key, scope: .everyone))
                try a.write { try $0.deleteForEveryone("chat", key) }
                try c.take([.message(recall)])
                c.wait(days: 30)
                let restarted = try Device(store, keys)
                restarted.wait(days: 30)
                try restarted.take(b.rows())
                #expect(try restarted.seen(key) == nil)
                #expect(try restarted.message(key)?.base?.body == [])
                for (to, from) in [(a, restarted), (b, a), (restarted, b)] { try to.pull(from) }
                for device in [a, b, restarted] {
                    #expect(try device.seen(key) == nil)
                    #expect(try device.root() == a.root())
                    try device.take(posted)
                    #expect(try device.root() == a.root())
                }
            }
        }
    }

    /// B64: a recall takes the message, every edit, and every edit that comes later.
    @Test(arguments: StoreKind.allCases) func b64_aRecallTakesEveryEdit(_ kind: StoreKind) throws {
        try withFleet(kind) { a, b, _, keys in
            let key = try Key(author: keys.fleet, message: text("m"))
            let m = try a.rows { try $0.post("chat", key, text("m")) }
            try a.write { try $0.edit("chat", key, text("e1")) }
            let e1 = try a.rows()
            try b.take(e1)
            try a.write { try $0.edit("chat", key, text("e2")) }
            let edit = try #require(try a.message(key)?.edit)
            let e2 = Row.message(try #require(MessageRow(key: key, edit: edit)))
            let late = MessageRow.Edit(
                editedAt: edit.editedAt + 1_000, opID: edit.opID, body: text("e3"))
            let e3 = Row.message(try #require(MessageRow(key: key, edit: late)))
            try a.write { try $0.deleteForEveryone("chat", key) }
            let recall = try a.rows()
            for order in orders([m + e1, [e2], [e3], recall]) {
                try kind.with { store in
                    let c = try Device(store, keys)
                    try c.take([e2])
                    for rows in order { try c.take(rows) }
                    for rows in [e1, [e2], [e3], m] { try c.take(rows) }
                    #expect(try c.seen(key) == nil)
                    #expect(try c.root() == a.root())
                    let content = try #require(try c.rows().first).encoded()
                    for body in ["e1", "e2", "e3"].map(text) {
                        #expect(!content.contains(body))
                    }
                }
            }
        }
    }

    /// A recall anywhere ends the duty everywhere, and so does a delivery.
    @Test(arguments: StoreKind.allCases) func theDutyEndsOnEveryDevice(_ kind: StoreKind) throws {
        try withFleet(kind) { a, b, c, keys in
            let recalled = try Key(author: keys.fleet, message: text("recalled"))
            let sent = try Key(author: keys.fleet, message: text("sent"))
            let hidden = try Key(author: keys.fleet, message: text("hidden"))
            try a.write { tx in
                try tx.post("chat", recalled, text("no"))
                try tx.post("chat", sent, text("yes"))
                try tx.post("chat", hidden, text("draft"))
                try tx.edit("chat", hidden, text("final"))
            }
            for device in [b, c] { try device.pull(a) }
            try b.write { try $0.deleteForMe("chat", hidden) }
            for device in [a, b, c] { #expect(try device.outbox().count == 3) }
            try b.write { try $0.deleteForEveryone("chat", recalled) }
            try c.write { try $0.markDelivered("chat", sent) }
            for (to, from) in [(a, b), (c, b), (a, c), (b, c)] { try to.pull(from) }
            for device in [a, b, c] {
                #expect(try device.outbox().map(\.key) == [hidden])
                #expect(try device.outbox().map(\.body) == [text("final")])
                #expect(try device.seen(hidden) == nil)
                #expect(try device.root() == a.root())
            }
            try a.write { try $0.markDelivered("chat", hidden) }
            for device in [b, c] { try device.pull(a) }
            for device in [a, b, c] {
                #expect(try device.outbox().isEmpty)
                #expect(try device.message(hidden)?.edit == nil)
            }
        }
    }

    /// No byte of a deleted message is left in the file: not of the post, not of an edit before or after.
    @Test func noTextIsLeftInTheFile() throws {
        let folder = try TempFolder()
        let store = try folder.store()
        let keys = FleetKeys.generate()
        let device = try Device(store, keys)
        let words = [
            "first-text-of-it", "second-text-of-it", "third-text-of-it", "late-text-of-it",
        ]
        func found() throws -> [String] {
            try store.checkpoint()
            let bytes = try folder.contents().values.map { String(decoding: $0, as: UTF8.self) }
            return words.filter { word in bytes.contains { $0.contains(word) } }
        }
        let key = try Key(author: keys.fleet, message: text("m"))
        let kept = try Key(author: keys.fleet, message: text("kept"))
        try device.write { tx in
            try tx.post("chat", kept, text(words[3] + "?"))
            try tx.post("chat", key, text(words[0]))
        }
        #expect(try found() == [words[0], words[3]])
        try device.write { try $0.edit("chat", key, text(words[1])) }
        #expect(try found() == [words[1], words[3]], "an edit takes the replaced text away")
        try device.write { tx in
            try tx.edit("chat", key, text(words[2]))
            try tx.deleteForEveryone("chat", key)
            try tx.deleteForEveryone("chat", kept)
        }
        let late = MessageRow.Edit(editedAt: 1 << 62, opID: .zero, body: text(words[3]))
        try device.take([.message(try #require(MessageRow(key: key, edit: late)))])
        #expect(try found() == [])
        store.close()
    }

    private func orders<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }
}
