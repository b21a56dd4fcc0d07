import CenotaphMerge
import CenotaphTesting
import CenotaphWire
import TestSupport
import Testing

/// Merging messages is a join, whatever the states and whoever is at fault.
@Suite struct MessageLawTests {
    @Test(arguments: [3, 4]) func laws(_ replicas: Int) throws {
        var random = SeededGenerator("message laws \(replicas)")
        let key = MessageSamples.key()
        for _ in 0..<Environment.schedules(or: 10_000) {
            let states = (0..<replicas).map { _ in MessageSamples.state(key, using: &random) }
            let (a, b, c) = (states[0], states[1], states[2])
            let ab = a.merged(with: b)
            guard a.merged(with: a) == a, ab == b.merged(with: a), ab.merged(with: b) == ab,
                ab.merged(with: c) == a.merged(with: b.merged(with: c)),
                anyTree(states, &random) == anyTree(states, &random)
            else {
                Issue.record("no join: \(states)")
                return
            }
        }
    }

    /// All states joined in a grouping and an order drawn at random.
    private func anyTree(_ states: [MessageRow], _ random: inout SeededGenerator) -> MessageRow {
        var left = states
        while left.count > 1 {
            let taken = left.remove(at: random.below(left.count))
            let place = random.below(left.count)
            left[place] = left[place].merged(with: taken)
        }
        return left[0]
    }

    @Test func aDeleteIsForEver() throws {
        var random = SeededGenerator("message deletes")
        let key = MessageSamples.key()
        for _ in 0..<5_000 {
            let (a, b) = (
                MessageSamples.state(key, using: &random), MessageSamples.state(key, using: &random)
            )
            let both = a.merged(with: b)
            #expect(both.scope.rawValue >= max(a.scope.rawValue, b.scope.rawValue))
            if both.scope != .live { #expect(both.visibleBody == nil) }
            if both.scope == .everyone {
                #expect(both.bodyToDeliver == nil && both.edit == nil && !both.isDelivered)
                #expect(both.base?.body ?? [] == [])
                #expect(both.isTombstone)
            }
        }
    }

    /// A content that decodes is spelt as it was read, and a changed one is another message or none.
    @Test func contentsHaveOneSpelling() throws {
        var random = SeededGenerator("message contents")
        for _ in 0..<300 {
            let row = Row.message(MessageSamples.state(MessageSamples.key(), using: &random))
            let content = row.encoded()
            #expect(try Row(type: .message, content: content) == row)
            for cut in content.indices {
                #expect(throws: WireError.self) {
                    try Row(type: .message, content: Array(content[..<cut]))
                }
            }
            for bit in 0..<content.count * 8 {
                var changed = content
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                guard let other = try? Row(type: .message, content: changed) else { continue }
                guard other.encoded() == changed, other != row else {
                    Issue.record("two spellings: \(content) \(changed)")
                    return
                }
            }
        }
    }

    @Test func aRowNeedsAKeyAndSomethingToSay() throws {
        #expect(MessageRow(key: MessageSamples.key()) == nil)
        #expect(MessageRow(key: "short", scope: .me) == nil)
        let author = try Key(MessageSamples.us.encoded())
        #expect(MessageRow(key: author, scope: .me) == nil)
        #expect(throws: WireError(.range, .bytesLength)) {
            try Key(author: MessageSamples.us, message: [])
        }
        #expect(!author.isMessage(by: MessageSamples.us))
        #expect(MessageSamples.key().isMessage(by: MessageSamples.us))
        #expect(!MessageSamples.key().isMessage(by: MessageSamples.them))
    }

    /// The greatest message fits one frame, in a delta and alone: it is never cut (Spec WIRE-054).
    @Test func theGreatestRowFitsAFrame() throws {
        let key = try Key([UInt8](repeating: 1, count: Limits.maxKey))
        let name = try NamespaceName([UInt8](repeating: 1, count: Limits.maxName))
        let body = [UInt8](repeating: 1, count: Limits.maxBody)
        let row = try #require(
            MessageRow(
                key: key, base: .init(direction: .inbound, postedAt: 1, body: body),
                edit: .init(editedAt: 1, opID: .zero, body: body)))
        let delta = Delta(
            request: Limits.maxRequest, part: 1_023, namespace: name, set: .live,
            rowType: .message, rows: [.message(row)])
        let operation = try #require(MessageOp(namespace: name, row: row))
        let header = FrameHeader(sender: try #require(ReplicaID(ID16(high: 1, low: 1))))
        for body in [FrameBody.reconcileResponse(delta), .messageOp(operation)] {
            let frame = Frame(header: header, body: body)
            #expect(frame.wireSize <= Limits.maxFrame)
            #expect(try Frame.decode(frame.encoded()) == frame)
        }
    }

    /// Every way to a deleted message ends in one content (Spec LEAF-007).
    @Test func oneLeafHoweverItCameAbout() throws {
        let key = MessageSamples.key()
        let post = MessageRow(key: key, base: MessageSamples.base())
        let edits = [1, 2].map { MessageRow(key: key, edit: MessageSamples.edit(2, $0)) }
        let others = [
            MessageRow(key: key, isDelivered: true), MessageRow(key: key, scope: .me),
            MessageRow(key: key, scope: .everyone),
        ]
        let pieces = ([post] + edits + others).compactMap(\.self)
        var contents: Set<[UInt8]> = []
        for order in permutations(Array(pieces.indices)) {
            contents.insert(fold(order.map { pieces[$0] }).encoded())
        }
        let dead = [post, others[2]].compactMap(\.self)
        contents.insert(fold(dead).encoded())
        contents.insert(fold(dead.reversed()).encoded())
        #expect(contents.count == 1)
    }
}

/// The merge of rows in the order given.
func fold(_ rows: [MessageRow]) -> MessageRow {
    rows.dropFirst().reduce(rows[0]) { $0.merged(with: $1) }
}

/// Every order of the elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
