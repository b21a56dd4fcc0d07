import Cenotaph
import CenotaphTesting
import Synchronization
import Testing

/// Resolvers of conflicts: a view that leaves the state alone, and writes only when asked.
@Suite struct ConflictResolverTests {
    let keys = FleetKeys.generate()
    let schema = Schema {
        Namespace("notes", .causal)
        Namespace("devices", .lastWriter)
    }

    /// All bytes of all values, ascending: commutative, deterministic, and no value of the conflict itself.
    static let union = ConflictResolver { values in
        Set(values.flatMap(\.body)).sorted()
    }

    func gate(_ resolver: ConflictResolver? = union) throws -> Gate {
        var random = SystemRandomNumberGenerator()
        let gate = try Gate(
            store: MemoryStore(), schema: schema, keys: keys,
            milliseconds: { 1_764_547_200_000 }, random: &random)
        try gate.setResolver(resolver, for: "notes")
        return gate
    }

    func put(_ gate: Gate, _ body: [UInt8]) throws -> Row {
        try #require(try gate.write { try $0.put("notes", "k", body) }.localRows.first).row
    }

    func take(_ gate: Gate, _ rows: [Row]) throws {
        let committed = try gate.write { tx in
            for row in rows { _ = try tx.merge("notes", row) }
        }
        #expect(committed.localRows.isEmpty, "what arrives causes no write")
    }

    func read(_ gate: Gate) throws -> LiveRow {
        try #require(try gate.read { try $0.get("notes", "k") })
    }

    func rows(_ gate: Gate) throws -> [Row] {
        var rows: [Row] = []
        try gate.read { snapshot in
            try snapshot.forEachRow("notes", .live, .all) { row, _ in
                rows.append(row)
                return true
            }
        }
        return rows
    }

    func root(_ gate: Gate) throws -> Hash256 { try gate.read { try $0.root("notes") } }

    /// A gate that holds the values as a conflict.
    func conflict(_ bodies: [UInt8]..., resolver: ConflictResolver?) throws -> Gate {
        let result = try gate(resolver)
        for body in bodies { try take(result, [try put(try gate(nil), body)]) }
        return result
    }

    // MARK: The view

    @Test func threeReplicasInAllOrders() throws {
        let writers = try (0..<3).map { _ in try gate(nil) }
        let rows = try writers.enumerated().map { try put($1, [UInt8($0), 9]) }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        var roots: Set<Hash256> = []
        for order in orders {
            for resolver in [ConflictResolverTests.union, nil] {
                let gate = try gate(resolver)
                for index in order { try take(gate, [rows[index], rows[order[0]]]) }
                roots.insert(try root(gate))
                let row = try read(gate)
                #expect(row.values.count == 3, "every value stays readable")
                #expect(row.resolution == (resolver == nil ? nil : .resolved([0, 1, 2, 9])))
                #expect(row.body == (resolver == nil ? row.values[0].body : [0, 1, 2, 9]))
                #expect(try gate.read { try $0.list("notes") } == [row])
            }
        }
        #expect(roots.count == 1, "the state is the same with and without a resolver")
    }

