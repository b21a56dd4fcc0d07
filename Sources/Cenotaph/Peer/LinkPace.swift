/// How often a link compares, and how long it waits for the other end.
struct LinkPace: Sendable {
    /// How long a peer may be silent before a round starts afresh.
    let interval: Duration
    /// How long a peer may send no frame, or take none of those that wait for it, before the link is cut.
    let patience: Duration
}
