internal import CenotaphWire

/// Issues the times of one replica's writes (Spec MODEL-005 to MODEL-008).
///
/// Pure: the caller hands in the clock.
public struct HybridClock: Hashable, Sendable {
    /// The last time issued, 0 before the first.
    public private(set) var last: UInt64

    /// Goes on after the last time that was issued.
    public init(last: UInt64 = 0) { self.last = last }

    /// The next time: above every one before it and above `floor`, and no smaller than the clock's
    /// milliseconds.
    ///
    /// A floor that comes from rows, which others write, is followed to `Limits.maxFloor` only: so
    /// no row can carry the clock to its end, where nothing could be written or deleted any more
    /// (Spec MODEL-017).
    /// - Throws: `WriteRefusal.clockExhausted`; nothing is issued then.
    public mutating func next(
        milliseconds: UInt64, above floor: UInt64 = 0
    ) throws(WriteRefusal) -> UInt64 {
        let least = max(last, floor)
        let canFollow = floor <= max(last, Limits.maxFloor)
        guard canFollow, milliseconds <= Limits.maxTime >> 16, least < Limits.maxTime else {
            throw .clockExhausted
        }
        last = max(milliseconds << 16, least + 1)
        return last
    }
}
