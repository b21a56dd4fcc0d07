import CenotaphMerge
import CenotaphWire
import TestSupport
import Testing

/// What two contacts tell each other: only of their own messages, and never what is deleted for me.
@Suite struct MessageChannelTests {
    typealias Samples = MessageSamples

    @Test func whatIsToldIsAcceptedAndShowsNoDeleteForMe() throws {
        var random = SeededGenerator("message channel")
        let here = try #require(MessageChannel(own: Samples.us, contact: Samples.them))
        let there = try #require(MessageChannel(own: Samples.them, contact: Samples.us))
        let stranger = ID16(high: 7, low: 7)
        for _ in 0..<10_000 {
            let author = [Samples.us, Samples.them, stranger][random.below(3)]
            let row = Samples.state(Samples.key(author), using: &random)
            guard let operation = here.operation(for: row) else { continue }
            #expect(author != stranger)
            #expect(operation.scope != .me && operation.base?.direction != .outbound)
            #expect(try there.accepting(operation) == operation)
            let hidden = row.merged(
                with: try #require(MessageRow(key: row.key, scope: .me)))
            let told = here.operation(for: hidden)
            #expect(told == nil || told == operation)
        }
    }

    /// A hostile contact sends any row at all: nothing but its own messages changes, and no message of ours does,
    /// but that it is delivered.
    @Test func aHostileContactTouchesItsOwnMessagesAlone() throws {
        var random = SeededGenerator("hostile contact")
        let channel = try #require(MessageChannel(own: Samples.us, contact: Samples.them))
        let stranger = ID16(high: 7, low: 7)
        for _ in 0..<20_000 {
            let author = [Samples.us, Samples.them, stranger][random.below(3)]
            let key = Samples.key(author)
            let sent = Samples.state(key, using: &random)
            do throws(WireError) {
                let row = try channel.accepting(sent)
                #expect(row.key.isMessage(by: Samples.them) || row.key.isMessage(by: Samples.us))
                guard author == Samples.us else {
                    #expect(row.scope != .me && !row.isDelivered)
                    #expect(row.base?.direction != .outbound)
                    continue
                }
                let held = Samples.state(key, using: &random)
                let merged = held.merged(with: row)
                #expect(merged.visibleBody == held.visibleBody)
                #expect(merged.scope == held.scope)
                #expect(merged.base?.postedAt == held.base?.postedAt)
            } catch {
                #expect(error == WireError(.unexpected, .channelOperation))
            }
        }
    }

    @Test func noChannelToOneself() {
        #expect(MessageChannel(own: Samples.us, contact: Samples.us) == nil)
    }

    @Test func anOperationIsNeitherHiddenNorOutbound() throws {
        let key = Samples.key()
        let hidden = try #require(MessageRow(key: key, scope: .me))
        let outbound = try #require(MessageRow(key: key, base: Samples.base()))
        #expect(MessageOp(namespace: "chat", row: hidden) == nil)
        #expect(MessageOp(namespace: "chat", row: outbound) == nil)
    }
}
