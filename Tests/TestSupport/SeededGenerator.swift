internal import FoundationEssentials

/// Random numbers that a failing test can repeat: SplitMix64 over `CENOTAPH_SEED`, or over a fresh seed.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The seed of this process.
    public static let seed: UInt64 = {
        let asked = ProcessInfo.processInfo.environment["CENOTAPH_SEED"].flatMap { UInt64($0) }
        let seed = asked ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("CENOTAPH_SEED=\(seed)")
        return seed
    }()

    /// Starts a stream of its own for each name.
    public init(_ name: String) {
        state = name.utf8.reduce(SeededGenerator.seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// A number below `limit`.
    public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
