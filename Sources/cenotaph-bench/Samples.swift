import CenotaphSeal
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

    /// A key of 16 bytes; keys of neighbouring indices lie far apart.
    static func key(_ index: Int) -> Key {
        let bytes = WireWriter.filled(16) { writer in
            writer.u64(UInt64(index).bigEndian)
            writer.u64(UInt64(index))
        }
        guard let key = try? Key(bytes) else { preconditionFailure("a key has 16 bytes") }
        return key
    }

    /// A causal row with one value, or a later edition of it.
    static func row(_ index: Int, bodyBytes: Int, edition: Int = 1) -> CausalRow {
        let seed = UInt64(index) &* UInt64(edition)
        let entry = CausalRow.Entry(
            replica: replica, time: UInt64(index + edition), value: bytes(bodyBytes, seed: seed))
        guard let row = CausalRow(key: key(index), entries: [entry]) else {
            preconditionFailure("one entry makes a row")
        }
        return row
    }

    /// The same fleet's keys in every process.
    static func fleetKeys() -> FleetKeys {
        let fleet = ID16(high: 1, low: 2)
        guard let digest = SecretKey(copying: bytes(32, seed: 5)),
            let seal = SecretKey(copying: bytes(32, seed: 6)),
            let keys = try? FleetKeys(
                fleet: fleet, digestKey: digest, sealKeys: [SealKey(seal, fleet: fleet)])
        else { preconditionFailure("keys have 32 bytes") }
        return keys
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
