import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// The rows that the fixtures of all formats hold: of every policy, with deletes, markers, conflicts and bookkeeping.
///
/// It is never changed: whoever did would have to make the fixtures of all formats anew, by programs of their times.
enum FormatSample {
    static let schema = Schema {
        Namespace("archive", .log(buried: .hide))
        Namespace("chat", .messages)
        Namespace("devices", .lastWriter)
        Namespace("journal", .log(buried: .erase))
        Namespace("notes", .causal)
        Namespace("pages", .causal, childrenOf: "notes")
        Namespace("view", .derived)
    }

    static func keys() throws -> FleetKeys {
        var random = SeededRandom(seed: 7)
        return try FleetKeys.seeded(using: &random)
    }

    /// A gate whose ids a seed repeats, over a clock that stands still.
    static func gate(_ store: any Store, seed: UInt64 = 1) throws -> Gate {
        var random = SeededRandom(seed: seed)
        return try Gate(
            store: store, schema: schema, keys: keys(), milliseconds: { 1_764_547_200_000 },
            random: &random)
    }

    /// Rows of another device, some of which `fill` replaces or deletes.
    static func rowsFromElsewhere() throws -> [(namespace: NamespaceName, row: Row)] {
        try gate(MemoryStore(), seed: 2).write { tx in
            for key in ["both", "deleted", "theirs"] as [Key] { try tx.put("notes", key, [2]) }
            try tx.put("devices", "lost", [2])
            try tx.append("journal", "late", group: "buried", [2])
            try tx.append("archive", "late", group: "buried", [2])
            try tx.put("pages", try Key(child: [1], of: "theirs"), [2])
        }.localRows
    }

    /// Writes the sample to an empty store.
    static func fill(_ store: any Store) throws {
        let gate = try gate(store)
        _ = try gate.write { tx in
            try tx.put("notes", "both", [1])
            try tx.put("notes", "kept", Array("body".utf8))
            for key in ["m1", "m2", "m3"] as [Key] { try tx.put("notes", key, [3]) }
        }
        let elsewhere = try rowsFromElsewhere()
        _ = try gate.write { tx in
            for (name, row) in elsewhere { _ = try tx.merge(name, row) }
        }
        _ = try gate.write { tx in
            try tx.delete("notes", "deleted")
            try tx.delete("devices", "lost")
            try tx.put("devices", "phone", [])
            try tx.put("pages", try Key(child: [2], of: "kept"), [1, 2, 3])
            try tx.delete("pages", try Key(child: [1], of: "theirs"))
            try tx.append("journal", "said", group: "talk", [4])
            try tx.bury("journal", group: "buried")
            try tx.append("archive", "said", group: "talk", [5])
            try tx.bury("archive", group: "buried")
            try tx.put("view", "made here", [6])
        }
        try fillMessages(gate)
        try fillBookkeeping(gate)
    }

    private static func fillMessages(_ gate: Gate) throws {
        var random = SeededRandom(seed: 3)
        let author = try keys().fleet
        _ = try gate.write { tx in
            for number in UInt8(1)...4 {
                try tx.post("chat", try Key(author: author, message: [number]), [number])
            }
            try tx.edit("chat", try Key(author: author, message: [1]), [9], using: &random)
            try tx.markDelivered("chat", try Key(author: author, message: [2]))
            try tx.deleteForMe("chat", try Key(author: author, message: [3]))
            try tx.deleteForEveryone("chat", try Key(author: author, message: [4]))
        }
    }

    /// Agreements with a peer, and deletes that an app's listing holds back.
    private static func fillBookkeeping(_ gate: Gate) throws {
        var random = SeededRandom(seed: 4)
        let (peer, storage) = (ReplicaID.random(using: &random), ID16.random(using: &random))
        let held = ["m1", "m2", "m3"] as [Key]
        var options = ObserveOptions(observer: "app")
        options.massDeletes = MassDeleteGuard(rows: 1, percent: 10)
        _ = try gate.write { tx in
            try tx.noteAgreement(peer, "notes")
            let rows = held.map { Listing.Row($0, [3]) }
            for rows in [rows, []] {
                let listing = try Listing.complete(
                    rows, expectedCount: rows.count, storage: storage)
                _ = try tx.observe("notes", listing, options)
            }
        }
    }

    /// Everything that an app, a peer or a person can see of the sample, as text.
    static func describe(_ gate: Gate) throws -> String {
        try gate.read { snapshot in
            var lines: [String] = []
            for digest in snapshot.digests {
                lines.append(
                    "\(digest.name): \(digest.live.count) \(digest.live.fingerprint) "
                        + "\(digest.tombstones.count) \(digest.tombstones.fingerprint) "
                        + "\(try snapshot.root(digest.name))")
                for entry in digest.knowledge.entries {
                    lines.append("  knows \(entry.replica) \(entry.time)")
                }
                for set in RowSet.allCases {
                    try snapshot.forEachRow(digest.name, set, .all) { row, leaf in
                        lines.append("  \(set) \(row.key) \(leaf) \(Hex.string(row.encoded()))")
                        return true
                    }
                }
            }
            for namespace in schema.namespaces {
                for row in try snapshot.list(namespace.name) {
                    let values = row.values.map { "\($0.time) \(Hex.string($0.body))" }
                    lines.append("\(namespace.name) shows \(row.key): \(values)")
                }
            }
            for duty in try snapshot.outbox("chat") { lines.append("to deliver \(duty.key)") }
            for event in try snapshot.heldDeletes() {
                lines.append("held \(event.id) \(try snapshot.heldKeys(event.id))")
            }
            let gone = try snapshot.explain("notes", "deleted", milliseconds: 0)
            lines.append("deleted is \(gone.verdict) \(gone.rule), not at \(gone.waitingFor)")
            return lines.joined(separator: "\n") + "\n"
        }
    }
}
