import CenotaphWire

/// Rows and frames of given sizes, the same in every run.
enum Samples {
    /// Bytes that look random, from a counter.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// A replica.
    static let replica: ReplicaID = {
        var random = SystemRandomNumberGenerator()
        return ReplicaID.random(using: &random)
    }()

    /// A causal row with one value.
    static func row(_ index: Int, bodyBytes: Int) -> CausalRow {
        let key = WireWriter.filled(16) { writer in
            writer.u64(UInt64(index).bigEndian)
            writer.u64(UInt64(index))
        }
        let entry = CausalRow.Entry(
            replica: replica, time: UInt64(index + 1), value: bytes(bodyBytes, seed: UInt64(index)))
        guard let key = try? Key(key), let row = CausalRow(key: key, entries: [entry]) else {
            preconditionFailure("a key of 16 bytes and one entry make a row")
        }
        return row
    }

    /// A frame of about 64 KiB of rows, or of one row if that is larger.
    static func frame(rowBytes: Int) -> Frame {
        let count = max(1, 65_536 / (rowBytes + 48))
        let rows = (0..<count).map { row($0, bodyBytes: rowBytes) }.sorted { $0.key < $1.key }
        return Frame(
            header: FrameHeader(sender: replica),
            body: .syncDelta(
                Delta(
                    namespace: "notes", set: .live, rowType: .causal, rows: rows.map { .causal($0) }
                )))
    }
}
