import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Testing

/// No row that a peer sends carries the clock to its end (Spec MODEL-017).
@Suite struct GateClockTests {
    private func gate() throws -> Gate {
        var random = SystemRandomNumberGenerator()
        return try Gate(
            store: MemoryStore(),
            schema: Schema {
                Namespace("notes", .causal)
                Namespace("devices", .lastWriter)
                Namespace("journal", .log(buried: .erase))
            },
            keys: FleetKeys.generate(), milliseconds: { 1_000 }, random: &random)
    }

    /// Every kind of local write but those on the spoiled key.
    private func expectAlive(_ gate: Gate, _ time: UInt64) throws {
        _ = try gate.write { tx in
            try tx.put("notes", "other", [1])
            try tx.delete("notes", "other")
            try tx.put("devices", "other", [1])
            try tx.delete("devices", "other")
            try tx.append("journal", "event", group: "talk", [1])
            try tx.bury("journal", group: "talk")
        }
        #expect(try gate.read { try $0.list("devices") }.count == 1, "time \(time)")
    }

    @Test(arguments: [Limits.maxTime, Limits.maxTime - 2, Limits.maxFloor + 1])
    func aRowAtTheEndOfTimeSpoilsItsKeyOnly(_ time: UInt64) throws {
        let gate = try gate()
        let other = try #require(ReplicaID(ID16(high: 1, low: 1)))
        let row = LastWriterRow(
            key: "spoiled", stamp: Stamp(time: time, replica: other), value: [7])
        _ = try gate.write { try $0.merge("devices", .lastWriter(row)) }
        for _ in 0..<3 {
            #expect(throws: GateError.refused(.clockExhausted)) {
                try gate.write { try $0.put("devices", "spoiled", [8]) }
            }
            #expect(throws: GateError.refused(.clockExhausted)) {
                try gate.write { try $0.delete("devices", "spoiled") }
            }
        }
        try expectAlive(gate, time)
    }

    @Test(arguments: [Limits.maxTime, Limits.maxTime - 2, Limits.maxFloor + 1])
    func anEntryInThisReplicasNameSpoilsItsKeyOnly(_ time: UInt64) throws {
        let gate = try gate()
        let entry = CausalRow.Entry(replica: gate.replica, time: time, value: [7])
        let row = try #require(CausalRow(key: "spoiled", entries: [entry]))
        let device = LastWriterRow(
            key: "device", stamp: Stamp(time: 5, replica: gate.replica), value: [7])
        _ = try gate.write { tx in
            _ = try tx.merge("notes", .causal(row))
            _ = try tx.merge("devices", .lastWriter(device))
        }
        #expect(throws: GateError.refused(.clockExhausted)) {
            try gate.write { try $0.put("notes", "spoiled", [8]) }
        }
        try expectAlive(gate, time)
    }

    @Test func aWrongClockBelowTheFloorIsOvertakenAsEver() throws {
        let gate = try gate()
        let other = try #require(ReplicaID(ID16(high: 1, low: 1)))
        let future = Stamp(time: 4_080_000_000_000 << 16, replica: other)
        let row = LastWriterRow(key: "a", stamp: future, value: [7])
        _ = try gate.write { try $0.merge("devices", .lastWriter(row)) }
        _ = try gate.write { try $0.put("devices", "a", [8]) }
        #expect(try gate.read { try $0.get("devices", "a") }?.body == [8])
    }
}
