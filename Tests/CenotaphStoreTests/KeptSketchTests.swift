import Cenotaph
import CenotaphDigest
@testable import CenotaphStore
import CenotaphTesting
import Testing

/// The sketches that a gate keeps are those of its rows, whatever happened to the transactions between.
@Suite struct KeptSketchTests {
    private struct Stop: Error {}

    /// Random transactions, some given up, some failing at the commit, with questions inside them and between.
    @Test(arguments: StoreKind.allCases) func randomTransactions(_ kind: StoreKind) throws {
        try kind.with { store in
            let failing = FaultyStore(store)
            var bench = try GateBench(failing)
            var random = SeededRandom(for: "randomTransactions \(kind)")
            var steps = GateSteps(random: random.fork())
            for number in 0..<150 {
                let fate = random.below(8)
                failing.willCall = { fate == 0 && $0 == .commit ? .full : nil }
                do {
                    try bench.write { transaction in
                        for _ in 0...random.below(4) {
                            _ = try steps.next().apply(to: transaction)
                            guard random.chance(0.3) else { continue }
                            try KeptSketchTests.expectRight(transaction, number, random.seed)
                        }
                        if fate == 1 { throw Stop() }
                    }
                } catch is Stop {
                } catch GateError.store(.full) {}
                failing.willCall = { _ in nil }
                if fate == 2 { bench = try GateBench(failing) }
                guard random.chance(0.5) else { continue }
                if let wrong = try bench.inconsistency() {
                    Issue.record("seed \(random.seed), transaction \(number): \(wrong)")
                    return
                }
            }
        }
    }

    /// Compares every sketch with one made anew, inside a transaction.
    private static func expectRight(
        _ transaction: ReadTransaction, _ number: Int, _ seed: UInt64
    ) throws {
        for namespace in gateSchema.namespaces {
            for set in RowSet.allCases {
                var rows: [(key: Key, leaf: Hash256)] = []
                try transaction.forEachLeaf(namespace.name, set, .all) { key, leaf in
                    rows.append((key, leaf))
                    return true
                }
                let wrong = try transaction.inconsistency(namespace.name, set, rows)
                if let wrong { Issue.record("seed \(seed), transaction \(number): \(wrong)") }
            }
        }
    }

    /// After the first question about a set no scan is made, whoever writes through this gate.
    @Test func oneScanOnly() throws {
        let counting = FaultyStore(MemoryStore())
        let bench = try GateBench(counting)
        try bench.write { tx in
            for number in 0..<500 { try tx.put("notes", Key("\(number)"), [1]) }
        }
        var scans = 0
        counting.willCall = { call in
            if call == .scanLeaves || call == .scanRows { scans += 1 }
            return nil
        }
        func ask(_ size: Int) throws -> Sketch {
            try bench.gate.read { try $0.sketch("notes", .live, size: size) }
        }
        let first = try ask(24)
        #expect(scans == 1)
        try bench.write { try $0.put("notes", "new", [1]) }
        try bench.write { try $0.delete("notes", "7") }
        #expect(try ask(24) != first)
        _ = try ask(1_024)
        try bench.write { tx in
            try tx.put("notes", "newer", [1])
            _ = try tx.sketch("notes", .live, size: 1_024)
        }
        #expect(scans == 1)
        // More cells than are kept, and a set that grew.
        _ = try ask(1_025)
        #expect(scans == 2)
        _ = try ask(2_048)
        #expect(scans == 2)
        _ = try ask(20_000)
        _ = try ask(20_000)
        #expect(scans == 4)
        _ = try ask(2_048)
        #expect(scans == 4)
    }

    @Test func howMuchIsKept() {
        let sizes: [(UInt64, Int)] = [
            (0, 64), (32, 64), (33, 128), (8_191, 16_384), (8_192, 16_384), (1_000_000, 16_384),
            (.max, 16_384),
        ]
        for (count, size) in sizes { #expect(KeptSketches.size(forRows: count) == size) }
    }

    /// A transaction that changes more rows than are noted makes the sketch anew.
    @Test func manyChanges() throws {
        let bench = try GateBench(MemoryStore())
        try bench.write { try $0.put("notes", "first", [1]) }
        #expect(try bench.inconsistency() == nil)
        try bench.write { tx in
            for number in 0..<70_000 { try tx.put("notes", Key("\(number)"), []) }
            #expect(try tx.sketch("notes", .live, size: 64).cells[0].number == UInt8(70_001 % 256))
            try tx.put("notes", "last", [1])
        }
        let (kept, anew) = try bench.gate.read { snapshot in
            var anew = Sketch(size: 16_384)
            let key = try snapshot.key(of: "notes")
            try snapshot.forEachLeaf("notes", .live, .all) { rowKey, leaf in
                anew.add(RowID(place: key.place(of: rowKey), leaf: leaf))
                return true
            }
            return (try snapshot.sketch("notes", .live, size: 16_384), anew)
        }
        #expect(kept == anew)
    }

    /// What another process commits is noticed by the sum.
    @Test func anotherConnection() throws {
        let folder = try TempFolder()
        let (first, second) = (try GateBench(folder.store()), try GateBench(folder.store()))
        var random = SeededRandom(for: "anotherConnection")
        var steps = GateSteps(random: random.fork())
        for number in 0..<80 {
            let bench = random.chance(0.5) ? first : second
            try bench.write { _ = try steps.next().apply(to: $0) }
            guard random.chance(0.5) else { continue }
            let asked = random.chance(0.5) ? first : second
            if let wrong = try asked.inconsistency() {
                Issue.record("seed \(random.seed), transaction \(number): \(wrong)")
                return
            }
        }
        #expect(try first.inconsistency() == nil)
        #expect(try second.inconsistency() == nil)
    }

    /// An event that is erased takes its place along, unless a marker has the same key.
    @Test(arguments: StoreKind.allCases) func placesGoWithTheErased(_ kind: StoreKind) throws {
        try kind.with { store in
            let bench = try GateBench(store)
            try bench.write { tx in
                try tx.append("journal", "g", group: "g", [1])
                try tx.append("journal", "k", group: "g", [1])
                try tx.put("notes", "k", [1])
            }
            let number = try store.read { try StoreDump.number(of: "journal", in: store) }
            let key = try bench.gate.read { try $0.key(of: "journal") }
            func isPlaced(_ rowKey: Key) throws -> Bool {
                try store.read {
                    try store.keys(number, places: [key.place(of: rowKey)])
                        .contains { $0.key == rowKey }
                }
            }
            #expect(try isPlaced("g") && isPlaced("k"))
            try bench.write { try $0.bury("journal", group: "g") }
            #expect(try isPlaced("g"))
            #expect(try !isPlaced("k"))
            try bench.write { try $0.delete("notes", "k") }
            #expect(try bench.inconsistency() == nil)
        }
    }
}
