import Cenotaph
import CenotaphRelay
import Glibc

/// A relay's log: one JSON object a line on standard error, without addresses, tokens or contents.
///
/// The relay does not wait for who reads the log: what is not written in time is dropped.
final class RelayLog: Sendable {
    private let lines: AsyncStream<String>.Continuation
    private let writing: Task<Void, Never>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(4_096))
        lines = continuation
        writing = Task.detached { for await line in stream { System.printError(line) } }
    }

    func write(_ event: RelayEvent) {
        lines.yield("{\"time\":\(RelayLog.now()),\(RelayLog.fields(event))}")
    }

    func end() async {
        lines.finish()
        await writing.value
    }

    private static func fields(_ event: RelayEvent) -> String {
        switch event {
        case .opened(let id): "\"event\":\"opened\",\"connection\":\(id.value)"
        case .turnedAway: "\"event\":\"turned-away\""
        case .entered(let id, let room, let number):
            // The beginning of the name tells rooms apart.
            "\"event\":\"entered\",\"connection\":\(id.value),\"room\":\"\(room.description.prefix(8))\","
                + "\"number\":\(number)"
        case .refused(let id, let status):
            "\"event\":\"refused\",\"connection\":\(id.value),\"status\":\"\(status)\""
        case .ended(let id, let reason):
            "\"event\":\"ended\",\"connection\":\(id.value),\"reason\":\"\(reason)\""
        case .left(let id): "\"event\":\"left\",\"connection\":\(id.value)"
        }
    }

    /// Seconds since 1970, with three digits behind the point.
    private static func now() -> String {
        var now = timespec()
        unsafe _ = clock_gettime(CLOCK_REALTIME, &now)
        let thousandths = String(now.tv_nsec / 1_000_000 + 1_000).dropFirst()
        return "\(now.tv_sec).\(thousandths)"
    }
}
