internal import CenotaphWire

extension CaseMaker {
    /// A golden leaf with other values in some fields.
    func leaf(_ dice: inout Dice) -> FreshRequest? {
        let ops = golden.keys.filter { $0.hasPrefix("leaf.") }.sorted()
        return varied(ops, &dice) { name, old, dice in
            switch name.split(separator: ".").last ?? "" {
            case "digestKey": dice.hex(32)
            case "namespace": dice.hex(1 + dice.below(64))
            case "key", "group": Hex.string(dice.key() + dice.bytes(dice.chance(50) ? 17 : 0))
            case "time", "postedAt", "editedAt": "\(dice.time())"
            case "replica", "opID": dice.chance(5) ? dice.hex(dice.below(20)) : dice.hex(16)
            case "body", "editBody": Hex.string(dice.bytes(upTo: 60))
            case "state", "scope", "delivered", "direction": "\(dice.pick([0, 1, 2, 3, 256]) ?? 0)"
            default: nil
            }
        }
    }

    /// A fingerprint, a split, or the digest of something golden with other values.
    func digest(_ dice: inout Dice) -> FreshRequest? {
        if dice.chance(40) {
            return varied(["root", "schema", "summary"], &dice) { name, old, dice in
                switch name.split(separator: ".").last ?? "" {
                case "digestKey", "live", "tombstones", "root": dice.hex(32)
                case "epoch": dice.hex(16)
                case "namespace": dice.hex(1 + dice.below(64))
                case "code": "\(dice.below(7))"
                case "knowledge":
                    dice.chance(30) ? Hex.string(dice.mutated(Hex.bytes(old) ?? [])) : nil
                default: nil
                }
            }
        }
        let keys = Set((0..<dice.below(dice.chance(20) ? 90 : 30)).map { _ in dice.key() })
            .sorted { $0.lexicographicallyPrecedes($1) }
        var bounds = [dice.key(), dice.key()]
        bounds.sort { $0.lexicographicallyPrecedes($1) }
        guard bounds[0] != bounds[1] else { return nil }
        return request(
            dice.chance(50) ? "split" : "fingerprint",
            [
                "digestKey": dice.hex(32), "namespace": dice.hex(1 + dice.below(20)),
                "set": "\(dice.below(2))",
                "items": keys.map { "\(Hex.string($0)):\(dice.hex(32))" }.joined(separator: " "),
                "lo": dice.chance(60) ? "" : Hex.string(bounds[0]),
                "hi": dice.chance(60) ? "" : Hex.string(bounds[1]),
            ])
    }

    /// A row id, its cells, or the sketches of two sets that share rows.
    func sketch(_ dice: inout Dice) -> FreshRequest? {
        let size = 1 + dice.below(64)
        let rows = Set((0..<dice.below(60)).map { _ in dice.hex(6) }).sorted()
        switch dice.below(5) {
        case 0:
            return request(
                "sketch.id",
                [
                    "digestKey": dice.hex(32), "namespace": dice.hex(1 + dice.below(20)),
                    "key": Hex.string(dice.key()), "leaf": dice.hex(32),
                ])
        case 1:
            let size = 1 + dice.below(65_536)
            return request("sketch.indexes", ["row": dice.hex(6), "size": "\(size)"])
        case 2:
            return request(
                "sketch.cells", ["rows": rows.joined(separator: " "), "size": "\(size)"])
        default: break
        }
        let split = dice.below(12)
        let (a, b) = (Array(rows.dropFirst(split / 2)), Array(rows.dropLast(split - split / 2)))
        func sketch(_ rows: [String]) -> [String: String] {
            answer("sketch.cells", ["rows": rows.joined(separator: " "), "size": "\(size)"]) ?? [:]
        }
        let (ofA, ofB) = (sketch(a), sketch(b))
        guard dice.chance(70) else {
            return request(
                "sketch.estimate", ["a": ofA["counters"] ?? "", "b": ofB["counters"] ?? ""])
        }
        return request(
            "sketch.difference",
            [
                "a": ofA["cells"] ?? "", "b": ofB["cells"] ?? "", "countA": "\(a.count)",
                "countB": "\(b.count)",
            ])
    }
}
