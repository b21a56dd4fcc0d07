import Cenotaph
import CenotaphTesting

extension CrashScript {
    /// One step of the life.
    enum Step {
        /// The store is opened, anew if it was open, under a schema that may have grown.
        case open(Schema)
        /// One transaction.
        case write((WriteTransaction, CrashScript) throws -> Void)
        /// Removed bytes are wiped from the file.
        case scrub
        /// The log is moved into the file, and the file closed.
        case close
    }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func write(_ body: @escaping (WriteTransaction) throws -> Void) -> Step {
        .write { transaction, _ in try body(transaction) }
    }

    /// The step after which a peer has heard of everything; what follows deletes.
    static let heard = 9

    /// Everything that happens, in order.
    static var steps: [Step] {
        [.open(schema)] + first + deletions + [.open(widerSchema)] + second + bulk + [.close]
    }

    private static var first: [Step] {
        [
            write { tx in
                for key in ["a", "b", "c"] as [Key] { try tx.put("notes", key, text("\(key)")) }
                for key in ["d1", "d2"] as [Key] { try tx.put("devices", key, text("\(key)")) }
            },
            write { try $0.put("notes", "a", text("a, edited")) },
            write { tx in
                for name in ["journal", "archive"] as [NamespaceName] {
                    try tx.append(name, "e1", group: "g", text("one"))
                    try tx.append(name, "e2", group: "h", text("two"))
                }
            },
            write { tx in
                for id in ["m1", "m2", "m3"] {
                    try tx.post("chat", try tx.ownMessage(text(id)), text("message \(id)"))
                }
            },
            write { tx in
                var random = SeededRandom(seed: 3)
                let key = try tx.ownMessage(text("m1"))
                try tx.edit("chat", key, text("message, edited"), using: &random)
            },
            .write { tx, script in
                // Concurrent values, a tombstone of a row that never was here, an event in the group to come.
                let rows = try script.rows(ofPeer: 1) { peer in
                    try peer.put("notes", "a", text("the peer's a"))
                    try peer.put("notes", "gone", text("x"))
                    try peer.delete("notes", "gone")
                    try peer.put("devices", "d3", text("d3"))
                    try peer.append("journal", "e3", group: "g", text("three"))
                }
                for (name, row) in rows { _ = try tx.merge(name, row) }
            },
            write { tx in
                _ = try tx.observe("table", try listing(0..<6))
                try tx.put("cache", "k", text("cached"))
            },
            write { tx in
                try tx.put("notes", "p", text("parent"))
                for child in UInt8(1)...3 {
                    try tx.put("pages", try Key(child: [child], of: "p"), [child])
                }
            },
        ]
    }

    private static var deletions: [Step] {
        [
            write { try $0.delete("notes", "b") },
            write { try $0.delete("devices", "d1") },
            write { try $0.bury("journal", group: "g") },
            write { try $0.bury("archive", group: "g") },
            write { tx in
                try tx.deleteForEveryone("chat", try tx.ownMessage(text("m1")))
                try tx.deleteForMe("chat", try tx.ownMessage(text("m2")))
            },
            .write { tx, script in
                // A contact recalls a message that is not here yet.
                let contact = ID16(high: 5, low: 5)
                let key = try Key(author: contact, message: text("theirs"))
                guard let row = MessageRow(key: key, scope: .everyone),
                    let operation = MessageOp(namespace: "chat", row: row)
                else { preconditionFailure("a recall is a row") }
                _ = try tx.receive(operation, fromContact: contact)
            },
            write { _ = try $0.observe("table", try listing(2..<6)) },
            write { _ = try $0.observe("table", try listing(0..<0)) },
            write { tx in
                for event in try tx.heldDeletes() { try tx.approve(heldDeletes: event.id) }
            },
            write { try $0.delete("notes", "p") },
            write { try $0.delete("cache", "k") },
            .scrub,
        ]
    }

    private static var second: [Step] {
        [
            write { try $0.put("tags", "t", text("tag")) },
            write { try $0.revive("notes", "b", text("b's second life")) },
            write { tx in
                // A row that is full, and a writer too many.
                let entries = (1...UInt64(Limits.maxVector)).compactMap { entry(of: $0) }
                for entries in [entries, [entry(of: 0)].compactMap { $0 }] {
                    guard let row = CausalRow(key: "crowd", entries: entries) else { continue }
                    _ = try tx.merge("notes", .causal(row))
                }
            },
            write { tx in for parked in try tx.parked() { try tx.dropParked(parked.id) } },
            write { tx in
                guard let peer = ReplicaID(ID16(high: 8, low: 8)) else { return }
                try tx.noteAgreement(peer, "notes")
            },
            write { try $0.delete("notes", "b") },
            .write { tx, script in
                // Frames from before the deletes, once more.
                let rows = try script.rows(ofPeer: 2) { peer in
                    try peer.append("journal", "e4", group: "g", text("late"))
                    try peer.put("notes", "late", text("late"))
                }
                for (name, row) in rows { _ = try tx.merge(name, row) }
            },
        ]
    }

    /// A transaction that needs several pages, and the one that takes it back.
    private static var bulk: [Step] {
        [
            write { tx in
                for number in 0..<60 {
                    let body = [UInt8](repeating: UInt8(number), count: 300)
                    try tx.put("devices", try Key("bulk \(number)"), body)
                }
            },
            write { tx in
                for number in 0..<60 where number % 7 != 0 {
                    try tx.delete("devices", try Key("bulk \(number)"))
                }
            },
            .scrub,
        ]
    }

    private static func entry(of number: UInt64) -> CausalRow.Entry? {
        ReplicaID(ID16(high: 9, low: number)).map {
            CausalRow.Entry(replica: $0, time: number + 1, value: [1])
        }
    }

    /// What an app shows of its table.
    private static func listing(_ numbers: Range<Int>) throws -> Listing {
        try Listing.complete(
            numbers.map { Listing.Row(try Key("t\($0)"), text("row \($0)")) },
            expectedCount: numbers.count, storage: storage)
    }
}
