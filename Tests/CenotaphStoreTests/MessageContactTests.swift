import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Testing

/// What a contact says, at the gate and over both stores.
@Suite struct MessageContactTests {
    /// Carries what `from` tells of the keys to `to`.
    private func carry(_ keys: [Key], from: Device, to: Device, _ sent: inout [MessageOp]) throws {
        let ends = (from.gate.keys.fleet, to.gate.keys.fleet)
        for key in keys {
            let operation = try from.gate.read { try $0.operation("chat", key, for: ends.1) }
            guard let operation else { continue }
            sent.append(operation)
            try to.write { try $0.receive(operation, fromContact: ends.0) }
        }
    }

    @Test(arguments: StoreKind.allCases) func twoFleets(_ kind: StoreKind) throws {
        try withFleet(kind) { us, ourTablet, _, ours in
            try withFleet(kind) { them, _, _, theirs in
                let key = try Key(author: ours.fleet, message: [1])
                var sent: [MessageOp] = []
                try us.write { try $0.post("chat", key, [1]) }
                try carry([key], from: us, to: them, &sent)
                #expect(try them.seen(key) == [1])
                #expect(try them.outbox().isEmpty)
                try carry([key], from: them, to: us, &sent)
                #expect(try us.outbox().isEmpty, "the receipt ends the duty")
                try ourTablet.pull(us)
                #expect(try ourTablet.outbox().isEmpty)
                try us.write { try $0.edit("chat", key, [2]) }
                try carry([key], from: us, to: them, &sent)
                #expect(try them.seen(key) == [2])
                // What they do for themselves is never told; what we do for ourselves neither.
                try them.write { try $0.deleteForMe("chat", key) }
                try carry([key], from: them, to: us, &sent)
                #expect(try us.seen(key) == [2])
                try us.write { try $0.deleteForMe("chat", key) }
                let before = sent.count
                try carry([key], from: us, to: them, &sent)
                #expect(sent.count == before)
                try us.write { try $0.deleteForEveryone("chat", key) }
                try carry([key], from: us, to: them, &sent)
                #expect(try them.message(key)?.scope == .everyone)
                // All of it once more, and the wrong way round.
                let roots = (try us.root(), try them.root())
                for operation in sent + sent.reversed() {
                    for (device, contact) in [(us, theirs.fleet), (them, ours.fleet)] {
                        _ = try? device.write { try $0.receive(operation, fromContact: contact) }
                    }
                }
                #expect(try us.root() == roots.0 && them.root() == roots.1)
                _ = theirs
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func hostileOperationsChangeNothing(
        _ kind: StoreKind
    ) throws {
        try withFleet(kind) { us, _, _, ours in
            let (contact, stranger) = (ID16(high: 1, low: 1), ID16(high: 2, low: 2))
            let own = try Key(author: ours.fleet, message: [1])
            let third = try Key(author: stranger, message: [1])
            let theirs = try Key(author: contact, message: [1])
            try us.write { try $0.post("chat", own, [1]) }
            let root = try us.root()
            let edit = MessageRow.Edit(editedAt: 1 << 62, opID: .zero, body: [66])
            let base = MessageRow.Base(direction: .inbound, postedAt: 1 << 62, body: [66])
            let rows = [
                MessageRow(key: own, scope: .everyone), MessageRow(key: own, edit: edit),
                MessageRow(key: own, base: base),
                MessageRow(key: own, edit: edit, isDelivered: true),
                MessageRow(key: third, base: base), MessageRow(key: third, scope: .everyone),
                MessageRow(key: third, isDelivered: true),
                MessageRow(key: theirs, isDelivered: true),
                MessageRow(key: theirs, edit: edit, isDelivered: true),
            ]
            for row in rows.compactMap(\.self) {
                let operation = try #require(MessageOp(namespace: "chat", row: row))
                #expect(throws: GateError.rejected(WireError(.unexpected, .channelOperation))) {
                    try us.write { try $0.receive(operation, fromContact: contact) }
                }
            }
            let good = try #require(MessageRow(key: theirs, base: base))
            for name in ["notes", "none"] as [NamespaceName] {
                let operation = try #require(MessageOp(namespace: name, row: good))
                #expect(throws: GateError.rejected(WireError(.unexpected, .channelNamespace))) {
                    try us.write { try $0.receive(operation, fromContact: contact) }
                }
            }
            let looped = try #require(MessageOp(namespace: "chat", row: good))
            #expect(throws: GateError.rejected(WireError(.unexpected, .channelFleetsDiffer))) {
                try us.write { try $0.receive(looped, fromContact: ours.fleet) }
            }
            #expect(try us.root() == root)
            #expect(try us.seen(own) == [1])
        }
    }

    @Test(arguments: StoreKind.allCases) func operationsMayComeBeforeTheirMessage(
        _ kind: StoreKind
    ) throws {
        try withFleet(kind) { us, _, _, _ in
            let contact = ID16(high: 1, low: 1)
            let key = try Key(author: contact, message: [1])
            func receive(_ row: MessageRow?) throws {
                let row = try #require(row)
                let operation = try #require(MessageOp(namespace: "chat", row: row))
                try us.write { try $0.receive(operation, fromContact: contact) }
            }
            try receive(
                MessageRow(key: key, edit: .init(editedAt: 2, opID: .zero, body: [2])))
            #expect(try us.seen(key) == nil)
            try receive(
                MessageRow(
                    key: key, base: .init(direction: .inbound, postedAt: 1, body: [1])))
            #expect(try us.seen(key) == [2])
            try receive(MessageRow(key: key, scope: .everyone))
            #expect(try us.seen(key) == nil)
            #expect(try us.message(key)?.base?.postedAt == 1)
        }
    }
}
