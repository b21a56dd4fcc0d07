import Cenotaph
import CenotaphTesting
import Testing

/// The times of one replica's writes (Spec MODEL-005 to MODEL-008).
@Suite struct HybridClockTests {
    @Test func followsTheWallClock() throws {
        var clock = HybridClock()
        #expect(try clock.next(milliseconds: 10) == 10 << 16)
        #expect(try clock.next(milliseconds: 10) == 10 << 16 + 1)
        #expect(try clock.next(milliseconds: 12) == 12 << 16)
        #expect(clock.last == 12 << 16)
    }

    @Test func neverGoesBack() throws {
        var clock = HybridClock()
        let first = try clock.next(milliseconds: 1_000)
        #expect(try clock.next(milliseconds: 1) == first + 1)
        #expect(try clock.next(milliseconds: 0) == first + 2)
        var again = HybridClock(last: clock.last)
        #expect(try again.next(milliseconds: 0) == first + 3)
    }

    /// More than 65,536 writes in a millisecond run into the next one.
    @Test func counterOverflow() throws {
        var clock = HybridClock(last: 5 << 16 | 0xffff)
        #expect(try clock.next(milliseconds: 5) == 6 << 16)
        #expect(try clock.next(milliseconds: 6) == 6 << 16 + 1)
    }

    @Test func risesAboveTheFloor() throws {
        var clock = HybridClock()
        #expect(try clock.next(milliseconds: 1, above: 9 << 16) == 9 << 16 + 1)
        #expect(try clock.next(milliseconds: 1) == 9 << 16 + 2)
        #expect(try clock.next(milliseconds: 99, above: 3) == 99 << 16)
    }

    @Test func exhausted() throws {
        var clock = HybridClock(last: Limits.maxTime - 1)
        #expect(try clock.next(milliseconds: 1) == Limits.maxTime)
        let full = clock
        #expect(throws: WriteRefusal.clockExhausted) { try clock.next(milliseconds: 1) }
        #expect(clock == full)
        var other = HybridClock()
        #expect(throws: WriteRefusal.clockExhausted) {
            try other.next(milliseconds: 1, above: Limits.maxTime)
        }
        #expect(throws: WriteRefusal.clockExhausted) {
            try other.next(milliseconds: 1, above: .max)
        }
        #expect(other == HybridClock())
    }

    /// The last millisecond that has a time, and the first that has none.
    @Test func farFuture() throws {
        var clock = HybridClock()
        #expect(try clock.next(milliseconds: 1 << 47 - 1) == (1 << 47 - 1) << 16)
        for milliseconds in [1 << 47, 1 << 48, UInt64.max] {
            var clock = HybridClock(last: 7)
            #expect(throws: WriteRefusal.clockExhausted) {
                try clock.next(milliseconds: milliseconds)
            }
            #expect(clock.last == 7)
        }
    }

    @Test func randomReadings() throws {
        var random = SeededRandom(for: "randomReadings")
        var clock = HybridClock()
        for step in 0..<10_000 {
            let before = clock.last
            let milliseconds = random.next() >> UInt64(20 + random.below(44))
            let floor = random.next() >> UInt64(10 + random.below(50))
            let time = try clock.next(milliseconds: milliseconds, above: floor)
            guard time > before, time > floor, time >= milliseconds << 16, time == clock.last else {
                Issue.record("seed \(random.seed), step \(step)")
                return
            }
        }
    }
}
