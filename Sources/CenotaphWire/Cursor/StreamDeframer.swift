/// Cuts a byte stream into sealed frames: each follows its length, 4 bytes big-endian (Spec 05, "Streams").
///
/// Holds at most one frame and what the last chunk brought beyond it.
public struct StreamDeframer {
    private static let prefix = 4
    private var buffer: [UInt8] = []
    private var start = 0

    /// Starts at the front of a stream.
    public init() {}

    /// Whether the stream ends between two frames here.
    public var isAtBoundary: Bool { start == buffer.count }

    /// Takes the next bytes of the stream.
    public mutating func append(_ chunk: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: chunk)
    }

    /// The next whole frame, or `nil` until more bytes come.
    /// - Throws: `too-large` or `truncated` for an impossible length; the stream must be closed (Spec SEAL-020).
    public mutating func next() throws(WireError) -> [UInt8]? {
        guard buffer.count - start >= StreamDeframer.prefix else { return nil }
        let length = buffer[start..<start + StreamDeframer.prefix].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Limits.maxSealed else { throw WireError(.tooLarge, .streamLength) }
        guard length >= Limits.minSealed else { throw WireError(.truncated, .streamLength) }
        let end = start + StreamDeframer.prefix + length
        guard buffer.count >= end else { return nil }
        defer { start = end }
        return Array(buffer[start + StreamDeframer.prefix..<end])
    }

    /// The length that goes before a sealed frame on a stream.
    public static func prefix(of sealed: [UInt8]) -> [UInt8] {
        (0..<prefix).map { UInt8(truncatingIfNeeded: sealed.count >> (8 * (prefix - 1 - $0))) }
    }
}
