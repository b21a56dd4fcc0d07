import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire
import Testing

/// Rows that were refused are kept, listed, and can be written anew.
@Suite struct ParkedTests {
    private func gate() throws -> Gate {
        var random = SystemRandomNumberGenerator()
        return try Gate(
            store: MemoryStore(), schema: Schema { Namespace("notes", .causal) },
            keys: FleetKeys.generate(), milliseconds: { 1 }, random: &random)
    }

    /// A piece of a row by a writer of its own, with a large body.
    private func piece(_ writer: UInt64) throws -> Row {
        let replica = try #require(ReplicaID(ID16(high: 7, low: writer)))
        let body = [UInt8](repeating: UInt8(writer % 251), count: Limits.maxBody)
        let entry = CausalRow.Entry(replica: replica, time: writer, value: body)
        return .causal(try #require(CausalRow(key: "a", entries: [entry])))
    }

    @Test func aRowOverItsLimitIsParkedOnceAndCanBePut() throws {
        let gate = try gate()
        for writer in 1...17 {
            _ = try gate.write { try $0.merge("notes", try piece(UInt64(writer))) }
        }
        let outcome = try gate.write { try $0.merge("notes", try piece(18)) }.result
        #expect(outcome == .refused(.tooLarge))
        _ = try gate.write { try $0.merge("notes", try piece(18)) }
        let parked = try gate.read { try $0.parked() }
        #expect(parked.count == 1)
        #expect(parked[0].row == (try piece(18)))
        #expect(parked[0].reason == .tooLarge)
        // As a new write it covers the others, so there is room.
        #expect(try gate.write { try $0.putParked(parked[0].id) }.result)
        #expect(try gate.read { try $0.parked() }.isEmpty)
        let row = try #require(try gate.read { try $0.get("notes", "a") })
        #expect(row.values.count == 1)
        #expect(row.body.first == 18)
        #expect(try gate.write { try $0.dropParked(parked[0].id) }.result == false)
    }
}
