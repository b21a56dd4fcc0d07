import CSQLite
import CenotaphDigest
import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire

/// Finding what differs between two replicas, against the limits that the design sets.
///
/// Two sessions over two stores of `rows` rows, and for each number of differences as many rows on each side that the
/// other one lacks. The store is made once and copied, since only the differences matter.
func reconcileBenchmarks(rows: Int, differences: [Int], _ rounds: Int) throws -> [Measurement] {
    let folder = try BenchFolder()
    let paths = (folder.freshPath("first"), folder.freshPath("second"))
    try fillPair(paths, rows)
    let (first, second) = (try openGate(paths.0), try openGate(paths.1))
    var results = try rebuildBenchmarks(first, rows, rounds)
    var next = rows
    for count in [0] + differences {
        var costs: [ReconcileLink.Cost] = []
        // Whether few differences fit into the opening is chance, so the middle one of five exchanges counts.
        for trial in 0..<(count <= 100 ? 5 : 1) {
            try insert(next..<(next + count / 2), into: first)
            try insert((next + count / 2)..<(next + count), into: second)
            next += count
            if count > 0, trial == 0 {
                results.append(try discoveryTime(first, second, count, rows, rounds))
            }
            costs.append(try ReconcileLink(first, second).run())
            guard costs[trial].rows >= count else {
                throw StoreError.corrupt("\(rows) rows, d = \(count): \(costs[trial])")
            }
        }
        costs.sort { $0.discovery < $1.discovery }
        results += measurements(of: costs[costs.count / 2], count, rows)
    }
    return results
}

/// All of them: larger stores where they are asked for.
func reconcileBenchmarks(
    _ isSmoke: Bool, _ isLarge: Bool, _ rounds: Int
) throws -> [Measurement] {
    let differences = isSmoke ? [10, 100] : [10, 100, 1_000, 10_000]
    var results = [sketchUpkeepBenchmark(rounds)]
    results += sketchStatistics(differences, isSmoke: isSmoke)
    let sizes = isSmoke ? [1_000] : [1_000, 10_000, 100_000] + (isLarge ? [1_000_000] : [])
    for rows in sizes {
        results += try reconcileBenchmarks(
            rows: rows, differences: differences.filter { $0 <= rows }, rounds)
    }
    return results
}

private func measurements(
    of cost: ReconcileLink.Cost, _ count: Int, _ rows: Int
) -> [Measurement] {
    func result(_ name: String, _ limit: String, _ ours: Int, _ most: Double, _ unit: String)
        -> Measurement
    {
        Measurement(
            name: "\(name), d = \(count)", baseline: limit, n: rows, bytes: 0, ours: Double(ours),
            raw: most, unit: unit)
    }
    if count == 0 {
        let namespaces = 3.0
        return [
            result("summaries a namespace", "64 B", cost.summaries / 3, 64, "B"),
            result(
                "summaries of any number of namespaces, less the frames' headers", "64 B",
                cost.summaries - 2 * Frame.headerSize, 64, "B"),
            result("hello and digests", "64 B a namespace", cost.greeting, 64 * namespaces, "B"),
        ]
    }
    let most = count <= 10 ? 700 : 30 * Double(count)
    return [
        result("discovery", "\(Int(most)) B", cost.discovery, most, "B"),
        result("discovery, sealed", "\(Int(most)) B", cost.sealed, most, "B"),
        result("hello and digests", "none", cost.greeting, 700, "B"),
        result("round trips", "1", cost.roundTrips, 1, "trips"),
    ]
}

/// CPU time of one side, from the peer's cells to the keys of the rows to send, in order, and the ids to ask for.
private func discoveryTime(
    _ gate: Gate, _ peer: Gate, _ count: Int, _ rows: Int, _ rounds: Int
) throws -> Measurement {
    // The first look-up after a load sorts the load's places in; that is part of the load.
    _ = try gate.write { try $0.keys("notes", .live, places: []) }
    var size = count <= 10 ? 24 : 48 + 3 * count / 2
    var found = 0
    var time = 0.0
    while found == 0 {
        let theirs = try peer.read { try $0.sketch("notes", .live, size: size) }
        time = try cpuTime(rounds: rounds, repetitions: 1) {
            found = try gate.read { snapshot in
                let own = try snapshot.sketch("notes", .live, size: size)
                guard
                    let difference = SketchDifference(own.cells[...], theirs.cells[...], excess: 0)
                else { return 0 }
                let wanted = difference.onlyB.map(\.prefix)
                let places = difference.onlyA.map(\.place)
                return try snapshot.keys("notes", .live, places: places).count + wanted.count
            }
        }
        // Whether few differences fit into few cells is chance.
        size *= 2
    }
    let limits = [10: 0.1e6, 100: 0.3e6, 1_000: 2e6, 10_000: 20e6]
    return Measurement(
        name: "CPU of discovery, d = \(count)", baseline: "a limit", n: rows, bytes: 0,
        ours: time, raw: limits[count] ?? 0)
}

