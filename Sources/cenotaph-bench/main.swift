import Glibc

let usage = """
    usage: cenotaph-bench [--json] [--smoke] [--large] [--only PART] [--svg FILE]
           cenotaph-bench relay|push [--json] [--smoke]

    Times this library against raw libsodium, SQLite and memcpy, in turn within one run, in CPU time.
    ratio = baseline time / our time: 1 is as fast as the raw thing. --smoke is short, to see that it runs.
    Parts: codec, seal, chain, leaf, store, reconcile, cold, large. The last makes a store of 2,000,000 rows, and runs with
    --large only; reconcile and cold go to 1,000,000 rows with it. Some, such as reconcile and the upkeep of an edit,
    have a limit for a baseline. cold fills an empty replica from a full one. --svg draws what reconcile
    measured. relay times frames from one connection to 9, 99 and 999 others through a relay, by the wall clock; push
    times local writes until other replicas are told, directly and through a relay.
    """

func run(_ words: [String]) async throws -> Int32 {
    var words = words[...]
    var isJSON = false
    var isSmoke = false
    var isLarge = false
    var part: String?
    var picture: String?
    while let word = words.popFirst() {
        switch word {
        case "--json": isJSON = true
        case "--smoke": isSmoke = true
        case "--large": isLarge = true
        case "--open":
            // The child that measures an opening.
            try openAndReport(words.popFirst() ?? "")
            return 0
        case "--only": part = words.popFirst()
        case "--svg": picture = words.popFirst()
        case "relay", "push": part = word
        default:
            print(usage)
            return word == "--help" ? 0 : 2
        }
    }
    if part == "relay" {
        printLatencies(try relayBenchmarks(isSmoke: isSmoke), asJSON: isJSON)
        return 0
    }
    if part == "push" {
        printLatencies(try await pushBenchmarks(isSmoke: isSmoke), asJSON: isJSON)
        return 0
    }
    let rounds = isSmoke ? 2 : 15
    func wants(_ name: String) -> Bool { part == nil || part == name }
    var results = [yardstick(rounds)]
    if wants("codec") {
        for size in [64, 200, 1_024, 65_536] { results += codecBenchmarks(rowBytes: size, rounds) }
    }
    if wants("seal") {
        for size in [64, 1_024, 65_536, 900_000] {
            results += sealBenchmarks(frameBytes: size, rounds)
        }
    }
    if wants("chain") {
        for size in [200, 1_024, 65_536] { results += chainBenchmarks(rowBytes: size, rounds) }
    }
    if wants("leaf") {
        for size in [16, 50, 200, 1_024, 65_536] {
            results += leafBenchmarks(bodyBytes: size, rounds)
        }
    }
    if wants("store") {
        for count in isSmoke ? [1_000] : [1_000, 10_000, 100_000] {
            results += try storeBenchmarks(rows: count, count > 10_000 ? min(rounds, 5) : rounds)
        }
        results.append(upkeepBenchmark(rounds))
    }
    if wants("reconcile") { results += try reconcileBenchmarks(isSmoke, isLarge, rounds) }
    if wants("cold") {
        results += try coldBenchmarks(rows: isSmoke ? 5_000 : isLarge ? 1_000_000 : 100_000)
    }
    if isLarge, wants("large") {
        results += try largeBenchmarks(rows: isSmoke ? 10_000 : 1_000_000)
    }
    // One benchmark after another, each with its growth over n.
    let order = Dictionary(results.enumerated().map { ($1.name, $0) }, uniquingKeysWith: min)
    results.sort { (order[$0.name] ?? 0, $0.n) < (order[$1.name] ?? 0, $1.n) }
    if let picture, !Plot.write(discoveryPlots(results), to: picture) {
        print("cannot write \(picture)")
        return 1
    }
    isJSON ? printJSON(results) : printTable(results)
    return 0
}

exit(try await run(Array(CommandLine.arguments.dropFirst())))
