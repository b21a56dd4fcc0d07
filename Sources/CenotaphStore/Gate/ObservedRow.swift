internal import CenotaphWire

/// What the bookkeeping of an observer says of one row.
struct ObservedRow: Hashable {
    static let maxNote = 1_024

    /// A copy of the row that the app has.
    struct Copy: Hashable {
        /// The keyed hash of the body that the app has.
        var hash: Hash256
        /// The leaf of the row when the app had all of it; zero if the app is behind.
        var leaf: Hash256
        /// What the app has seen of the row.
        var version: RowVersion
    }

    /// What the app had last.
    var held: Copy?
    /// What the app is about to have: it was handed a newer row, and has not said that it took it.
    var pending: Copy?
    /// The event that holds back the row's deletion, or 0.
    var event: UInt64 = 0
    /// What the app keeps with the row.
    var note: [UInt8] = []
}

/// Content: u8 copies (1 held, 2 pending), u64 event, bytes note, then each copy: hash (32), leaf (32), vector.
extension ObservedRow: WireEncodable {
    var wireSize: Int {
        9 + WireSize.byteString(note)
            + [held, pending].reduce(0) { $0 + ($1.map { 64 + $0.version.seen.wireSize } ?? 0) }
    }

    func write(to writer: inout WireWriter) {
        writer.u8((held == nil ? 0 : 1) | (pending == nil ? 0 : 2))
        writer.u64(event)
        writer.byteString(note)
        for copy in [held, pending] {
            guard let copy else { continue }
            writer.hash(copy.hash)
            writer.hash(copy.leaf)
            copy.version.seen.write(to: &writer)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let copies = try reader.u8()
        event = try reader.u64()
        note = try reader.byteString(0, ObservedRow.maxNote)
        if copies & 1 != 0 { held = try Copy(from: &reader) }
        if copies & 2 != 0 { pending = try Copy(from: &reader) }
    }
}

extension ObservedRow.Copy {
    init(from reader: inout WireReader) throws(WireError) {
        hash = try reader.hash()
        leaf = try reader.hash()
        version = RowVersion(seen: try VersionVector(from: &reader))
    }
}
