import CenotaphDigest
import CenotaphWire

/// How many questions a difference of random ids takes, over many seeds: differences alone decide that, so there is
/// no store.
struct SketchStatistics {
    /// Cells of the opening, bytes of a cell, and bytes of counters (Spec 06, 12).
    private static let opening = 24

    let differences: Int
    /// Runs that ended after one round trip, after two, and not at all.
    private(set) var ends = [0, 0, 0]
    /// Bytes of cells and counters, and of the four bytes for each id asked for, all runs.
    private var bytes = 0

    /// The part of the runs that ended after that many round trips at most.
    func share(within trips: Int) -> Double {
        Double(ends[..<trips].reduce(0, +)) / Double(ends.reduce(0, +))
    }

    /// Bytes for each difference.
    var bytesEach: Double {
        Double(bytes) / Double(ends.reduce(0, +)) / Double(max(1, differences))
    }

    init(differences: Int, seeds: Int) {
        self.differences = differences
        for seed in 0..<seeds { run(UInt64(seed)) }
    }

    private mutating func run(_ seed: UInt64) {
        var random = SampleRandom(seed: seed &* 1_000_003 &+ UInt64(differences))
        let most = min(Limits.maxCells, 2 * (48 + 4 * differences))
        var (a, b) = (Sketch(size: most), Sketch(size: most))
        for index in 0..<differences {
            let id = RowID(random.next() >> 16)
            if index.isMultiple(of: 2) { a.add(id) } else { b.add(id) }
        }
        let excess = UInt64(differences % 2)
        func tells(_ size: Int) -> Bool {
            SketchDifference(a.cells[..<size], b.cells[..<size], excess: excess) != nil
        }
        let opening = SketchStatistics.opening
        bytes += 10 * opening + Limits.sketchCounters + 4 * (differences / 2)
        if tells(opening) {
            ends[0] += 1
            return
        }
        let estimate = Int(Sketch.estimate(a.counters, b.counters))
        let size = min(most, 48 + estimate + estimate / 2)
        bytes += 10 * size
        if tells(size) {
            ends[0] += 1
            return
        }
        let double = min(most, 2 * size)
        bytes += 10 * (double - size)
        ends[tells(double) ? 1 : 2] += 1
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SampleRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
