import Cenotaph
import CenotaphTesting
import Testing

/// Class D: a delete is a durable, replicated record.
@Suite struct DurableDeleteTests {
    /// A delete that was never sent is there after the process ended, in the file, for every policy.
    @Test(arguments: Mortal.allCases)
    func D1_anUnsentDeleteSurvivesARestartOfTheFile(_ kind: Mortal) throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            3, schema: everyPolicy, random: SeededRandom(for: "D1 \(kind)"),
            makeStore: folder.makeStore)
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 1)
        try fleet.kill(0, kind, "x")
        for _ in 0..<2 { try fleet.crash(0) }
        #expect(try fleet.tombstones(0, kind.namespace) == 1)
        try fleet.sync(1, 2)
        #expect(try fleet.isSeen(2, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// A delete whose commit fails is not claimed, not sent and not half done; the next try is whole.
    @Test(arguments: Mortal.allCases)
    func D2_aDeleteThatTheDiskRefusedIsNoDelete(_ kind: Mortal) throws {
        let store = FaultyStore(MemoryStore())
        let fleet = try SimulatedFleet(
            2, schema: everyPolicy, random: SeededRandom(for: "D2 \(kind)"),
            makeStore: { replica, _ -> any Store in
                if replica == 0 { store } else { MemoryStore() }
            })
        try fleet.create(0, kind, "x")
        try fleet.sync(0, 1)
        try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 5)
        let before = try fleet.replicas[0].summary()
        // Only a burial that erases takes keys out of a group.
        let calls: [FaultyStore.Call] = [.setRow, .setRecord, .commit]
        for call in kind == .event ? calls + [.setMember] : calls {
            store.willCall = { $0 == call ? .full : nil }
            #expect(throws: GateError.store(.full)) { try fleet.kill(0, kind, "x") }
            store.willCall = { _ in nil }
            try fleet.drain()
            #expect(try fleet.replicas[0].summary() == before, "\(call)")
            #expect(try fleet.isSeen(1, kind, "x"), "\(call)")
        }
        store.willCall = { _ in nil }
        try fleet.kill(0, kind, "x")
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// A delete overtakes the write of its row that is still on its way, however late that comes.
    @Test(arguments: Mortal.allCases)
    func D3_aDeleteOvertakesAQueuedWrite(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(3, for: "D3 \(kind)")
        fleet.isRecording = true
        try fleet.connect(0, 1)
        try fleet.runUntilQuiet(within: 3)
        let link = try #require(fleet.links.first)
        link.carries = { _ in false }
        try fleet.create(0, kind, "x")
        let queued = fleet.recorded.filter {
            guard case .syncDelta? = fleet.frame(in: $0.sealed)?.body else { return false }
            return true
        }
        #expect(queued.count == 1)
        link.carries = { _ in true }
        try fleet.kill(0, kind, "x")
        try fleet.drain()
        #expect(try !fleet.isSeen(1, kind, "x"))
        for frame in queued { try fleet.redeliver(frame) }
        #expect(try !fleet.isSeen(1, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
    }

    /// Neither a push that succeeded, nor a scrub, nor a restart takes the record away: a stranger learns of it.
    @Test(arguments: Mortal.allCases)
    func D4_aDeliveredDeleteIsKept(_ kind: Mortal) throws {
        let folder = try StoreFolder()
        let fleet = try SimulatedFleet(
            3, schema: everyPolicy, random: SeededRandom(for: "D4 \(kind)"),
            makeStore: folder.makeStore)
        try fleet.create(0, kind, "x")
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.kill(0, kind, "x")
        try fleet.sync(0, 1)
        for replica in [0, 1] {
            try fleet.replicas[replica].gate.scrub()
            try fleet.crash(replica)
            #expect(try fleet.tombstones(replica, kind.namespace) == 1)
        }
        // The one that told is gone; the one that was told tells the third.
        try fleet.sync(1, 2)
        #expect(try !fleet.isSeen(2, kind, "x"))
        try fleet.expectRest(dead: kind, ["x"])
    }
}
