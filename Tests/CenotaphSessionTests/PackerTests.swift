import Cenotaph
import CenotaphDigest
import CenotaphTesting
import Testing

/// Every part fits a frame, an answer has at most 1,024 parts, and the pieces of a row join to it.
@Suite struct PackerTests {
    private var random = SeededRandom(seed: 21)

    private mutating func replica() -> ReplicaID { .random(using: &random) }

    /// Seals, opens and decodes each part, and returns the rows as they arrive.
    private func arrivals(
        _ parts: [Delta], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Row] {
        var random = SeededRandom(seed: 22)
        let keys = try FleetKeys.seeded(using: &random)
        let sender = ReplicaID.random(using: &random)
        #expect(parts.count <= Limits.maxParts, sourceLocation: sourceLocation)
        var rows: [Row] = []
        for part in parts {
            let frame = Frame(
                header: FrameHeader(sender: sender), body: .reconcileResponse(part))
            guard frame.wireSize <= Limits.maxFrame else {
                Issue.record(
                    "part \(part.part) has \(frame.wireSize) bytes", sourceLocation: sourceLocation)
                continue
            }
            let plain = try Envelope.open(Envelope.seal(frame, with: keys), with: keys)
            let isSame = try Frame.decode(plain) == frame
            #expect(isSame, sourceLocation: sourceLocation)
            rows += part.rows
        }
        return rows
    }

    private func packed(_ rows: [Row], _ type: RowType) -> [Delta] {
        var packer = DeltaPacker(request: 1, namespace: "notes", set: .live, rowType: type)
        for row in rows { packer.add(row) }
        return packer.finish()
    }

    private mutating func conflict(_ key: Key, _ sizes: [Int]) throws -> CausalRow {
        let entries = sizes.map { size in
            CausalRow.Entry(
                replica: replica(), time: 1,
                value: size < 0 ? nil : [UInt8](repeating: 7, count: size))
        }
        return try #require(CausalRow(key: key, entries: entries))
    }

    @Test(arguments: [
        [Limits.maxBody, Limits.maxBody], [400_000, 400_000, 400_000, -1],
        [Int](repeating: 16_000, count: 1_024), [Int](repeating: 3_000, count: 512),
        [Int](repeating: -1, count: 1_023) + [Limits.maxBody],
        [Int](repeating: Limits.maxBody, count: 17),
    ])
    mutating func conflicts(_ sizes: [Int]) throws {
        let row = try conflict("k", sizes)
        let rows = try arrivals(packed([.causal(row)], .causal))
        var table = RowDictionary()
        var seen: Set<ReplicaID> = []
        for piece in rows {
            _ = table.merge(piece, under: .causal)
            guard case .causal(let piece) = piece else { continue }
            // What covers comes after all values, so no piece hides a value that is still to come.
            #expect(piece.isLive || seen.isSuperset(of: row.values.map(\.replica)))
            seen.formUnion(piece.entries.map(\.replica))
        }
        // No operands: a failure would print megabytes.
        let isWhole = table.row(.live, "k") == .causal(row)
        #expect(isWhole)
    }

    /// Log keys with many events, as only colliding ids or a member with bad intent make them.
    @Test(arguments: [(2, 900_000), (40_000, 100), (2_000, 2_000)])
    mutating func manyEvents(_ count: Int, _ size: Int) throws {
        let events = (0..<count).map { index in
            LogEvent(
                stamp: Stamp(time: UInt64(index + 1), replica: replica()), group: "g",
                body: [UInt8](repeating: 7, count: size))
        }
        let row = try #require(LogRow(key: "k", events: events))
        var arrived: [LogEvent] = []
        for case .logEvents(let piece) in try arrivals(packed([.logEvents(row)], .logEvents)) {
            arrived += piece.events
        }
        let isWhole = LogRow(key: "k", events: arrived) == row
        #expect(isWhole)
    }

    /// More than 1,024 writers in one part's worth of rows (Spec 00, `maxVector` of a table).
    @Test mutating func manyWriters() throws {
        var markers: [Row] = []
        for index in 0..<3_000 {
            let group = try Key([UInt8(index / 256), UInt8(index % 256)])
            markers.append(
                .logMarker(LogMarker(group: group, stamp: Stamp(time: 1, replica: replica()))))
        }
        let isWhole = try arrivals(packed(markers, .logMarker)) == markers
        #expect(isWhole)
    }

    /// A row that nearly fills a frame, and claims right before and after it.
    @Test(arguments: [1_047_000, 1_048_000, 1_048_150, 1_048_200, 1_048_240])
    mutating func claimsBesideALargeRow(_ size: Int) throws {
        let row = try conflict("m", [size / 2, size - size / 2])
        var packer = DeltaPacker(request: 1, namespace: "notes", set: .live, rowType: .causal)
        func claims(_ first: UInt8, _ list: RangeList) throws -> RangeList {
            var list = list
            for index in UInt8(0)..<17 {
                let low = [first + index] + [UInt8](repeating: 1, count: 500)
                let high = try Key([first + index] + [UInt8](repeating: 2, count: 500))
                list.append(KeyRange(from: try Key(low), to: high), .fingerprint(.zero))
            }
            return list
        }
        try packer.addClaims { list in try claims(0x10, list) }
        packer.add(.causal(row))
        try packer.addClaims { list in try claims(0x80, list) }
        let rows = try arrivals(packer.finish())
        var table = RowDictionary()
        for piece in rows { _ = table.merge(piece, under: .causal) }
        let isWhole = table.row(.live, "m") == .causal(row)
        #expect(isWhole)
    }

    /// Unasked bodies each stand alone (Spec WIRE-056).
    @Test mutating func unasked() throws {
        var packer = DeltaPacker(namespace: "notes", set: .live, rowType: .causal)
        for key in ["a", "b", "c"] as [Key] { packer.add(.causal(try conflict(key, [60_000]))) }
        let parts = packer.finishUnasked()
        #expect(parts.count > 1)
        #expect(parts.allSatisfy { $0.request == 0 && $0.part == 0 && $0.last })
        #expect(try arrivals(parts).map(\.key) == ["a", "b", "c"])
    }
}
