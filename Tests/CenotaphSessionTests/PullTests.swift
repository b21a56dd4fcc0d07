import Cenotaph
import CenotaphTesting
import Testing

/// Pulling: what differs travels, whatever the sizes, and what is lost is found again.
@Suite struct PullTests {
    /// Two replicas that hold the same `count` rows in `notes`, not joined yet.
    private func twins(_ count: Int, for test: String) throws -> SimulatedFleet {
        let fleet = try SimulatedFleet(2, for: test)
        let committed = try fleet.replicas[0].gate.write { transaction in
            for number in 0..<count { try transaction.put("notes", key(number), body(number)) }
        }
        _ = try fleet.replicas[1].gate.write { transaction in
            for row in committed.localRows { _ = try transaction.merge("notes", row.row) }
        }
        return fleet
    }

    private func key(_ number: Int) throws -> Key {
        try Key([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func body(_ number: Int) -> [UInt8] { Array("body \(number)".utf8) }

    private static let cases: [(count: Int, differences: Int)] = [
        (0, 0), (0, 1), (0, 17), (0, 1_000), (1, 0), (1, 1), (16, 1), (16, 16), (17, 1), (17, 17),
        (1_000, 0), (1_000, 1), (1_000, 30), (1_000, 1_000),
    ]

    @Test(arguments: cases, [true, false])
    func sizes(_ size: (count: Int, differences: Int), _ sketches: Bool) throws {
        try run(size.count, size.differences, sketches)
    }

    #if !DEBUG
        @Test(arguments: [(20_000, 1), (20_000, 50), (20_000, 20_000)])
        func largeSizes(_ count: Int, _ differences: Int) throws {
            for sketches in [true, false] { try run(count, differences, sketches) }
        }
    #endif

    private func run(_ count: Int, _ differences: Int, _ sketches: Bool) throws {
        let fleet = try twins(count, for: "sizes \(count) \(differences)")
        fleet.takesSketches = { _ in sketches }
        // Each side edits, deletes and adds rows of its own; some keys are met from both sides.
        for side in 0...1 {
            try fleet.write(side) { transaction in
                for step in 0..<differences {
                    let number = step * max(count / max(differences, 1), 1) + side
                    let key = try key(number)
                    if step % 3 == 0 {
                        try transaction.delete("notes", key)
                    } else if try transaction.get("notes", key) != nil || step % 3 == 1 {
                        try transaction.revive("notes", key, [UInt8(side)])
                    }
                }
            }
        }
        let link = try fleet.connect(0, 1)
        let rounds = try fleet.runUntilQuiet(within: 4)
        #expect(rounds <= 2)
        try fleet.expectEqual()
        // A row that both wrote travels both ways, and once more where both sides pulled it crosswise.
        #expect(fleet.traffic.rows <= 4 * differences)
        #expect(sketches || fleet.traffic.frames[.sketchRequest] == nil)
        for side in 0...1 {
            let counts = try #require(link.counts(of: side))
            #expect(counts.requests <= 12 + 3 * differences)
        }
        try fleet.expectSilence()
    }

    /// One row among a thousand costs a few requests, and travels once.
    @Test func oneDifference() throws {
        let fleet = try twins(1_000, for: "oneDifference")
        try fleet.put(0, "\u{3}new", "new")
        let link = try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 2)
        #expect(fleet.traffic.rows == 1)
        let counts = try #require(link.counts(of: 1))
        #expect(counts.rowsReceived == 1)
        #expect(counts.requests <= 4)
        try fleet.expectEqual()
    }

    @Test(arguments: [0, 1, 1_000]) func equalStatesSendNoRows(_ count: Int) throws {
        let fleet = try twins(count, for: "equalStates \(count)")
        let link = try fleet.connect(0, 1)
        try fleet.drain()
        #expect(link.isAgreed)
        #expect(fleet.traffic.rows == 0)
        #expect(fleet.traffic.frames[.reconcileRequest] == nil)
        try fleet.runUntilQuiet(within: 2)
        try fleet.expectSilence()
    }

    /// Answers above the budget stop early and are asked on; single rows near a frame's size go alone.
    @Test(arguments: [(3, 983_040), (5, 960_000), (60, 70_000), (300, 20_000)])
    func severalParts(_ count: Int, _ size: Int) throws {
        let fleet = try SimulatedFleet(2, for: "severalParts \(count) \(size)")
        try fleet.write(0) { transaction in
            for number in 0..<count {
                let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                try transaction.put("notes", key(number), body)
                try transaction.append("journal", key(number), group: "g", body)
            }
        }
        try fleet.connect(0, 1)
        #expect(try fleet.runUntilQuiet(within: 2) <= 1)
        try fleet.expectEqual()
        #expect(fleet.traffic.rows == 2 * count)
    }

    /// Conflicts that do not fit a frame travel in pieces, and meet in one row.
    @Test func largeConflicts() throws {
        let fleet = try SimulatedFleet(4, for: "largeConflicts")
        for replica in fleet.replicas.indices {
            try fleet.write(replica) { transaction in
                let body = [UInt8](repeating: UInt8(replica), count: 700_000)
                try transaction.put("notes", "conflict", body)
                if replica == 2 { try transaction.delete("notes", "conflict") }
                try transaction.put("notes", try Key([UInt8(replica)]), [1])
            }
        }
        try fleet.connectAll()
        try fleet.runUntilQuiet(within: 6)
        #expect(try fleet.isConverged())
        #expect(try fleet.read(0) { try $0.get("notes", "conflict") }?.values.count == 3)
        try fleet.write(3) { try $0.delete("notes", "conflict") }
        try fleet.runUntilQuiet(within: 6)
        try fleet.expectEqual()
        #expect(try fleet.read(0) { try $0.get("notes", "conflict") } == nil)
    }

    /// Whichever frame is lost, two rounds more heal it.
    @Test func anyLostFrameIsHealed() throws {
        var lost = 0
        while true {
            let fleet = try twins(100, for: "lost frame \(lost)")
            for side in 0...1 {
                try fleet.write(side) { transaction in
                    for number in 0..<20 {
                        let body = [UInt8](repeating: UInt8(side), count: 8_000)
                        try transaction.put("notes", key(7 * number + side), body)
                        try transaction.append("journal", key(number), group: "g", body)
                    }
                    try transaction.bury("journal", group: "h")
                }
            }
            let link = try fleet.connect(0, 1)
            fleet.cut(link)
            var sent = 0
            link.carries = { _ in
                defer { sent += 1 }
                return sent != lost
            }
            try fleet.open(link)
            let rounds = try fleet.runUntilQuiet(within: 6)
            guard try fleet.isConverged(), rounds <= 3 else {
                Issue.record("frame \(lost): \(rounds) rounds")
                return
            }
            guard sent > lost else { break }
            lost += 1
        }
        #expect(lost > 15)
    }

    /// Frames that come twice and in any order change nothing more.
    @Test func repeatedParts() throws {
        let fleet = try twins(500, for: "repeatedParts")
        for side in 0...1 {
            try fleet.write(side) { transaction in
                for number in 0..<60 {
                    let body = [UInt8](repeating: UInt8(side), count: 5_000)
                    try transaction.put("notes", key(8 * number + side), body)
                }
            }
        }
        try fleet.connect(0, 1, faults: LinkFaults(duplicate: 0.5, reorder: 1))
        #expect(try fleet.runUntilQuiet(within: 4) <= 3)
        try fleet.expectEqual()
        fleet.setFaults(.none)
        // A frame that overtook its hello was refused, so one hello may still be owed.
        try fleet.round()
        try fleet.expectSilence()
    }
}
