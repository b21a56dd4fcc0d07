import Glibc

/// Times of many events of one kind, by the wall clock.
struct Latencies {
    /// What was timed, and with how many others.
    let name: String
    /// The number of connections or replicas that took part.
    let participants: Int
    /// Microseconds, ascending.
    private let times: [Double]
    /// Events a second, rounds one after another.
    let perSecond: Double

    /// Takes the times of all events, in microseconds, and how long the whole took, in seconds.
    init(_ name: String, participants: Int, times: [Double], seconds: Double) {
        self.name = name
        self.participants = participants
        self.times = times.sorted()
        perSecond = Double(times.count) / seconds
    }

    private var percentiles: [(name: String, value: Double)] {
        [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)].map { name, part in
            (name, times[min(times.count - 1, Int(Double(times.count) * part))])
        }
    }

    fileprivate var json: String {
        let values = percentiles.map { "\"\($0.name)\":\($0.value)" }
        return "{\"name\":\"\(name)\",\"participants\":\(participants),\"events\":\(times.count),"
            + "\"unit\":\"us\",\(values.joined(separator: ",")),\"perSecond\":\(perSecond)}"
    }

    fileprivate var line: String {
        let values = percentiles.map { "\($0.name) \(Int($0.value))" }
        return "\(name), \(participants), \(times.count) times: "
            + values.joined(separator: "  ") + "  (\(Int(perSecond)) a second)"
    }
}

/// Prints a table for a person, or the same for a program.
func printLatencies(_ results: [Latencies], asJSON isJSON: Bool) {
    if isJSON {
        print("[\n" + results.map(\.json).joined(separator: ",\n") + "\n]")
    } else {
        print("microseconds by the wall clock\n")
        for result in results { print(result.line) }
    }
}

/// The monotonic clock, in nanoseconds.
func nanoseconds() -> UInt64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
