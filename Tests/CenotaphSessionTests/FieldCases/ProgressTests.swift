import Cenotaph
import CenotaphTesting
import Testing

/// Class B: progress moves only past what is safely applied.
@Suite struct ProgressTests {
    /// B90 for every other policy: made and deleted in one batch, with a row that the receiver had before.
    @Test(arguments: Mortal.allCases) func b90_madeAndDeletedInOneBatch(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "B90 \(kind)")
        try fleet.connect(0, 1)
        try fleet.create(0, kind, "x")
        try fleet.runUntilQuiet(within: 5)
        try fleet.write(0) { tx in
            try kind.kill("x", tx)
            try kind.create("y", tx)
            try kind.kill("y", tx)
            try kind.create("z", tx)
        }
        // What was pushed is enough.
        try fleet.drain()
        #expect(try fleet.isConverged())
        try fleet.expectRest(dead: kind, ["x", "y"])
        for replica in 0...1 {
            #expect(try fleet.isSeen(replica, kind, "z"))
            #expect(try fleet.tombstones(replica, kind.namespace) == 2)
        }
    }

    /// A fleet of two that differs in live rows and deletes, in every policy.
    private func differing(_ test: String, over store: (any Store)? = nil) throws -> SimulatedFleet
    {
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: test),
            makeStore: { replica, old in
                if let old { return old }
                if replica == 1, let store { return store }
                return MemoryStore()
            })
        for kind in Mortal.allCases {
            for number in 0..<6 { try fleet.create(0, kind, "\(number)") }
        }
        try fleet.sync(0, 1)
        for kind in Mortal.allCases {
            for number in 0..<3 { try fleet.kill(0, kind, "\(number)") }
            for number in 6..<9 { try fleet.create(0, kind, "\(number)") }
            try fleet.kill(1, kind, "5")
        }
        return fleet
    }

    private func expectEnd(_ fleet: SimulatedFleet) throws {
        try fleet.expectRest()
        for kind in Mortal.allCases {
            for number in 0..<9 {
                let isDead = number < 3 || number == 5
                for replica in 0...1 {
                    #expect(try fleet.isSeen(replica, kind, "\(number)") != isDead)
                }
            }
        }
    }

    /// The link is cut after each frame in turn; whatever was applied until then, the next link goes on to the same end.
    @Test func B1_aCutAnywhereIsResumed() throws {
        for cut in 0..<40 {
            let fleet = try differing("B1 cut after \(cut)")
            let link = try fleet.connect(0, 1)
            for _ in 0..<cut where try fleet.step() {}
            fleet.cut(link)
            for replica in 0...1 { try fleet.crash(replica) }
            try expectEnd(fleet)
        }
    }

    /// The receiver's disk refuses one commit while frames are applied; nothing is half there, and nothing is skipped later.
    @Test func B2_aRefusedCommitIsMadeUpFor() throws {
        for refused in 1..<12 {
            let store = FaultyStore(MemoryStore())
            let fleet = try differing("B2 commit \(refused)", over: store)
            let link = try fleet.connect(0, 1)
            var commits = 0
            store.willCall = { call in
                guard call == .commit else { return nil }
                commits += 1
                return commits == refused ? .full : nil
            }
            while link.inFlight > 0 {
                let before = try fleet.read(1) { $0.summary }
                let count = commits
                do {
                    try fleet.drain()
                } catch GateError.store(.full) {
                    if commits == count + 1 { #expect(try fleet.read(1) { $0.summary } == before) }
                }
            }
            store.willCall = { _ in nil }
            try expectEnd(fleet)
        }
    }

    /// Frames arrive in any order, twice, and only half of them at first.
    @Test(arguments: 0..<8) func B3_partsInAnyOrderAndTwice(_ run: Int) throws {
        let fleet = try differing("B3 \(run)")
        let faults = LinkFaults(drop: 0.3, duplicate: 0.4, reorder: 0.8, delay: 0.2, cut: 0.02)
        try fleet.connect(0, 1, faults: faults)
        for _ in 0..<6 { try fleet.round() }
        fleet.setFaults(.none)
        try expectEnd(fleet)
    }

    /// A large answer that stops at its budget goes on where it stopped, with the deletes that follow.
    @Test func B4_anAnswerThatStopsGoesOn() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "B4")
        let body = [UInt8](repeating: 1, count: 900_000)
        // More than one answer may carry (`Limits.maxAnswer`).
        for number in 0..<12 {
            try fleet.write(0) { tx in
                try tx.put("notes", try Key("big \(number)"), body)
                try tx.put("notes", try Key("gone \(number)"), [1])
                try tx.delete("notes", try Key("gone \(number)"))
            }
            try fleet.put(1, "notes", try Key("gone \(number)"), "written there")
        }
        try fleet.expectRest()
        #expect(try fleet.read(1) { try $0.list("notes") }.count == 24)
        #expect(try fleet.seen(0, "notes", "gone 7") == ["written there"])
    }
}
