internal import CenotaphWire

/// Random values of the kinds that requests hold, decided by a seed.
struct Dice {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<max(1, bound), using: &generator)
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Values: RandomAccessCollection>(_ values: Values) -> Values.Element? {
        values.randomElement(using: &generator)
    }

    mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        values.shuffled(using: &generator)
    }

    mutating func number() -> UInt64 { generator.next() >> UInt64(below(64)) }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: generator.next()) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    mutating func bytes(upTo most: Int) -> [UInt8] { bytes(below(most + 1)) }

    mutating func hex(_ count: Int) -> String { Hex.string(bytes(count)) }

    /// Mostly a time that the text takes, now and then one at or over its ends.
    mutating func time() -> UInt64 {
        switch below(12) {
        case 0: pick([0, 1, (1 << 63) - 1, 1 << 63, .max]) ?? 1
        case 1...5: UInt64(1 + below(4))
        default: max(1, number() >> 1)
        }
    }

    /// A key of a few lengths, with neighbours that share a start.
    mutating func key() -> [UInt8] {
        chance(50) ? [UInt8(97 + below(4))] + bytes(upTo: 2) : bytes(1 + below(40))
    }

    /// The bytes with one or two small faults.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(2) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(byte()) }
        // Faults near the front, where kinds, counts and lengths are, come as often as all others.
        let place = chance(50) ? below(bytes.count) : below(min(bytes.count, 40))
        switch below(8) {
        case 0, 1: bytes[place] ^= 1 << UInt8(below(8))
        case 2: bytes[place] = pick([0, 1, 0x7f, 0x80, 0xff]) ?? 0
        case 3: bytes[place] &+= chance(50) ? 1 : 255
        case 4: bytes.insert(byte(), at: place)
        case 5: bytes.remove(at: place)
        case 6: bytes.removeLast(1 + below(min(8, bytes.count)))
        default:
            let end = min(bytes.count, place + 1 + below(24))
            bytes.insert(contentsOf: bytes[place..<end], at: end)
        }
    }
}
