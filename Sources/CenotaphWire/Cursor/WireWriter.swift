/// A value that knows its exact size in bytes before it is written.
///
/// Encoding takes two passes: `wireSize`, then one buffer of just that size is filled.
public protocol WireEncodable {
    /// The number of bytes that `write` produces.
    var wireSize: Int { get }
    /// Appends the canonical bytes.
    func write(to writer: inout WireWriter)
}

extension WireEncodable {
    /// The canonical bytes, in one allocation of exactly `wireSize` bytes.
    public func encoded() -> [UInt8] { WireWriter.filled(wireSize) { write(to: &$0) } }
}

/// The one writer: appends to a buffer whose exact size was computed beforehand.
@safe public struct WireWriter: ~Copyable, ~Escapable {
    private let start: UnsafeMutableRawPointer
    private let end: UnsafeMutableRawPointer
    private var next: UnsafeMutableRawPointer

    @_lifetime(immortal)
    private init(_ start: UnsafeMutableRawPointer, count: Int) {
        unsafe self.start = start
        unsafe next = start
        unsafe end = start + count
    }

    /// The number of bytes written so far.
    public var count: Int { unsafe next - start }

    /// A buffer of `size` bytes that `body` fills to the last byte.
    public static func filled(_ size: Int, _ body: (inout WireWriter) -> Void) -> [UInt8] {
        // Safety: `fill` initialises every byte of the fresh buffer or stops.
        unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            unsafe fill(
                UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size]), body)
            count = size
        }
    }

    /// Fills a buffer to the last byte.
    ///
    /// The caller lends memory that nothing else uses meanwhile.
    package static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ body: (inout WireWriter) -> Void
    ) {
        guard let base = buffer.baseAddress else { return }
        // Safety: the writer stays within the buffer, and cannot leave this call.
        var writer = unsafe WireWriter(base, count: buffer.count)
        body(&writer)
        precondition(writer.count == buffer.count, "wireSize disagrees with write")
    }

    /// Moves on by `count` bytes and returns where they are to be written.
    ///
    /// Safety: the one place that hands out memory. The target was sized by `wireSize`; an overrun stops here, not in
    /// memory.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func room(_ count: Int) -> UnsafeMutableRawPointer {
        unsafe precondition(count >= 0 && count <= end - next, "wireSize is too small")
        let place = unsafe next
        unsafe next += count
        return unsafe place
    }

    /// Appends one byte.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func u8(_ value: UInt8) {
        unsafe room(1).storeBytes(of: value, as: UInt8.self)
    }

    /// Appends a shortest-form LEB128 number.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uvarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            u8(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        u8(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a count or index.
    @_lifetime(self: copy self)
    public mutating func uvarint(_ value: Int) { uvarint(UInt64(value)) }

    /// Appends eight big-endian bytes.
    @_lifetime(self: copy self)
    public mutating func u64(_ value: UInt64) {
        unsafe room(8).storeBytes(of: value.bigEndian, as: UInt64.self)
    }

    /// Appends sixteen bytes.
    @_lifetime(self: copy self)
    public mutating func id16(_ value: ID16) {
        u64(value.high)
        u64(value.low)
    }

    /// Appends thirty-two bytes.
    @_lifetime(self: copy self)
    public mutating func hash(_ value: Hash256) {
        u64(value.w0)
        u64(value.w1)
        u64(value.w2)
        u64(value.w3)
    }

    /// Appends a stamp: time, then replica.
    @_lifetime(self: copy self)
    public mutating func stamp(_ value: Stamp) {
        u64(value.time)
        id16(value.replica.id)
    }

    /// Appends the bytes alone, without a length.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func raw(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe raw($0) }
    }

    /// Appends the bytes of a buffer.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        let place = unsafe room(bytes.count)
        guard let from = bytes.baseAddress else { return }
        unsafe place.copyMemory(from: from, byteCount: bytes.count)
    }

    /// Appends zero bytes.
    @_lifetime(self: copy self)
    public mutating func zeros(_ count: Int) {
        unsafe room(count).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    /// Appends the length, then the bytes.
    @_lifetime(self: copy self)
    public mutating func byteString(_ bytes: [UInt8]) {
        uvarint(bytes.count)
        raw(bytes)
    }
}

/// Sizes of the primitive spellings, for `wireSize`.
public enum WireSize {
    /// Bytes of a shortest-form LEB128 number: 1 to 10.
    public static func uvarint(_ value: UInt64) -> Int {
        value == 0 ? 1 : (70 - value.leadingZeroBitCount) / 7
    }

    /// Bytes of a count or index.
    public static func uvarint(_ value: Int) -> Int { uvarint(UInt64(value)) }

    /// Bytes of a length and the byte string after it.
    public static func byteString(_ bytes: [UInt8]) -> Int {
        uvarint(bytes.count) + bytes.count
    }
}
