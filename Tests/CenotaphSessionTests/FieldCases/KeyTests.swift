import Cenotaph
import CenotaphTesting
import Testing

/// Class K: one meaning of "same key".
@Suite struct KeyTests {
    /// Keys of which one is the beginning of the other are strangers, in every policy.
    @Test(arguments: Mortal.allCases) func K1_prefixesAreStrangers(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "K1 \(kind)")
        let names = ["a", "a\u{0}", "a\u{0}\u{0}", "aa", "b"]
        for name in names { try fleet.create(0, kind, name) }
        try fleet.sync(0, 1)
        for (number, name) in names.enumerated() where number.isMultiple(of: 2) {
            try fleet.kill(1, kind, name)
        }
        try fleet.expectRest(dead: kind, ["a", "a\u{0}\u{0}", "b"])
        for replica in 0...1 {
            for name in ["a\u{0}", "aa"] { #expect(try fleet.isSeen(replica, kind, name)) }
        }
    }

    /// Two spellings of one word are two keys, two groups and two messages; nothing folds or normalises.
    @Test(arguments: Mortal.allCases) func K2_spellingsAreStrangers(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "K2 \(kind)")
        let names = ["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "Stra\u{df}e", "STRASSE"]
        for name in names { try fleet.create(0, kind, name) }
        try fleet.sync(0, 1)
        try fleet.kill(1, kind, names[1])
        try fleet.kill(1, kind, names[4])
        try fleet.expectRest()
        for replica in 0...1 {
            #expect(
                try names.map { try fleet.isSeen(replica, kind, $0) }
                    == [true, false, true, true, false])
            #expect(try fleet.tombstones(replica, kind.namespace) == 2)
        }
    }

    /// The children of a parent are those of no other whose key begins alike, at any length of the keys.
    @Test func K3_childrenOfOtherParentsLive() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "K3")
        let parents: [Key] = ["car", "cart", "car\u{0}", "ca", try Key([0x63]), try Key([0xff])]
        for parent in parents {
            try fleet.put(0, "notes", parent, "parent")
            for own in [[0x00], [0xff], [0x74]] as [[UInt8]] {
                try fleet.put(0, "pages", try Key(child: own, of: parent), "child")
            }
        }
        try fleet.sync(0, 1)
        for (gone, parent) in parents.enumerated() {
            try fleet.delete(1, "notes", parent)
            #expect(try fleet.read(1) { try $0.list("pages") }.count == 3 * (5 - gone))
        }
        try fleet.expectRest()
        #expect(try fleet.tombstones(0, "pages") == 18)
    }

    /// The longest keys and all byte values: each its own row, deleted one by one.
    @Test func K4_everyByteAndTheLongestKeys() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "K4")
        var keys = try (0...255).map { try Key([UInt8($0)]) }
        keys.append(try Key([UInt8](repeating: 0xff, count: Limits.maxKey)))
        keys.append(try Key([UInt8](repeating: 0xff, count: Limits.maxKey - 1)))
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.write(0) { tx in for key in keys { try tx.put(name, key, key.bytes) } }
        }
        try fleet.sync(0, 1)
        for name in ["notes", "devices"] as [NamespaceName] {
            try fleet.write(1) { tx in for key in keys.dropLast() { try tx.delete(name, key) } }
        }
        try fleet.expectRest()
        for name in ["notes", "devices"] as [NamespaceName] {
            #expect(try fleet.read(0) { try $0.list(name) }.map(\.key) == [keys[257]])
        }
        #expect(throws: WireError.self) { try Key([UInt8](repeating: 1, count: Limits.maxKey + 1)) }
        #expect(throws: WireError.self) { try Key([]) }
    }

    /// One key in two namespaces is two rows, and two deletes have two leaves.
    @Test func K5_oneKeyInManyNamespaces() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "K5")
        for kind in Mortal.allCases { try fleet.create(0, kind, "x") }
        try fleet.sync(0, 1)
        for kind in Mortal.allCases {
            #expect(try fleet.isSeen(1, kind, "x"))
            try fleet.kill(1, kind, "x")
            for other in Mortal.allCases where other.rawValue != kind.rawValue {
                let isDead = try fleet.tombstones(1, other.namespace) == 1
                #expect(try fleet.isSeen(1, other, "x") == !isDead)
            }
        }
        try fleet.expectRest()
        let stones = try fleet.replicas[0].digests().filter { $0.tombstones.count == 1 }
        #expect(Set(stones.map(\.tombstones.fingerprint)).count == Mortal.allCases.count)
    }
}