    @Test func aResolverCanComeAndGo() throws {
        let gate = try conflict([1], [2], resolver: nil)
        let before = try root(gate)
        let plain = try read(gate)
        try gate.setResolver(ConflictResolverTests.union, for: "notes")
        #expect(try read(gate).body == [1, 2])
        let shown = try gate.read { try $0.explain("notes", "k", milliseconds: 0) }
        #expect(shown.verdict == .live && shown.rule == "MERGE-060")
        #expect(shown.writes.map(\.fate) == [.conflict, .conflict])
        try gate.setResolver(nil, for: "notes")
        let bare = try gate.read { try $0.explain("notes", "k", milliseconds: 0) }
        #expect(bare.rule == "MERGE-012" && bare.writes.map(\.fate) == [.read, .conflict])
        #expect(try read(gate) == plain)
        #expect(try root(gate) == before)
        #expect(throws: GateError.refused(.wrongPolicy("devices", .lastWriter))) {
            try gate.setResolver(ConflictResolverTests.union, for: "devices")
        }
        #expect(throws: GateError.refused(.unknownNamespace("none"))) {
            try gate.setResolver(nil, for: "none")
        }
    }

    /// Tables of an app's own: what it is handed is the resolved body, and listing that is no edit.
    @Test func anObservedTableIsAtRest() throws {
        let gate = try conflict([1], [2], resolver: ConflictResolverTests.union)
        var random = SystemRandomNumberGenerator()
        let storage = ID16.random(using: &random)
        let before = try root(gate)
        let told = try gate.write { try $0.startApplying("notes", "k", storage: storage) }.result
        guard case .write(let row) = told else {
            Issue.record("\(told)")
            return
        }
        #expect(row.body == [1, 2])
        _ = try gate.write {
            try $0.finishApplying("notes", "k", row.body, storage: storage)
            let listing = try Listing.complete(
                [Listing.Row("k", row.body)], expectedCount: 1, storage: storage)
            #expect(try $0.observe("notes", listing).written == [])
        }
        #expect(try root(gate) == before)
    }

    // MARK: Refused resolvers

    @Test func anOrderDependentResolverIsCaught() throws {
        try expectRefusal(.orderDependent) { values in values[0].body }
        try expectRefusal(.orderDependent) { values in values.flatMap(\.body) }
        // With more values than are permuted.
        let first = ConflictResolver { $0[0].body }
        let gate = try conflict([1], [2], [3], [4], [5], [6], [7], resolver: first)
        #expect(try read(gate).resolution == .refused(.orderDependent))
    }

    @Test func anUnsteadyResolverIsCaught() throws {
        let calls = Mutex(UInt8(0))
        try expectRefusal(.unsteady) { _ in
            calls.withLock { calls in
                calls &+= 1
                return [calls]
            }
        }
    }

    @Test func aThrowingResolverIsReported() throws {
        struct Broken: Error, CustomStringConvertible { let description = "cannot parse" }
        try expectRefusal(.failed("cannot parse")) { _ in throw Broken() }
    }

    @Test func anOversizeBodyIsRefused() throws {
        let most = Limits.maxBody
        try expectRefusal(.bodyTooLarge(bytes: most + 1)) { _ in
            [UInt8](repeating: 1, count: most + 1)
        }
        let fits = try conflict(
            [1], [2], resolver: ConflictResolver { _ in [UInt8](repeating: 1, count: most) })
        #expect(try read(fits).body.count == most)
        #expect(try fits.write { try $0.resolve("notes", "k") }.result)
    }

    /// Expects that the conflict stays readable, and that writing its resolution is refused and changes nothing.
    func expectRefusal(
        _ error: ResolverError, _ body: @escaping @Sendable ([ConflictValue]) throws -> [UInt8]
    ) throws {
        let gate = try conflict([1], [2], resolver: ConflictResolver(body))
        let before = try root(gate)
        let row = try read(gate)
        #expect(row.resolution == .refused(error))
        #expect(row.body == row.values[0].body && row.values.count == 2)
        #expect(throws: GateError.refused(.unresolved("k", error))) {
            try gate.write { try $0.resolve("notes", "k") }
        }
        #expect(try root(gate) == before)
    }

    // MARK: Writing the resolution

    @Test func devicesThatResolveAtOnceComeToRest() throws {
        let gates = [try gate(), try gate(), try gate(nil)]
        for (index, gate) in gates.enumerated() { _ = try put(gate, [UInt8(index)]) }
        try exchange(gates)
        #expect(try gates[0].write { try $0.resolve("notes", "k") }.result)
        #expect(try gates[1].write { try $0.resolve("notes", "k") }.result)
        try exchange(gates)
        for gate in gates {
            #expect(try read(gate).values.map(\.body) == [[0, 1, 2], [0, 1, 2]])
            #expect(try read(gate).body == [0, 1, 2])
        }
        // Whoever asks again writes nothing: rest means silence.
        let roots = try gates.map(root)
        for gate in gates.dropLast() {
            #expect(try gate.write { try $0.resolve("notes", "k") }.result == false)
        }
        #expect(try gates.map(root) == roots && Set(roots).count == 1)
    }

    /// Devices that resolve whatever they see, whenever they see it, stop writing soon after people do.
    @Test func randomDevicesComeToRest() throws {
        var random = SeededRandom(for: "resolvers randomDevicesComeToRest")
        for run in 0..<40 {
            let gates = [try gate(), try gate(), try gate(nil), try gate()]
            for _ in 0..<30 {
                let gate = gates[random.below(gates.count)]
                switch random.below(6) {
                case 0, 1:
                    let body = [UInt8(random.below(8))]
                    _ = try gate.write { try $0.revive("notes", "k", body) }
                case 2 where random.chance(0.3): _ = try gate.write { try $0.delete("notes", "k") }
                case 3: _ = try? gate.write { try $0.resolve("notes", "k") }
                default: try take(gate, try allRows(gates[random.below(gates.count)]))
                }
            }
            var rounds = 0
            var hasWritten = true
            while hasWritten, rounds < 10 {
                let all = try gates.flatMap(allRows)
                for gate in gates { try take(gate, all) }
                hasWritten = false
                for (index, gate) in gates.enumerated() where index != 2 {
                    if try gate.write({ try $0.resolve("notes", "k") }).result { hasWritten = true }
                }
                rounds += 1
            }
            // One round to resolve at once, one to see that there is nothing left to do.
            guard rounds <= 2, Set(try gates.map(root)).count == 1 else {
                Issue.record("seed \(random.seed), run \(run): \(rounds) rounds")
                return
            }
        }
    }

    /// The rows of both sets.
    func allRows(_ gate: Gate) throws -> [Row] {
        var rows = try rows(gate)
        try gate.read { snapshot in
            try snapshot.forEachRow("notes", .tombstones, .all) { row, _ in
                rows.append(row)
                return true
            }
        }
        return rows
    }

    @Test func aResolutionCoversWhatItSawOnly() throws {
        let (first, second) = (try gate(), try gate())
        try take(first, [try put(second, [2])])
        let own = try put(try gate(nil), [1])
        try take(first, [own])
        #expect(try first.write { try $0.resolve("notes", "k") }.result)
        #expect(try first.write { try $0.resolve("notes", "k") }.result == false, "one value")
        // An edit that the resolution had not seen survives beside it.
        let late = try put(second, [7])
        try take(first, [late])
        #expect(Set(try read(first).values.map(\.body)) == [[1, 2], [7]])
        #expect(try read(first).body == [1, 2, 7])
    }

    /// A resolver that is not asked cannot make something else of what all agree on.
    @Test func equalBodiesAreReadAsTheyAre() throws {
        let counting = ConflictResolver { [UInt8($0.count)] }
        let gate = try conflict([9], [9], resolver: counting)
        #expect(try read(gate).values.count == 2)
        #expect(try read(gate).body == [9])
        let before = try root(gate)
        #expect(try gate.write { try $0.resolve("notes", "k") }.result == false)
        #expect(try root(gate) == before)
        try take(gate, [try put(try self.gate(nil), [8])])
        #expect(try read(gate).body == [3])
    }

    @Test func noResolverNoResolution() throws {
        let gate = try conflict([1], [2], resolver: nil)
        #expect(throws: GateError.refused(.unresolved("k", .missing))) {
            try gate.write { try $0.resolve("notes", "k") }
        }
        #expect(throws: GateError.refused(.wrongPolicy("devices", .lastWriter))) {
            try gate.write { try $0.resolve("devices", "k") }
        }
        #expect(try gate.write { try $0.resolve("notes", "nothing") }.result == false)
    }

    /// A deletion covers a conflict as it covers a value, whatever its view.
    @Test func aDeletedConflictStaysDeleted() throws {
        let gate = try conflict([1], [2], resolver: ConflictResolverTests.union)
        let old = try rows(gate)
        _ = try gate.write { try $0.delete("notes", "k") }
        try take(gate, old)
        #expect(try gate.read { try $0.get("notes", "k") } == nil)
        #expect(try gate.write { try $0.resolve("notes", "k") }.result == false)
    }

    func exchange(_ gates: [Gate]) throws {
        let all = try gates.flatMap(rows)
        for gate in gates { try take(gate, all) }
    }

    /// Two replicas over a real link, one of them with the resolver.
    @Test func overALink() async throws {
        let fleet = Fleet()
        let (phone, tablet) = (try fleet.replica(), try fleet.replica())
        try await phone.setResolver(ConflictResolverTests.union, for: "notes")
        try await phone.put("notes", "k", [1])
        try await tablet.put("notes", "k", [2])
        try await fleet.sync(phone, tablet)
        #expect(try await phone.get("notes", "k")?.body == [1, 2])
        #expect(try await tablet.get("notes", "k")?.resolution == nil)
        #expect(try await phone.resolve("notes", "k"))
        try await fleet.sync(phone, tablet)
        #expect(try await tablet.get("notes", "k")?.values.map(\.body) == [[1, 2]])
        #expect(try await phone.resolve("notes", "k") == false)
    }
}
