internal import CenotaphWire

extension CaseMaker {
    /// States of one key in some order, steps of a log, or a message on a channel.
    func merge(_ dice: inout Dice) -> FreshRequest? {
        switch dice.below(6) {
        case 0: return states("merge.causal", &dice, CaseMaker.causal)
        case 1: return states("merge.lastWriter", &dice, CaseMaker.lastWriter)
        case 2: return states("merge.message", &dice, CaseMaker.message)
        case 3: return channel(&dice)
        default: return log(&dice)
        }
    }

    /// Two or three contents; now and then one of them with a fault.
    private func states(
        _ op: String, _ dice: inout Dice, _ content: ([UInt8], inout Dice) -> [Part]
    ) -> FreshRequest? {
        let key = dice.bytes(op == "merge.message" ? 17 + dice.below(8) : 1 + dice.below(8))
        var fields: [String: String] = [:]
        for name in dice.chance(50) ? ["a", "b"] : ["a", "b", "c"] {
            let parts = content(key, &dice)
            fields[name] = Hex.string(parts.flatMap { $0.encoded() })
        }
        if dice.chance(20), let name = dice.pick(fields.keys.sorted()) {
            fields[name] = Hex.string(dice.mutated(Hex.bytes(fields[name] ?? "") ?? []))
        }
        return request(op, fields)
    }

    private static func body(_ dice: inout Dice) -> Part {
        .blob((0..<dice.below(3)).map { _ in UInt8(97 + dice.below(2)) })
    }

    private static func replica(_ number: Int) -> Part {
        .raw([UInt8](repeating: UInt8(0xa0 + number), count: 16))
    }

    private static func causal(_ key: [UInt8], _ dice: inout Dice) -> [Part] {
        let replicas = (0..<4).filter { _ in dice.chance(50) }
        var parts: [Part] = [.blob(key), .count(max(1, replicas.count))]
        for number in replicas.isEmpty ? [0] : replicas {
            parts += [replica(number), .u64(UInt64(1 + dice.below(3)))]
            let isValue = dice.chance(60)
            parts.append(.raw([isValue ? 1 : 0]))
            if isValue { parts.append(body(&dice)) }
        }
        return parts
    }

    private static func lastWriter(_ key: [UInt8], _ dice: inout Dice) -> [Part] {
        let head: [Part] = [
            .blob(key), .u64(UInt64(1 + dice.below(3))), replica(dice.below(3)),
        ]
        return dice.chance(65)
            ? head + [.raw([1]), body(&dice)] : head + [.raw([0])]
    }

    private static func message(_ key: [UInt8], _ dice: inout Dice) -> [Part] {
        var parts: [Part] = [
            .blob(key), .raw([UInt8(dice.below(3))]), .raw([UInt8(dice.below(2))]),
        ]
        let hasBase = dice.chance(65)
        parts.append(.raw([hasBase ? 1 : 0]))
        if hasBase {
            parts += [
                .raw([UInt8(1 + dice.below(2))]), .u64(UInt64(1 + dice.below(3))), body(&dice),
            ]
        }
        let hasEdit = dice.chance(40)
        parts.append(.raw([hasEdit ? 1 : 0]))
        if hasEdit {
            parts += [.u64(UInt64(1 + dice.below(3))), replica(dice.below(3)), body(&dice)]
        }
        return parts
    }

    /// A golden case of a channel, with the content of another.
    private func channel(_ dice: inout Dice) -> FreshRequest? {
        guard let op = dice.pick(["channel.accept", "channel.tell"]),
            let value = dice.pick(golden[op] ?? []), let other = dice.pick(golden[op] ?? [])
        else { return nil }
        var fields = value.in
        if dice.chance(60) { fields["content"] = other.in["content"] }
        return FreshRequest(op: op, fields: fields, req: value.req)
    }

    /// Events and markers of a few keys and groups.
    private func log(_ dice: inout Dice) -> FreshRequest? {
        let steps = (0..<1 + dice.below(9)).map { _ -> String in
            let (group, time) = ("6\(dice.below(2))", 1 + dice.below(3))
            let replica = String(repeating: "a\(dice.below(2))", count: 16)
            guard dice.chance(70) else { return "marker:\(group):\(time):\(replica)" }
            let body = dice.chance(30) ? "" : "6\(dice.below(3))"
            return "event:7\(dice.below(3)):\(time):\(replica):\(group):\(body)"
        }
        return request(
            "merge.log",
            ["code": "\(1 + dice.below(2))", "steps": dice.shuffled(steps).joined(separator: " ")])
    }
}
