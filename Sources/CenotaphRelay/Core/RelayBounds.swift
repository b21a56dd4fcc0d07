/// What a relay allows: every bound of Spec RELAY-020, with defaults for a small machine.
public struct RelayBounds: Hashable, Sendable {
    /// Most connections.
    public var connections = 4_096
    /// Most connections that have not greeted yet.
    public var strangers = 512
    /// Most connections of one room, at most `RelayNotice.maxRoom`.
    public var perRoom = 64
    /// Entries into one room: so many at once, and that many a second from then on.
    public var entries = Rate(perSecond: 8, burst: 256)
    /// Bytes from one connection; over the rate it is not read for a while.
    public var bytes = Rate(perSecond: 16 << 20, burst: 32 << 20)
    /// Records from one connection; over the rate it is not read for a while, and then ended.
    public var records = Rate(perSecond: 2_000, burst: 4_000)
    /// Most bytes that wait to be sent to one connection.
    public var queued = 16 << 20
    /// Most bytes that are held in all.
    public var held = 256 << 20
    /// Milliseconds for a greeting.
    public var greetingTime: UInt64 = 10_000
    /// Milliseconds without a whole record until a connection is idle.
    public var idleTime: UInt64 = 90_000
    /// Milliseconds in which a connection that is sent something must take some of it.
    public var stallTime: UInt64 = 30_000
    /// Milliseconds over the rate of records until a connection is ended.
    public var floodTime: UInt64 = 10_000
    /// Milliseconds for what is still to be sent when the relay ends a connection.
    public var closingTime: UInt64 = 2_000

    /// The defaults.
    public init() {}

    /// A token bucket's numbers.
    public struct Rate: Hashable, Sendable {
        /// How fast it fills.
        public var perSecond: Int
        /// How much it holds.
        public var burst: Int

        /// Makes a rate.
        public init(perSecond: Int, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }
}
