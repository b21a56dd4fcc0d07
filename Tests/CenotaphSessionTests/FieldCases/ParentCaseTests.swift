import Cenotaph
import CenotaphTesting
import Testing

/// Class P: parents, children and moves are plain rows with plain tombstones.
@Suite struct ParentCaseTests {
    private static let schema = Schema {
        Namespace("projects", .causal)
        Namespace("tasks", .causal, childrenOf: "projects")
        Namespace("steps", .lastWriter, childrenOf: "tasks")
    }

    private func fleet(
        _ count: Int, _ test: String, _ makeStore: @escaping SimulatedFleet.StoreMaker
    ) throws -> SimulatedFleet {
        let fleet = try SimulatedFleet(
            count, schema: ParentCaseTests.schema, random: SeededRandom(for: test),
            makeStore: makeStore)
        try fleet.put(0, "projects", "p", "project")
        try fleet.put(0, "projects", "q", "another")
        for number in UInt8(1)...5 { try fleet.put(0, "tasks", try task(number), "task") }
        try fleet.put(0, "steps", try step(), "step")
        return fleet
    }

    private func fleet(_ count: Int, _ test: String) throws -> SimulatedFleet {
        try fleet(count, test) { _, old in old ?? MemoryStore() }
    }

    private func task(_ number: UInt8, of project: Key = "p") throws -> Key {
        try Key(child: [number], of: project)
    }

    private func step(_ number: UInt8 = 1) throws -> Key { try Key(child: [number], of: task(1)) }

    private func expectGone(_ fleet: SimulatedFleet) throws {
        fleet.cutAll()
        try fleet.connectAll()
        try fleet.runUntilQuiet(within: 8)
        #expect(try fleet.isConverged())
        for replica in fleet.replicas.indices {
            #expect(try fleet.read(replica) { try $0.list("projects") }.map(\.key) == ["q"])
            #expect(try fleet.read(replica) { try $0.list("tasks") }.isEmpty)
            #expect(try fleet.read(replica) { try $0.list("steps") }.isEmpty)
            let stones = try ["projects", "tasks", "steps"].map { (name: NamespaceName) in
                try fleet.tombstones(replica, name)
            }
            #expect(stones == [1, 5, 1])
        }
        try fleet.expectSilence()
    }

    /// B100: a parent, its children and a grandchild die with tombstones of their own, on all, newcomers too.
    @Test func b100_aCascadeIsPublished() throws {
        let fleet = try fleet(3, "B100")
        let hub = 2
        try fleet.sync(0, hub)
        try fleet.sync(1, hub)
        try fleet.delete(0, "projects", "p")
        for replica in [0, 1] { try fleet.sync(replica, hub) }
        let new = try fleet.addReplica()
        try fleet.sync(hub, new)
        #expect(try fleet.isConverged())
        try expectGone(fleet)
    }

    /// A cascade that the disk refuses at any of its writes did nothing at all.
    @Test func P1_aCascadeIsWholeOrNothing() throws {
        let store = FaultyStore(MemoryStore())
        let fleet = try fleet(2, "P1") { replica, _ in
            if replica == 0 { return store }
            return MemoryStore()
        }
        try fleet.sync(0, 1)
        let before = try fleet.replicas[0].summary()
        var refused = 1
        while refused < 1_000 {
            var writes = 0
            store.willCall = { call in
                guard call.isWrite || call == .commit else { return nil }
                writes += 1
                return writes == refused ? .full : nil
            }
            do {
                try fleet.delete(0, "projects", "p")
                break
            } catch GateError.store(.full) {
                store.willCall = { _ in nil }
                #expect(try fleet.replicas[0].summary() == before)
            }
            refused += 1
        }
        store.willCall = { _ in nil }
        #expect(refused > 7, "each of seven rows is a write")
        try expectGone(fleet)
    }

