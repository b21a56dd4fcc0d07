import CenotaphDigest
import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

/// A namespace key, and leaves that differ in every byte.
enum Samples {
    static let key = FleetKeys.generate().namespaceKey("notes")

    static func hash(_ random: inout SeededGenerator) -> Hash256 {
        Hash256(random.next(), random.next(), random.next(), random.next())
    }

    /// Rows with distinct keys, ascending.
    static func rows(_ count: Int, _ random: inout SeededGenerator) -> [(key: Key, leaf: Hash256)] {
        var keys: Set<Key> = []
        // Few different bytes, so that keys share prefixes and are prefixes of each other.
        while keys.count < count {
            let length = 1 + random.below(6)
            let bytes = (0..<length).map { _ in [0, 1, 0x7f, 0xff][random.below(4)] as UInt8 }
            if let key = try? Key(bytes) { keys.insert(key) }
        }
        return keys.sorted().map { ($0, hash(&random)) }
    }
}

@Suite struct SetSumTests {
    @Test func addingAndRemovingInAnyOrder() {
        var random = SeededGenerator("sums")
        let leaves = (0..<60).map { _ in Samples.hash(&random) }
        var all = SetSum()
        for leaf in leaves { all.add(leaf) }
        for _ in 0..<20 {
            var sum = SetSum()
            for leaf in leaves.shuffled(using: &random) { sum.add(leaf) }
            #expect(sum == all)
            let gone = leaves.shuffled(using: &random).prefix(random.below(60))
            for leaf in gone { sum.remove(leaf) }
            var kept = SetSum()
            for leaf in leaves where !gone.contains(leaf) { kept.add(leaf) }
            #expect(sum == kept)
        }
        for leaf in leaves { all.remove(leaf) }
        #expect(all == SetSum())
    }

    @Test func equalLeavesDoNotCancel() {
        var random = SeededGenerator("twice")
        let leaf = Samples.hash(&random)
        var sum = SetSum()
        sum.add(leaf)
        sum.add(leaf)
        #expect(sum.sum != .zero)
        #expect(sum.sum == leaf &+ leaf)
    }

    @Test func aFingerprintDependsOnSetCountAndKey() {
        var random = SeededGenerator("fingerprints")
        var one = SetSum()
        one.add(Samples.hash(&random))
        var padded = one
        padded.add(.zero)
        let other = FleetKeys.generate().namespaceKey("notes")
        let all = [
            one.fingerprint(.live, Samples.key), one.fingerprint(.tombstones, Samples.key),
            padded.fingerprint(.live, Samples.key), one.fingerprint(.live, other),
            SetSum().fingerprint(.live, Samples.key),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func aSumComesBackFromItsBytes() throws {
        var random = SeededGenerator("bytes")
        var sum = SetSum()
        for _ in 0..<5 { sum.add(Samples.hash(&random)) }
        let again = try decodeWhole(sum.encoded()) { (reader) throws(WireError) in
            try SetSum(from: &reader)
        }
        #expect(again == sum)
    }

    @Test func theSchemaFingerprintDoesNotSeeTheOrder() {
        let keys = FleetKeys.generate()
        let a = (name: NamespaceName("a"), code: UInt8(1))
        let b = (name: NamespaceName("b"), code: UInt8(3))
        #expect(keys.schemaFingerprint([a, b]) == keys.schemaFingerprint([b, a]))
        #expect(keys.schemaFingerprint([a]) != keys.schemaFingerprint([a, b]))
        #expect(keys.schemaFingerprint([(a.name, 2)]) != keys.schemaFingerprint([a]))
    }
}
