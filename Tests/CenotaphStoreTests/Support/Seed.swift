#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Random numbers that a seed repeats: the same seed, the same run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    /// What the run began with.
    let seed: UInt64
    private var state: UInt64

    /// Takes the seed from the environment variable `CENOTAPH_SEED`, or makes one, and prints it.
    init(for test: String) {
        let text = ProcessInfo.processInfo.environment["CENOTAPH_SEED"]
        seed = text.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        state = seed
        print("\(test): CENOTAPH_SEED=\(seed)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