/// Counting leaves and cells anew, from the store.
private func rebuildBenchmarks(
    _ gate: Gate, _ rows: Int, _ rounds: Int
) throws -> [Measurement] {
    let time = try cpuTime(rounds: max(1, rounds / 5), repetitions: 1) {
        try gate.read { snapshot in
            let key = try snapshot.key(of: "notes")
            var (sum, sketch) = (SetSum(), Sketch(size: 16_384))
            try snapshot.forEachLeaf("notes", .live, .all) { rowKey, leaf in
                sum.add(leaf)
                sketch.add(RowID(place: key.place(of: rowKey), leaf: leaf))
                return true
            }
            keep((sum, sketch))
        }
    }
    _ = try gate.read { try $0.sketch("notes", .live, size: 24) }
    return [
        Measurement(
            name: "rebuild of digest and sketch", baseline: "0.8 s for 1,000,000", n: rows,
            bytes: 0, ours: time, raw: 800 * Double(rows)),
        Measurement(
            name: "memory of a kept sketch", baseline: "1 MB a set", n: rows, bytes: 0,
            ours: Double(gate.sketchBytes), raw: 1_000_000, unit: "B"),
    ]
}

/// What leaf, place, sums and kept sketch add to one edit, without the store.
func sketchUpkeepBenchmark(_ rounds: Int) -> Measurement {
    let key = Samples.fleetKeys().namespaceKey("notes")
    let rowKey = Samples.key(7)
    let contents = (1...2).map { edition in
        Row.causal(Samples.row(7, bodyBytes: storeBodyBytes, edition: edition)).encoded()
    }
    var sketch = Sketch(size: 16_384)
    var sum = SetSum()
    var held = key.leaf(.causal, content: contents[0])
    sum.add(held)
    var edition = 0
    let time = cpuTime(rounds: rounds, repetitions: 10_000) {
        edition ^= 1
        let leaf = key.leaf(.causal, content: contents[edition])
        let place = key.place(of: rowKey)
        sum.remove(held)
        sum.add(leaf)
        sketch.remove(RowID(place: place, leaf: held))
        sketch.add(RowID(place: place, leaf: leaf))
        held = leaf
    }
    keep((sum, sketch))
    return Measurement(
        name: "upkeep of an edit, with its sketch", baseline: "1 microsecond", n: storeBodyBytes,
        bytes: contents[0].count, ours: time, raw: 1_000)
}

/// Shares of round trips, over many seeds.
func sketchStatistics(_ differences: [Int], isSmoke: Bool) -> [Measurement] {
    differences.flatMap { count in
        let seeds = isSmoke ? 3 : max(50, min(2_000, 200_000 / count))
        let statistics = SketchStatistics(differences: count, seeds: seeds)
        func result(_ name: String, _ limit: String, _ ours: Double, _ least: Double)
            -> Measurement
        {
            Measurement(
                name: name, baseline: limit, n: count, bytes: 0, ours: ours, raw: least,
                unit: "%")
        }
        return [
            result(
                "differences told in one round trip", "99 % at 10, else 90 %",
                100 * statistics.share(within: 1), count <= 10 ? 99 : 90),
            result(
                "differences told in two round trips", "all", 100 * statistics.share(within: 2),
                100),
            Measurement(
                name: "bytes of cells a difference", baseline: "30 B", n: count, bytes: 0,
                ours: statistics.bytesEach, raw: 30, unit: "B"),
        ]
    }
}

// MARK: Two stores

private let insertBatch = 10_000

/// A store of so many rows of "notes", and a copy of it that is another replica.
private func fillPair(_ paths: (String, String), _ rows: Int) throws {
    try insert(0..<rows, into: openGate(paths.0))
    try copyStore(paths.0, paths.1)
}

/// Inserts small rows; those of neighbouring numbers lie far apart.
private func insert(_ numbers: Range<Int>, into gate: Gate) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: insertBatch) {
        let rows = (start..<min(start + insertBatch, numbers.upperBound)).map {
            Row.causal(Samples.row($0, bodyBytes: 40))
        }
        _ = try gate.write { try $0.merge("notes", rows) }
    }
}

/// Copies a store that nobody has open, and gives the copy another replica id.
private func copyStore(_ from: String, _ to: String) throws {
    for (path, sql) in [
        (from, "VACUUM INTO '\(to)'"),
        (to, "UPDATE record SET value=randomblob(16) WHERE name='replica'"),
    ] {
        var opened: OpaquePointer?
        guard unsafe sqlite3_open(path, &opened) == SQLITE_OK else { throw StoreError.notFound }
        defer { unsafe sqlite3_close(opened) }
        guard unsafe sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK else {
            throw StoreError.corrupt("the copy of a store")
        }
    }
}
