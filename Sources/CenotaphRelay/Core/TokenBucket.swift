/// A rate with a burst: it fills with time, and may be emptied below zero, which then has to be waited for.
struct TokenBucket {
    private let rate: RelayBounds.Rate
    /// What is there, in thousandths.
    private var level: Int
    private var last: UInt64

    init(_ rate: RelayBounds.Rate, at now: UInt64) {
        self.rate = rate
        level = rate.burst * 1_000
        last = now
    }

    /// Takes so many; the bucket may be in debt afterwards.
    mutating func take(_ count: Int, at now: UInt64) {
        fill(at: now)
        level -= count * 1_000
    }

    /// Takes one if there is one.
    mutating func takeOne(at now: UInt64) -> Bool {
        fill(at: now)
        guard level >= 1_000 else { return false }
        level -= 1_000
        return true
    }

    /// When the debt is paid.
    var readyAt: UInt64 {
        guard level < 0 else { return last }
        return last + UInt64((-level + rate.perSecond - 1) / max(rate.perSecond, 1))
    }

    private mutating func fill(at now: UInt64) {
        // An hour fills every bucket; more could overflow.
        let elapsed = Int(min(now > last ? now - last : 0, 3_600_000))
        level = min(level + elapsed * rate.perSecond, rate.burst * 1_000)
        last = max(last, now)
    }
}
