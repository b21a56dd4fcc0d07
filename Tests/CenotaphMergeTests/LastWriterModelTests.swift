import Cenotaph
import CenotaphTesting
import Testing

/// Histories of three and four replicas under `lastWriter`, step by step against a model made from the text
/// (Spec 07, "lastWriter").
@Suite struct LastWriterModelTests {
    /// One write, and the order of Spec MERGE-020 said once more, from the text alone.
    fileprivate struct Write: Hashable {
        let key: Key
        let time: UInt64
        let replica: ReplicaID
        let body: [UInt8]?

        /// Whether this write stands against another one of its key.
        func beats(_ other: Write) -> Bool {
            if time != other.time { return time > other.time }
            switch (body, other.body) {
            case (nil, nil):
                return other.replica.id.encoded().lexicographicallyPrecedes(replica.id.encoded())
            case (nil, _): return true
            case (_, nil): return false
            case (let body?, let otherBody?):
                if replica != other.replica {
                    return other.replica.id.encoded().lexicographicallyPrecedes(
                        replica.id.encoded())
                }
                return otherBody.lexicographicallyPrecedes(body)
            }
        }

        var row: Row {
            .lastWriter(
                LastWriterRow(key: key, stamp: Stamp(time: time, replica: replica), value: body))
        }
    }

    fileprivate struct World: ModelWorld {
        var random: SeededRandom
        var tables: [RowDictionary]
        /// Every write that a replica has heard of, won or lost.
        var known: [Set<Write>]
        var sent: [Write] = []
        var time: UInt64 = 1

        init(replicas: Int, _ random: SeededRandom) {
            self.random = random
            tables = [RowDictionary](repeating: RowDictionary(), count: replicas)
            known = [Set<Write>](repeating: [], count: replicas)
        }

        /// The write that stands, found by trying each against all others.
        func standing(_ at: Int, _ key: Key) -> Write? {
            let writes = known[at].filter { $0.key == key }
            return writes.first { write in writes.allSatisfy { $0 == write || write.beats($0) } }
        }

        mutating func write(_ at: Int) {
            // Few times, so that many tie: with each other, with deletes, and with other bodies of one stamp.
            if random.below(3) == 0 { time += 1 }
            let write = Write(
                key: random.pick(merging), time: time, replica: replica(UInt64(random.below(4))),
                body: random.below(3) == 0 ? nil : random.pick(bodies))
            sent.append(write)
            take(write, at)
        }

        mutating func take(_ write: Write, _ at: Int) {
            tables[at].take(write.row, .lastWriter)
            known[at].insert(write)
        }

        /// Sends what stands at one replica, or an old write, to any other.
        mutating func exchange(_ at: Int) {
            if let write = standing(at, random.pick(merging)), random.below(2) == 0 {
                take(write, random.below(tables.count))
            } else if !sent.isEmpty {
                take(random.pick(sent), random.below(tables.count))
            }
        }

        /// Whether a replica shows what the model shows, and holds it in the right set.
        func agrees(_ at: Int) -> Bool {
            var view: [Key: [[UInt8]]] = [:]
            for key in merging {
                let write = standing(at, key)
                let set: RowSet? = write.map { $0.body == nil ? .tombstones : .live }
                for other in RowSet.allCases {
                    guard tables[at].row(other, key) == (other == set ? write?.row : nil) else {
                        return false
                    }
                }
                if let body = write?.body { view[key] = [body] }
            }
            return tables[at].view == view
        }

        mutating func step(_ at: Int) {
            if random.below(2) == 0 { write(at) } else { exchange(at) }
        }

        mutating func mergeAll() {
            for at in tables.indices {
                for write in sent.shuffled(using: &random) { take(write, at) }
            }
        }
    }

    @Test(arguments: [3, 4]) func viewsEqualTheModel(_ replicas: Int) throws {
        let name = "lastWriter viewsEqualTheModel \(replicas)"
        try expectModel(name, .lastWriter, schedules: 1_000, steps: 14) { random in
            World(replicas: replicas, random)
        }
    }
}
