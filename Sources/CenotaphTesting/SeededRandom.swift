#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Random numbers that a seed repeats: the same seed, the same run (SplitMix64).
///
/// The environment variable `CENOTAPH_SEED` replaces every seed that is not fixed, so a failed run can be repeated.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What the numbers began with.
    public let seed: UInt64
    private var state: UInt64

    /// Begins with a fixed seed.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Begins with the seed of the environment, or with a new one, and prints it beside `label`.
    public init(for label: String) {
        let seed = Environment.number("CENOTAPH_SEED") ?? UInt64.random(in: 0...UInt64.max)
        self.init(seed: seed)
        print("\(label): CENOTAPH_SEED=\(seed)")
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True with the given probability.
    public mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && Double.random(in: 0..<1, using: &self) < probability
    }

    /// Another generator, whose numbers this one's seed repeats.
    public mutating func fork() -> SeededRandom { SeededRandom(seed: next()) }
}

/// What the environment asks of tests.
public enum Environment {
    /// The whole number in a variable, or `nil`.
    public static func number(_ name: String) -> UInt64? {
        // Safety: the text is copied before anything else runs on this thread.
        guard let text = unsafe getenv(name) else { return nil }
        return UInt64(unsafe String(cString: text))
    }

    /// How many random schedules to run: `CENOTAPH_SCHEDULES`, or a default.
    public static func schedules(or number: Int) -> Int {
        Environment.number("CENOTAPH_SCHEDULES").map { Int(clamping: $0) } ?? number
    }
}
