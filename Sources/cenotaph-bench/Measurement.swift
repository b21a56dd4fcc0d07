import Glibc

/// One of ours against a raw baseline, at one size.
struct Measurement {
    /// What was timed.
    let name: String
    /// What it was timed against.
    let baseline: String
    /// The size that grows: bytes, or rows.
    let n: Int
    /// Bytes that one operation works on.
    let bytes: Int
    /// Nanoseconds of CPU time for one operation, the best round; or what `unit` says.
    let ours: Double
    /// The same of the baseline, or a limit.
    let raw: Double
    /// The unit of both.
    var unit = "ns"

    /// Our speed as a part of the baseline's.
    var ratio: Double { raw / ours }
    /// Our speed in GB/s.
    var speed: Double { Double(bytes) / ours }
}

/// Keeps the optimiser from dropping a result.
@inline(never)
func keep<Value>(_ value: Value) { _ = value }

/// CPU time of this process in nanoseconds.
func cpuTime() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// The time of a clock that only goes forward, in nanoseconds.
func wallTime() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// Times both in turn, so that a change of the machine's speed meets both, and takes the best round of each.
///
/// - Parameters:
///   - name: What is timed.
///   - baseline: What it is timed against.
///   - n: The size that grows.
///   - bytes: Bytes that one operation works on.
///   - rounds: Rounds of both.
///   - repetitions: Operations of a round.
///   - prepare: Called before each round, and not timed.
///   - ours: One operation of ours.
///   - raw: One operation of the baseline.
/// - Returns: The best rounds.
func measure(
    _ name: String, against baseline: String, n: Int, bytes: Int, rounds: Int, repetitions: Int,
    prepare: () -> Void = {}, ours: () throws -> Void, raw: () throws -> Void
) rethrows -> Measurement {
    var best = (ours: Double.infinity, raw: Double.infinity)
    for _ in 0..<rounds {
        prepare()
        let start = cpuTime()
        for _ in 0..<repetitions { try ours() }
        let middle = cpuTime()
        for _ in 0..<repetitions { try raw() }
        let end = cpuTime()
        best.ours = min(best.ours, (middle - start) / Double(repetitions))
        best.raw = min(best.raw, (end - middle) / Double(repetitions))
    }
    return Measurement(
        name: name, baseline: baseline, n: n, bytes: bytes, ours: best.ours, raw: best.raw)
}

/// CPU time of one operation in nanoseconds, the best round.
func cpuTime(rounds: Int, repetitions: Int, _ operation: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = cpuTime()
        for _ in 0..<repetitions { try operation() }
        best = min(best, (cpuTime() - start) / Double(repetitions))
    }
    return best
}

/// Repetitions that make a round take about as long whatever the size.
func repetitions(forBytes bytes: Int) -> Int { max(3, min(20_000, 4_000_000 / bytes)) }

private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

private func rounded(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((value * scale).rounded())
    let rest = String(whole % Int(scale))
    guard digits > 0 else { return String(whole) }
    let zeros = String(repeating: "0", count: digits - rest.count)
    return "\(whole / Int(scale)).\(zeros)\(rest)"
}

/// Prints a table for a person.
func printTable(_ results: [Measurement]) {
    print("CPU time, best of the rounds; ratio = baseline / ours\n")
    for (index, result) in results.enumerated() {
        if index == 0 || results[index - 1].name != result.name {
            print("\n\(result.name), against \(result.baseline)")
            let unit = result.unit
            print(
                padded("n", 10) + padded("ours \(unit)", 12) + padded("raw \(unit)", 12)
                    + "   ratio     GB/s")
        }
        print(
            padded("\(result.n)", 10) + padded(rounded(result.ours, result.unit == "%" ? 2 : 0), 12)
                + padded(rounded(result.raw, 0), 12) + padded(rounded(result.ratio, 2), 8)
                + padded(rounded(result.speed, 2), 9))
    }
}

/// Prints the same for a program.
func printJSON(_ results: [Measurement]) {
    let lines = results.map { result in
        "{\"name\":\"\(result.name)\",\"baseline\":\"\(result.baseline)\",\"n\":\(result.n),"
            + "\"bytes\":\(result.bytes),\"unit\":\"\(result.unit)\",\"ours\":\(result.ours),\"raw\":\(result.raw),"
            + "\"ratio\":\(result.ratio)}"
    }
    print("[\n" + lines.joined(separator: ",\n") + "\n]")
}
