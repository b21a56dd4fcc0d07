import Glibc

let words = CommandLine.arguments.dropFirst()
guard words.allSatisfy({ ["--json", "--smoke"].contains($0) }) else {
    print(
        """
        usage: cenotaph-bench [--json] [--smoke]

        Times this library against raw libsodium, SQLite and memcpy, in turn within one run, in CPU time.
        ratio = baseline time / our time: 1 is as fast as the raw thing. --smoke is short, to see that it runs.
        """)
    exit(words.contains("--help") ? 0 : 2)
}
let rounds = words.contains("--smoke") ? 2 : 15
var results: [Measurement] = []
for size in [64, 200, 1_024, 65_536] { results += codecBenchmarks(rowBytes: size, rounds) }
for size in [64, 1_024, 65_536, 900_000] { results += sealBenchmarks(frameBytes: size, rounds) }
for size in [16, 50, 200, 1_024, 65_536] { results += leafBenchmarks(bodyBytes: size, rounds) }
for count in words.contains("--smoke") ? [1_000] : [1_000, 10_000, 100_000] {
    results += try storeBenchmarks(rows: count, min(rounds, 5))
}
// One benchmark after another, each with its growth over n.
let order = Dictionary(results.enumerated().map { ($1.name, $0) }, uniquingKeysWith: min)
results.sort { (order[$0.name] ?? 0, $0.n) < (order[$1.name] ?? 0, $1.n) }
words.contains("--json") ? printJSON(results) : printTable(results)
