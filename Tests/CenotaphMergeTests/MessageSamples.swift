import CenotaphMerge
import CenotaphWire
import TestSupport

/// Messages of few parts, so that random ones meet often.
enum MessageSamples {
    static let us = ID16(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
    static let them = ID16(high: 0xffee_ddcc_bbaa_9988, low: 0x7766_5544_3322_1100)

    static func key(_ author: ID16 = us, _ id: UInt8 = 1) -> Key {
        guard let key = try? Key(author: author, message: [id]) else {
            preconditionFailure("17 bytes are a key")
        }
        return key
    }

    static func op(_ number: UInt64) -> ID16 { ID16(high: number, low: ~number) }

    static func base(
        _ direction: MessageRow.Direction = .outbound, _ at: UInt64 = 1, _ body: String = "base"
    ) -> MessageRow.Base {
        .init(direction: direction, postedAt: at, body: Array(body.utf8))
    }

    static func edit(
        _ at: UInt64 = 2, _ id: UInt64 = 1, _ body: String = "edit"
    ) -> MessageRow.Edit {
        .init(editedAt: at, opID: op(id), body: Array(body.utf8))
    }

    /// One piece of a message, as some write made it.
    static func piece(
        _ key: Key, _ direction: MessageRow.Direction, using random: inout SeededGenerator
    ) -> MessageRow {
        let row =
            switch random.below(6) {
            case 0, 1: MessageRow(key: key, base: base(direction))
            case 2, 3:
                MessageRow(
                    key: key,
                    edit: edit(
                        1 + UInt64(random.below(3)), UInt64(random.below(2)),
                        "edit \(random.below(2))"))
            case 4: MessageRow(key: key, isDelivered: true)
            default: MessageRow(key: key, scope: random.below(2) == 0 ? .me : .everyone)
            }
        guard let row else { preconditionFailure("a piece says something") }
        return row
    }

    /// Any state at all, its direction and times at fault too.
    static func state(_ key: Key, using random: inout SeededGenerator) -> MessageRow {
        while true {
            let base: MessageRow.Base? =
                random.below(3) == 0
                ? nil
                : .init(
                    direction: random.below(2) == 0 ? .outbound : .inbound,
                    postedAt: 1 + UInt64(random.below(2)), body: random.bytes(random.below(2)))
            let edit: MessageRow.Edit? =
                random.below(2) == 0
                ? nil
                : .init(
                    editedAt: 1 + UInt64(random.below(2)), opID: op(UInt64(random.below(2))),
                    body: random.bytes(random.below(2)))
            let row = MessageRow(
                key: key, base: base, edit: edit, scope: MessageRow.Scope.allCases[random.below(3)],
                isDelivered: random.below(2) == 0)
            if let row { return row }
        }
    }
}
