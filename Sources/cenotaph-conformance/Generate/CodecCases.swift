internal import CenotaphWire

extension CaseMaker {
    /// A request of L1 that is not a frame.
    func primitive(_ dice: inout Dice) -> FreshRequest? {
        var bytes: [UInt8]
        var fields: [String: String] = [:]
        let op: String
        switch dice.below(4) {
        case 0:
            op = "uvarint.decode"
            bytes = Part.count(Int(dice.number() >> 1)).encoded()
        case 1:
            op = "bytes.decode"
            let value = dice.bytes(upTo: 200)
            bytes = Part.blob(value).encoded()
            fields["min"] = "\(dice.below(value.count + 2))"
            fields["max"] = "\(value.count + dice.below(20))"
        case 2:
            op = "stamp.decode"
            bytes = Part.u64(dice.time()).encoded() + dice.bytes(16)
        default:
            op = "vector.decode"
            let replicas = (0..<dice.below(12)).map { _ in dice.hex(16) }.sorted()
            bytes = Part.count(replicas.count).encoded()
            for replica in replicas {
                bytes += (Hex.bytes(replica) ?? []) + Part.u64(dice.time()).encoded()
            }
        }
        if dice.chance(40) { bytes = dice.mutated(bytes) }
        fields["bytes"] = Hex.string(bytes)
        return request(op, fields)
    }

    /// A golden frame with faults.
    func frame(_ dice: inout Dice) -> FreshRequest? {
        guard let value = dice.pick(golden["frame.decode"] ?? []),
            let bytes = Hex.bytes(value.in["bytes"] ?? "")
        else { return nil }
        let text = Hex.string(dice.mutated(bytes))
        return FreshRequest(op: value.op, fields: ["bytes": text], req: value.req)
    }

    /// A key, a box, or an envelope with a fault outside or inside.
    func seal(_ dice: inout Dice) -> FreshRequest? {
        let keys = ["sealKey": dice.hex(32), "fleet": dice.hex(16)]
        switch dice.below(5) {
        case 0: return request("seal.key", keys)
        case 1:
            let channel = [
                "channelKey": dice.hex(32), "sendingFleet": dice.hex(16),
                "receivingFleet": dice.hex(16),
            ]
            return request("seal.channel", channel)
        default: break
        }
        guard var frame = dice.pick(golden["frame.decode"] ?? [])?.in["bytes"] else { return nil }
        if dice.chance(30) { frame = Hex.string(dice.mutated(Hex.bytes(frame) ?? [])) }
        let fields = keys.merging(["nonce": dice.hex(24), "frame": frame]) { $1 }
        if dice.chance(35) { return request("seal.seal", fields) }
        guard let sealed = answer("seal.seal", fields)?["bytes"], var bytes = Hex.bytes(sealed)
        else { return nil }
        if dice.chance(30) { bytes = dice.mutated(bytes) }
        return request("seal.open", keys.merging(["bytes": Hex.string(bytes)]) { $1 })
    }
}