    /// Half of a cascade's frames arrive, in the wrong order: nobody repairs anything, and the rest comes by digests.
    @Test(arguments: 0..<4) func P2_halfACascadeIsNoReasonToRepair(_ lost: Int) throws {
        let fleet = try fleet(2, "P2 \(lost)")
        let link = try fleet.connect(0, 1, faults: LinkFaults(reorder: 1))
        try fleet.runUntilQuiet(within: 8)
        var sent = 0
        link.carries = { frame in
            guard case .syncDelta? = fleet.frame(in: frame.sealed)?.body else { return true }
            defer { sent += 1 }
            return sent % 3 != lost
        }
        let written = try fleet.replicas[1].summary()
        try fleet.delete(0, "projects", "p")
        #expect(try fleet.replicas[1].summary() == written)
        try fleet.drain()
        #expect(sent == 3, "a frame for each namespace")
        try expectGone(fleet)
    }

    /// Two devices delete one parent at once, one of them with a child that the other never saw.
    @Test func P3_twoCascadesJoin() throws {
        let fleet = try fleet(3, "P3")
        for other in [1, 2] { try fleet.sync(0, other) }
        try fleet.put(1, "tasks", task(6), "seen by one")
        try fleet.delete(0, "projects", "p")
        try fleet.delete(1, "projects", "p")
        try fleet.sync(0, 2)
        try fleet.sync(1, 2)
        fleet.cutAll()
        try fleet.connectAll()
        try fleet.runUntilQuiet(within: 8)
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.list("tasks") }.isEmpty)
            #expect(try fleet.tombstones(replica, "tasks") == 6)
        }
    }

    /// A child written elsewhere while its parent died: one answer on all, in each order; it can be deleted, not edited, and
    /// never brings the parent back.
    @Test(arguments: [true, false]) func P4_anOrphanHasOneAnswer(_ deleteFirst: Bool) throws {
        let fleet = try fleet(3, "P4")
        let hub = 2
        try fleet.sync(0, hub)
        try fleet.sync(1, hub)
        try fleet.delete(0, "projects", "p")
        try fleet.put(1, "tasks", task(6), "late")
        for replica in deleteFirst ? [0, 1, 0] : [1, 0, 1] { try fleet.sync(replica, hub) }
        #expect(try fleet.isConverged())
        let late = try task(6)
        for replica in 0..<3 {
            #expect(try fleet.seen(replica, "projects", "p") == [])
            #expect(try fleet.read(replica) { try $0.orphans("tasks") } == [late])
            #expect(throws: GateError.refused(.parentDeleted("p"))) {
                try fleet.put(replica, "tasks", late, "edited")
            }
        }
        try fleet.delete(2, "tasks", late)
        for replica in 0...1 { try fleet.sync(replica, hub) }
        for replica in 0..<3 { #expect(try fleet.read(replica) { try $0.list("tasks") }.isEmpty) }
    }

    /// A parent that is brought back brings none of its children with it; each is a write of its own.
    @Test func P5_aRevivedParentIsAlone() throws {
        let fleet = try fleet(2, "P5")
        try fleet.sync(0, 1)
        try fleet.delete(0, "projects", "p")
        try fleet.sync(0, 1)
        try fleet.revive(1, "projects", "p", "again")
        try fleet.sync(0, 1)
        for replica in 0...1 {
            #expect(try fleet.seen(replica, "projects", "p") == ["again"])
            #expect(try fleet.read(replica) { try $0.list("tasks") }.isEmpty)
        }
        #expect(throws: GateError.refused(.rowDeleted(try task(1)))) {
            try fleet.put(0, "tasks", task(1), "again")
        }
        try fleet.revive(0, "tasks", task(1), "again")
        try fleet.sync(0, 1)
        #expect(try fleet.seen(1, "tasks", task(1)) == ["again"])
        #expect(try fleet.isConverged())
    }

    /// A task that moves to another project is a delete and a new row; the old project's end does not follow it.
    @Test func P6_aMovedChildIsARowOfItsNewParent() throws {
        let fleet = try fleet(2, "P6")
        try fleet.sync(0, 1)
        let moved = try task(1, of: "q")
        try fleet.write(0) { tx in
            try tx.delete("tasks", task(1))
            try tx.put("tasks", moved, [1])
        }
        try fleet.delete(1, "projects", "p")
        try fleet.sync(0, 1)
        for replica in 0...1 {
            #expect(try fleet.read(replica) { try $0.list("tasks") }.map(\.key) == [moved])
            #expect(try fleet.read(replica) { try $0.orphans("tasks") }.isEmpty)
        }
        #expect(try fleet.isConverged())
    }
}
