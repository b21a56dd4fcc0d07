/// A bounds-checked cursor over input bytes.
///
/// Every read either succeeds whole or throws and names the rule.
///
/// The one place where bytes from outside are taken apart: nothing here traps or allocates on a claimed
/// length before it is checked against what remains (Spec 00 and 02).
public struct WireReader: ~Escapable {
    let bytes: RawSpan
    /// The offset of the next byte.
    public private(set) var offset = 0

    /// Starts at the front of `bytes`.
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    /// The number of bytes not read yet.
    public var remaining: Int { bytes.byteCount - offset }

    func fail(_ errorClass: ErrorClass, _ rule: Rule, at position: Int? = nil) -> WireError {
        WireError(errorClass, rule, at: position ?? offset)
    }

    /// Reads one byte.
    /// - Throws: `truncated`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func u8(_ rule: Rule = .valueComplete) throws(WireError) -> UInt8 {
        guard offset < bytes.byteCount else { throw fail(.truncated, rule) }
        // Safety: offset < byteCount was checked on the line above.
        let value = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
        offset += 1
        return value
    }

    /// Reads a shortest-form LEB128 number (Spec PRIM-001 to PRIM-003).
    /// - Throws: `truncated`, `noncanonical`, `range`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uvarint() throws(WireError) -> UInt64 {
        // Most numbers take one byte.
        if offset < bytes.byteCount {
            // Safety: offset < byteCount was checked on the line above.
            let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
            if byte < 0x80 {
                offset += 1
                return UInt64(byte)
            }
        }
        return try longUvarint()
    }

    @_lifetime(self: copy self)
    private mutating func longUvarint() throws(WireError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try u8(.uvarintComplete)
            if shift == 63, byte > 1 {
                throw fail(.range, .uvarintFits, at: start)
            }
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else {
                    throw fail(.noncanonical, .uvarintMinimal, at: start)
                }
                return value
            }
            shift += 7
        }
    }

    /// Reads a number that is at most `limit`.
    /// - Throws: what `uvarint` throws, and `range` naming `rule`.
    @_lifetime(self: copy self)
    public mutating func uvarint(
        atMost limit: UInt64, _ rule: Rule
    ) throws(WireError) -> UInt64 {
        let start = offset
        let value = try uvarint()
        guard value <= limit else { throw fail(.range, rule, at: start) }
        return value
    }

    /// Reads a count of elements that take at least `size` bytes each (Spec CONV-004).
    /// - Throws: what `uvarint` throws, `range` over `limit` or under `least`, `truncated` where they cannot fit.
    @_lifetime(self: copy self)
    public mutating func count(
        least: Int = 0, limit: Int? = nil, size: Int, below: Rule = .limits
    ) throws(WireError) -> Int {
        let start = offset
        let value = try uvarint()
        if let limit, value > UInt64(limit) { throw fail(.range, .limits, at: start) }
        guard value >= UInt64(least) else { throw fail(.range, below, at: start) }
        guard value <= UInt64(remaining / size) else {
            throw fail(.truncated, .countFitsInput, at: start)
        }
        return Int(value)
    }

    /// Reads a byte string of `least` to `limit` bytes and its length before it.
    /// - Throws: what `uvarint` throws, `range` for the length, `truncated`. Copies the bytes.
    @_lifetime(self: copy self)
    public mutating func byteString(
        _ least: Int, _ limit: Int, _ rule: Rule = .bytesLength
    ) throws(WireError) -> [UInt8] {
        let start = offset
        let length = try uvarint()
        guard length >= UInt64(least), length <= UInt64(limit) else {
            throw fail(.range, rule, at: start)
        }
        guard length <= UInt64(remaining) else { throw fail(.truncated, .valueComplete, at: start) }
        return copy(Int(length))
    }

    /// Passes the next `count` bytes, which the caller has checked to be there.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    private mutating func take(_ count: Int) -> RawSpan {
        let slice = bytes.extracting(offset..<offset + count)
        offset += count
        return slice
    }

    /// Copies the next `count` bytes, which the caller has checked to be there.
    @_lifetime(self: copy self)
    private mutating func copy(_ count: Int) -> [UInt8] {
        // Safety: the buffer is read only inside the closure, while the input is borrowed.
        unsafe take(count).withUnsafeBytes { buffer in unsafe [UInt8](buffer) }
    }

    /// Copies that many bytes, without a length before them.
    /// - Throws: `truncated`.
    @_lifetime(self: copy self)
    package mutating func bytes(_ count: Int) throws(WireError) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw fail(.truncated, .valueComplete) }
        return copy(count)
    }

    /// Reads eight big-endian bytes.
    /// - Throws: `truncated`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func u64() throws(WireError) -> UInt64 {
        guard remaining >= 8 else { throw fail(.truncated, .valueComplete) }
        // Safety: eight bytes remain, checked on the line above; the load has no alignment demand.
        let value = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: offset, as: UInt64.self)
        offset += 8
        return UInt64(bigEndian: value)
    }

    /// Reads sixteen bytes.
    /// - Throws: `truncated`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func id16() throws(WireError) -> ID16 {
        guard remaining >= 16 else { throw fail(.truncated, .valueComplete) }
        return ID16(high: try u64(), low: try u64())
    }

    /// Reads a whole hash of thirty-two bytes.
    /// - Throws: `truncated`.
    @_lifetime(self: copy self)
    public mutating func hash() throws(WireError) -> Hash256 {
        guard remaining >= 32 else { throw fail(.truncated, .valueComplete) }
        return Hash256(try u64(), try u64(), try u64(), try u64())
    }

    /// Reads a replica id.
    /// - Throws: `truncated`, `range` for the zero id (Spec PRIM-007).
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func replica() throws(WireError) -> ReplicaID {
        let start = offset
        guard let replica = ReplicaID(try id16()) else {
            throw fail(.range, .replicaNotZero, at: start)
        }
        return replica
    }

    /// Reads a time.
    /// - Throws: `truncated`, `range` for 0 and above the limit (Spec PRIM-006).
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func time() throws(WireError) -> UInt64 {
        let start = offset
        let time = try u64()
        guard time >= 1, time <= Limits.maxTime else { throw fail(.range, .timeRange, at: start) }
        return time
    }

    /// Reads a stamp: time, then replica.
    /// - Throws: `truncated`, `range`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func stamp() throws(WireError) -> Stamp {
        let time = try time()
        return Stamp(time: time, replica: try replica())
    }

    /// Reads a key of 1 to 512 bytes.
    /// - Throws: `truncated`, `noncanonical`, `range`.
    @_lifetime(self: copy self)
    public mutating func key() throws(WireError) -> Key {
        let start = offset
        let length = try uvarint()
        guard length >= 1, length <= UInt64(Limits.maxKey) else {
            throw fail(.range, .bytesLength, at: start)
        }
        guard length <= UInt64(remaining) else { throw fail(.truncated, .valueComplete, at: start) }
        // Safety: the buffer is read only inside the closure, while the input is borrowed.
        return unsafe take(Int(length)).withUnsafeBytes { unsafe Key(uncheckedCopy: $0) }
    }

    /// Reads a namespace name of 1 to 64 bytes.
    /// - Throws: `truncated`, `noncanonical`, `range`.
    @_lifetime(self: copy self)
    public mutating func name() throws(WireError) -> NamespaceName {
        NamespaceName(unchecked: try byteString(1, Limits.maxName))
    }

    /// Reads a byte that stands for a choice.
    /// - Throws: `truncated`, `range` for a value that is not listed (Spec PRIM-008).
    @_lifetime(self: copy self)
    public mutating func choice<Choice: RawRepresentable<UInt8>>(
        _: Choice.Type = Choice.self
    ) throws(WireError) -> Choice {
        let start = offset
        guard let value = Choice(rawValue: try u8()) else {
            throw fail(.range, .listedChoice, at: start)
        }
        return value
    }

    /// Reads a byte that is 0 or 1.
    /// - Throws: `truncated`, `range`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func flag() throws(WireError) -> Bool {
        let start = offset
        let value = try u8()
        guard value <= 1 else { throw fail(.range, .listedChoice, at: start) }
        return value == 1
    }

    /// Checks that `next` follows `previous` in an ascending list; `next` begins at `start`.
    /// - Throws: `duplicate` or `order` (Spec PRIM-010).
    public func ascends<Element: Comparable>(
        _ previous: Element?, _ next: Element, _ rule: Rule = .listAscends, at start: Int
    ) throws(WireError) {
        guard let previous, !(previous < next) else { return }
        throw fail(previous == next ? .duplicate : .order, rule, at: start)
    }

    /// Checks that the byte string at `next` follows the one at `previous`; what they name begins at `start`.
    ///
    /// Both were read before.
    /// - Throws: `duplicate` or `order` (Spec PRIM-010).
    func ascends(
        _ previous: Range<Int>, _ next: Range<Int>, _ rule: Rule, at start: Int
    ) throws(WireError) {
        let order = order(of: previous, next)
        guard order >= 0 else { return }
        throw fail(order == 0 ? .duplicate : .order, rule, at: start)
    }

    /// Byte order of two byte strings that were read before: -1, 0 or 1, a proper prefix first.
    func order(of first: Range<Int>, _ second: Range<Int>) -> Int {
        let (a, b) = (bytes.extracting(first), bytes.extracting(second))
        var index = 0
        while index &+ 8 <= min(a.byteCount, b.byteCount) {
            // Safety: eight bytes are left in both.
            let (x, y) = unsafe (
                UInt64(bigEndian: a.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)),
                UInt64(bigEndian: b.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            )
            guard x == y else { return x < y ? -1 : 1 }
            index &+= 8
        }
        while index < min(a.byteCount, b.byteCount) {
            let (x, y) = unsafe (
                a.unsafeLoad(fromByteOffset: index, as: UInt8.self),
                b.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            )
            guard x == y else { return x < y ? -1 : 1 }
            index &+= 1
        }
        return (a.byteCount - b.byteCount).signum()
    }

    /// Checks that nothing is left.
    /// - Throws: `trailing`.
    public func end(_ rule: Rule = .valueEnds) throws(WireError) {
        guard remaining == 0 else { throw fail(.trailing, rule) }
    }
}

/// Decodes one value that takes up all of `bytes`.
/// - Throws: what `decode` throws, and `trailing` for bytes left over.
public func decodeWhole<Value>(
    _ bytes: [UInt8], _ rule: Rule = .valueEnds,
    _ decode: (inout WireReader) throws(WireError) -> Value
) throws(WireError) -> Value {
    var reader = WireReader(unsafe bytes.span.bytes)
    let value = try decode(&reader)
    try reader.end(rule)
    return value
}
