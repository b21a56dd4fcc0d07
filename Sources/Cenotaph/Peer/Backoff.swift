/// Waits between attempts: doubling, capped, each drawn from the upper half so that peers do not march in step.
public struct Backoff: Hashable, Sendable {
    /// The first wait.
    public var first: Duration
    /// The longest wait.
    public var longest: Duration

    /// Makes a backoff.
    public init(first: Duration = .milliseconds(250), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The wait before attempt `attempt`, counted from 1.
    public func delay(
        before attempt: Int, using random: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = min(max(attempt - 1, 0), 30)
        let full = min(first * (1 << doublings), longest)
        return full * Double.random(in: 0.5...1, using: &random)
    }
}
