import Cenotaph
import CenotaphSession
import CenotaphStore
import CenotaphWire

/// The cold start of a replica: an empty store takes in all rows of a full one.
///
/// Two sessions in one process, over sealed frames; every transaction of the receiving side is followed by one of as
/// many rows on a raw table, so that a change of the machine's speed meets both.
func coldBenchmarks(rows: Int) throws -> [Measurement] {
    let folder = try BenchFolder()
    let full = try openGate(folder.freshPath("full"))
    for start in stride(from: 0, to: rows, by: 10_000) {
        let batch = start..<min(start + 10_000, rows)
        try apply(batch.map { .causal(Samples.row($0, bodyBytes: 200)) }, through: full)
    }
    let empty = try openGate(folder.freshPath("empty"))
    let link = ColdLink(full, empty, try RawTable(folder.freshPath("raw")))
    try link.run()
    let cost = link.cost
    guard cost.rows == rows,
        try empty.read({ try $0.sum("notes", .live, .all) })
            == full.read({ try $0.sum("notes", .live, .all) })
    else { throw StoreError.corrupt("\(cost.rows) rows of \(rows) came") }
    func result(
        _ name: String, _ baseline: String, _ ours: Double, _ raw: Double, _ unit: String = "ns"
    ) -> Measurement {
        Measurement(
            name: "cold start, \(name)", baseline: baseline, n: rows, bytes: 0, ours: ours,
            raw: raw,
            unit: unit)
    }
    let each = Double(rows)
    let load = "a raw load: one table, same rows a transaction, same pragmas, cache and checkpoints"
    return [
        result(
            "bytes sealed", "1.02 x the rows' contents", Double(cost.sealed),
            1.02 * Double(cost.contents), "B"),
        result("receiving a row", load, cost.cpu.receiving / each, cost.cpu.raw / each),
        result("sending a row", load, cost.cpu.sending / each, cost.cpu.raw / each),
        result("both sides, wall time of a row", load, cost.wall.ours / each, cost.wall.raw / each),
        result(
            "round trips", "one for 2 MiB", Double(cost.roundTrips),
            Double(cost.contents) / Double(Session.answerBudget), "trips"),
        result(
            "rows a transaction", "as many", each / Double(cost.transactions),
            each / Double(cost.transactions), "rows"),
    ]
}

/// A full and an empty replica, and a raw table that gets what the empty one gets.
private final class ColdLink {
    /// What it took.
    struct Cost {
        /// Bytes of all sealed frames, both ways.
        var sealed = 0
        /// Bytes of the canonical contents of all rows.
        var contents = 0
        var rows = 0
        var transactions = 0
        var roundTrips = 0
        var cpu = (receiving: 0.0, sending: 0.0, raw: 0.0)
        var wall = (ours: 0.0, raw: 0.0)
    }

    /// Sealed frames that one read from a socket brings, and that go into one transaction: 256 KiB.
    private static let framesAtOnce = 4

    private let gates: [Gate]
    private var sessions: [Session]
    private let table: RawTable
    /// Sealed frames on their way to each side.
    private var flying: [[[UInt8]]] = [[], []]
    private(set) var cost = Cost()

    init(_ full: Gate, _ empty: Gate, _ table: RawTable) {
        gates = [full, empty]
        self.table = table
        sessions = gates.map { gate in
            Session(
                SessionIdentity(
                    replica: gate.replica, incarnation: gate.incarnation,
                    schema: gate.schemaFingerprint))
        }
    }

    /// Greets, and goes on until nothing is left to say.
    func run() throws {
        for side in 0...1 {
            let challenge = ID16(high: 1, low: UInt64(side))
            send(try seal(sessions[side].start(challenge: challenge, epoch: .zero)), to: 1 - side)
        }
        while true {
            for side in 0...1 where !flying[side].isEmpty {
                let frames = flying[side]
                flying[side] = []
                for start in stride(from: 0, to: frames.count, by: ColdLink.framesAtOnce) {
                    try take(
                        Array(frames[start..<min(start + ColdLink.framesAtOnce, frames.count)]),
                        at: side)
                }
            }
            guard flying.contains(where: { !$0.isEmpty }) else { return }
        }
    }

    /// One transaction of a side: opens, decodes, takes, commits, and seals what is to be sent.
    private func take(_ frames: [[UInt8]], at side: Int) throws {
        let (cpu, wall) = (cpuTime(), wallTime())
        let answers = try gates[side].write { tx in
            var answers: [Frame] = []
            for frame in frames {
                answers += try sessions[side].receive(
                    sealed: frame, with: gates[side].keys, GateSnapshot(transaction: tx))
            }
            return answers
        }.result
        let sealed = try seal(answers)
        cost.wall.ours += wallTime() - wall
        if side == 1 {
            cost.cpu.receiving += cpuTime() - cpu
        } else {
            cost.cpu.sending += cpuTime() - cpu
        }
        send(sealed, to: 1 - side)
        if side == 1 {
            cost.roundTrips += answers.count { $0.body.isQuestion }
            try load(frames)
        }
    }

    private func seal(_ frames: [Frame]) throws -> [[UInt8]] {
        try frames.map { try Envelope.seal($0, with: gates[0].keys) }
    }

    private func send(_ frames: [[UInt8]], to side: Int) {
        cost.sealed += frames.reduce(0) { $0 + $1.count }
        flying[side] += frames
    }

    /// Writes the rows of some frames to the raw table.
    private func load(_ frames: [[UInt8]]) throws {
        var entries: [RawTable.Entry] = []
        for frame in frames {
            let frame = try Frame.decode(try Envelope.open(frame, with: gates[0].keys))
            guard case .reconcileResponse(let delta)? = frame?.body else { continue }
            entries += delta.rows.map(RawTable.Entry.init)
        }
        guard !entries.isEmpty else { return }
        cost.transactions += 1
        cost.rows += entries.count
        cost.contents += entries.reduce(0) { $0 + $1.content.count }
        let (cpu, wall) = (cpuTime(), wallTime())
        table.write(entries[...], areNew: true)
        cost.cpu.raw += cpuTime() - cpu
        cost.wall.raw += wallTime() - wall
    }
}
