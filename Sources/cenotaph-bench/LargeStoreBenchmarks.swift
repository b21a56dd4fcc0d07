import CenotaphMerge
import CenotaphStore
import CenotaphWire
import Glibc

/// Opening a store of a causal namespace and a log of `rows` rows each, and explaining its keys, against limits.
///
/// One row in ten is dead or buried. Wall time, since the disk counts here.
func largeBenchmarks(rows: Int) throws -> [Measurement] {
    let folder = try BenchFolder()
    let path = folder.freshPath("large")
    try fill(path, rows)
    let opened = try openInChild(path)
    let limits: [(String, String, Double, Double, String)] = [
        ("open, in a fresh process", "half a second", opened.nanoseconds, 0.5e9, "ns"),
        ("memory growth of open", "64 MiB", opened.bytes, Double(64 << 20), "B"),
        (
            "explain a causal key, worst of 2,000", "50 ms",
            try worstExplain(path, "notes", rows, LargeKey.row), 50e6, "ns"
        ),
        (
            "explain a log's key, worst of 2,000", "50 ms",
            try worstExplain(path, "history", rows, LargeKey.row), 50e6, "ns"
        ),
        (
            "explain a log's group, worst of 2,000", "50 ms",
            try worstExplain(path, "history", rows / eventsOfGroup, LargeKey.group), 50e6, "ns"
        ),
    ]
    return limits.map { name, limit, ours, most, unit in
        Measurement(
            name: name, baseline: limit, n: rows, bytes: 0, ours: ours, raw: most, unit: unit)
    }
}

private let eventsOfGroup = 100

/// Keys in ascending order, so that a large store is made in a minute.
private enum LargeKey {
    static func row(_ index: Int) -> Key { key(1, index) }
    static func group(_ index: Int) -> Key { key(2, index) }

    private static func key(_ kind: UInt64, _ index: Int) -> Key {
        let bytes = WireWriter.filled(16) { writer in
            writer.u64(kind)
            writer.u64(UInt64(index))
        }
        guard let key = try? Key(bytes) else { preconditionFailure("a key has 16 bytes") }
        return key
    }
}

private func fill(_ path: String, _ rows: Int) throws {
    let gate = try openGate(path)
    let body = Samples.bytes(50)
    func apply(_ name: NamespaceName, _ count: Int, _ row: (Int) -> Row) throws {
        for start in stride(from: 0, to: count, by: 10_000) {
            _ = try gate.write { tx in
                try tx.merge(name, (start..<min(start + 10_000, count)).map(row))
            }
        }
    }
    try apply("notes", rows) { index in
        let entry = CausalRow.Entry(
            replica: Samples.replica, time: UInt64(index + 1), value: index % 10 == 0 ? nil : body)
        return .causal(CausalRow(key: LargeKey.row(index), entry: entry))
    }
    try apply("history", rows) { index in
        let stamp = Stamp(time: UInt64(index + 1), replica: Samples.replica)
        let group = LargeKey.group(index / eventsOfGroup)
        return .logEvents(
            LogRow(
                key: LargeKey.row(index), event: LogEvent(stamp: stamp, group: group, body: body)))
    }
    try apply("history", rows / eventsOfGroup / 10) { index in
        let stamp = Stamp(time: UInt64(rows + index + 1), replica: Samples.replica)
        return .logMarker(LogMarker(group: LargeKey.group(index * 10), stamp: stamp))
    }
}

extension CausalRow {
    fileprivate init(key: Key, entry: Entry) {
        guard let row = CausalRow(key: key, entries: [entry]) else {
            preconditionFailure("one entry makes a row")
        }
        self = row
    }
}

/// The longest time that explaining one of 2,000 keys took, in a store just opened.
private func worstExplain(
    _ path: String, _ name: NamespaceName, _ count: Int, _ key: (Int) -> Key
) throws -> Double {
    let gate = try openGate(path)
    var worst = 0.0
    for index in stride(from: 0, to: count, by: max(1, count / 2_000)) {
        let start = wallTime()
        let explanation = try gate.read { try $0.explain(name, key(index), milliseconds: 1) }
        worst = max(worst, wallTime() - start)
        keep(explanation)
    }
    return worst
}

// MARK: A fresh process

/// Opens a store in a child, which says what it took.
private func openInChild(_ path: String) throws -> (nanoseconds: Double, bytes: Double) {
    var program = [CChar](repeating: 0, count: 4_096)
    let length = unsafe readlink("/proc/self/exe", &program, program.count - 1)
    guard length > 0 else { throw StoreError.notFound }
    let name = String(decoding: program[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let pipe = unsafe popen("'\(name)' --open '\(path)'", "r") else {
        throw StoreError.notFound
    }
    defer { unsafe _ = pclose(pipe) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, 256, pipe) != nil else { throw StoreError.notFound }
    let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2 else { throw StoreError.notFound }
    return (numbers[0], numbers[1])
}

/// What the child does: opens the store and prints nanoseconds and bytes.
func openAndReport(_ path: String) throws {
    let before = peakMemory()
    let start = wallTime()
    let gate = try openGate(path)
    let time = wallTime() - start
    keep(gate)
    print(time, peakMemory() - before)
}
