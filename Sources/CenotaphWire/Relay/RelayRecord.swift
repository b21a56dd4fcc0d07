/// A record of a relay's stream: a sealed frame for or from a number, or with number 0 a notice (Spec 13, "Records").
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | length of the payload |
/// | 4 | 4 | number |
/// | 8 | length | payload |
public struct RelayRecord: Hashable, Sendable {
    /// Bytes before the payload.
    public static let header = 8
    /// Most bytes that may be under way to one number (Spec RELAY-017).
    public static let window = 262_144

    /// The whole record.
    public private(set) var bytes: [UInt8]

    /// Makes a record.
    public init(number: UInt32, payload: [UInt8]) {
        bytes =
            RelayRecord.bytes(UInt32(truncatingIfNeeded: payload.count))
            + RelayRecord.bytes(number) + payload
    }

    /// Takes a whole record, as a deframer cut it out.
    init(whole bytes: [UInt8]) { self.bytes = bytes }

    /// To whom, or from whom.
    public var number: UInt32 {
        get { RelayRecord.number(bytes[4..<RelayRecord.header]) }
        set { bytes.replaceSubrange(4..<RelayRecord.header, with: RelayRecord.bytes(newValue)) }
    }

    /// The frame or the notice.
    public var payload: ArraySlice<UInt8> { bytes.dropFirst(RelayRecord.header) }

    /// Four big-endian bytes.
    static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The number of four big-endian bytes.
    static func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether a window has room for one frame more (Spec RELAY-017).
    public static func fits(_ frame: Int, underWay: Int) -> Bool {
        underWay == 0 || underWay + frame <= window
    }
}

/// Cuts a relay's stream into records.
///
/// Holds at most one record and what the last chunk brought beyond it; nothing is allocated on a claimed length.
public struct RelayDeframer: Sendable {
    private let longestNotice: Int
    private var buffer: [UInt8] = []
    private var start = 0

    /// Starts where records begin.
    /// - Parameter longestNotice: The longest notice that this side takes, in bytes.
    public init(longestNotice: Int) { self.longestNotice = longestNotice }

    /// Bytes that wait for the rest of their record.
    public var held: Int { buffer.count - start }

    /// Takes the next bytes of the stream.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.count <= 65_536)
        } else {
            buffer.removeFirst(start)
        }
        start = 0
        buffer.append(contentsOf: chunk)
    }

    /// The next whole record, or `nil` until more bytes come.
    /// - Throws: `truncated` or `too-large` for an impossible length; the stream must be closed (Spec RELAY-009).
    public mutating func next() throws(WireError) -> RelayRecord? {
        guard held >= RelayRecord.header else { return nil }
        let length = Int(RelayRecord.number(buffer[start..<start + 4]))
        let isNotice = buffer[start + 4..<start + RelayRecord.header].allSatisfy { $0 == 0 }
        guard length >= (isNotice ? 1 : Limits.minSealed) else {
            throw WireError(.truncated, .relayLength)
        }
        guard length <= (isNotice ? longestNotice : Limits.maxSealed) else {
            throw WireError(.tooLarge, .relayLength)
        }
        let end = start + RelayRecord.header + length
        guard end <= buffer.count else { return nil }
        defer { start = end }
        return RelayRecord(whole: Array(buffer[start..<end]))
    }
}
