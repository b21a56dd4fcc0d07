/// What befalls frames on a simulated link: each frame draws each fault with its probability.
public struct LinkFaults: Hashable, Sendable {
    /// The frame is lost.
    public var drop: Double
    /// The frame is delivered and will come once more.
    public var duplicate: Double
    /// Another frame that waits is delivered first.
    public var reorder: Double
    /// The frame waits until the next round.
    public var delay: Double
    /// A bit of the frame is flipped.
    public var corrupt: Double
    /// The connection breaks: what is on its way is lost, and both ends greet each other anew.
    public var cut: Double

    /// Makes faults, none of those that are not given.
    public init(
        drop: Double = 0, duplicate: Double = 0, reorder: Double = 0, delay: Double = 0,
        corrupt: Double = 0, cut: Double = 0
    ) {
        self.drop = drop
        self.duplicate = duplicate
        self.reorder = reorder
        self.delay = delay
        self.corrupt = corrupt
        self.cut = cut
    }

    /// A link that delivers every frame once and in order.
    public static let none = LinkFaults()

    /// A bad radio: a bit of everything.
    public static let hostile = LinkFaults(
        drop: 0.1, duplicate: 0.1, reorder: 0.3, delay: 0.1, corrupt: 0.05, cut: 0.01)
}
