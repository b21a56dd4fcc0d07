/// The sum of some row ids (Spec SKETCH-006).
///
/// Wire form: ids (6), checks (3), number (1).
public struct SketchCell: Hashable, Sendable, BitwiseCopyable {
    /// The exclusive-or of the ids, below 2^48.
    public var ids: UInt64
    /// The exclusive-or of their checks, below 2^24.
    public var checks: UInt32
    /// How many they are, modulo 256.
    public var number: UInt8

    /// The sum of no ids.
    public static let zero = SketchCell(ids: 0, checks: 0, number: 0)

    /// The size on the wire, in bytes.
    public static let size = 10

    /// Makes a cell of the lower 48 and 24 bits of what is given.
    public init(ids: UInt64, checks: UInt32, number: UInt8) {
        self.ids = ids & 0xffff_ffff_ffff
        self.checks = checks & 0xff_ffff
        self.number = number
    }
}

extension SketchCell: WireEncodable {
    /// Ten bytes.
    public var wireSize: Int { SketchCell.size }

    /// Appends ids, checks and number.
    public func write(to writer: inout WireWriter) {
        writer.u64(ids << 16 | UInt64(checks >> 8))
        writer.u8(UInt8(truncatingIfNeeded: checks))
        writer.u8(number)
    }

    /// Reads cells that fill all of `bytes`.
    /// - Throws: `truncated`.
    package static func list(_ bytes: [UInt8]) throws(WireError) -> [SketchCell] {
        try decodeWhole(bytes) { (reader) throws(WireError) in
            var cells: [SketchCell] = []
            while reader.remaining > 0 { cells.append(try SketchCell(from: &reader)) }
            return cells
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        guard reader.remaining >= SketchCell.size else {
            throw reader.fail(.truncated, .valueComplete)
        }
        let front = try reader.u64()
        ids = front >> 16
        checks = UInt32(truncatingIfNeeded: front & 0xffff) << 8 | UInt32(try reader.u8())
        number = try reader.u8()
    }
}
