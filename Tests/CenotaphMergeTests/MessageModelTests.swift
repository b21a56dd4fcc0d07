import CenotaphMerge
import CenotaphTesting
import CenotaphWire
import TestSupport
import Testing

/// What a set of operations means, read without any state: the model that rows are held against.
private struct Facts {
    var ops: Set<MessageRow> = []

    private var scope: MessageRow.Scope {
        ops.map(\.scope).max { $0.rawValue < $1.rawValue } ?? .live
    }
    private var base: MessageRow.Base? { ops.compactMap(\.base).first }
    private var text: [UInt8]? {
        let edits = ops.compactMap(\.edit).sorted { a, b in
            (a.editedAt, a.opID.high) != (b.editedAt, b.opID.high)
                ? (a.editedAt, a.opID.high) < (b.editedAt, b.opID.high)
                : a.body.lexicographicallyPrecedes(b.body)
        }
        return base == nil ? nil : edits.last?.body ?? base?.body
    }

    var view: [UInt8]? { scope == .live ? text : nil }

    var duty: [UInt8]? {
        let isDelivered = ops.contains { $0.isDelivered }
        return base?.direction == .outbound && !isDelivered && scope != .everyone ? text : nil
    }
}

/// Replicas that gossip show what a fold of the operations they have heard of would show.
@Suite struct MessageModelTests {
    @Test(arguments: [3, 4]) func replicasShowWhatTheyHaveHeard(_ replicas: Int) throws {
        var random = SeededGenerator("message model \(replicas)")
        for round in 0..<Environment.schedules(or: 300) {
            var tables = [RowDictionary](repeating: RowDictionary(), count: replicas)
            var facts = [[Key: Facts]](repeating: [:], count: replicas)
            for _ in 0..<(5 + random.below(40)) {
                let here = random.below(replicas)
                if random.below(3) > 0 {
                    let isOwn = random.below(2) == 0
                    let key = MessageSamples.key(
                        isOwn ? MessageSamples.us : MessageSamples.them, UInt8(random.below(3)))
                    let op = MessageSamples.piece(
                        key, isOwn ? .outbound : .inbound, using: &random)
                    _ = tables[here].merge(.message(op), under: .messages)
                    facts[here][key, default: Facts()].ops.insert(op)
                } else {
                    let there = random.below(replicas)
                    for set in RowSet.allCases {
                        for row in tables[there].rows(set) where random.below(2) == 0 {
                            _ = tables[here].merge(row, under: .messages)
                            let heard = facts[there][row.key]?.ops ?? []
                            facts[here][row.key, default: Facts()].ops.formUnion(heard)
                        }
                    }
                }
                check(tables[here], facts[here], round)
            }
            let all = facts.reduce(into: [:]) { all, some in
                all.merge(some) { Facts(ops: $0.ops.union($1.ops)) }
            }
            for here in tables.indices {
                for there in 1..<replicas {
                    for set in RowSet.allCases {
                        for row in tables[(here + there) % replicas].rows(set) {
                            _ = tables[here].merge(row, under: .messages)
                        }
                    }
                }
                check(tables[here], all, round)
            }
            for set in RowSet.allCases {
                #expect(Set(tables.map { $0.rows(set) }).count == 1, "round \(round)")
            }
        }
    }

    private func check(_ table: RowDictionary, _ facts: [Key: Facts], _ round: Int) {
        for (key, facts) in facts {
            let held = table.row(.live, key) ?? table.row(.tombstones, key)
            guard case .message(let row) = held else {
                Issue.record("round \(round): nothing held of \(facts)")
                continue
            }
            guard row.visibleBody == facts.view, row.bodyToDeliver == facts.duty else {
                Issue.record("round \(round): \(row) is not what \(facts) says")
                continue
            }
        }
    }

    /// Pieces of one message in every order: an orphan waits, and is never shown before its message.
    @Test(arguments: [MessageRow.Direction.outbound, .inbound])
    func orphansInAllOrders(_ direction: MessageRow.Direction) throws {
        let key = MessageSamples.key(
            direction == .outbound ? MessageSamples.us : MessageSamples.them)
        let pieces = [
            MessageRow(key: key, base: MessageSamples.base(direction)),
            MessageRow(key: key, edit: MessageSamples.edit(2, 1, "first")),
            MessageRow(key: key, edit: MessageSamples.edit(3, 1, "second")),
            MessageRow(key: key, isDelivered: true), MessageRow(key: key, scope: .me),
            MessageRow(key: key, scope: .everyone),
        ].compactMap(\.self)
        var ends: [Set<Int>: MessageRow] = [:]
        for order in permutations(Array(pieces.indices)) {
            var table = RowDictionary()
            var facts = Facts()
            for (count, index) in order.enumerated() {
                _ = table.merge(.message(pieces[index]), under: .messages)
                facts.ops.insert(pieces[index])
                check(table, [key: facts], index)
                let held = table.row(.live, key) ?? table.row(.tombstones, key)
                guard case .message(let row) = held else { continue }
                let heard = Set(order[...count])
                #expect(ends.updateValue(row, forKey: heard) ?? row == row)
            }
        }
        #expect(ends.count == 63)
    }
}
