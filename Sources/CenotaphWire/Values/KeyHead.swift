/// The first 40 bytes of a key, in memory as they are on the wire, and zeros where the key is shorter.
struct KeyHead: Sendable, BitwiseCopyable {
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// Its size in bytes.
    static let size = 40

    let words: Words

    /// Copies the first bytes.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        var words: Words = (0, 0, 0, 0, 0)
        // Safety: no more is copied than the head has room for.
        unsafe withUnsafeMutableBytes(of: &words) { head in
            unsafe head.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes.prefix(KeyHead.size)))
        }
        self.words = words
    }

    /// Whether the head is below another one in byte order; `nil` if they are the same.
    @inline(__always)
    func precedes(_ other: KeyHead) -> Bool? {
        let (a, b) = (words, other.words)
        if a.0 != b.0 { return a.0.bigEndian < b.0.bigEndian }
        if a.1 != b.1 { return a.1.bigEndian < b.1.bigEndian }
        if a.2 != b.2 { return a.2.bigEndian < b.2.bigEndian }
        if a.3 != b.3 { return a.3.bigEndian < b.3.bigEndian }
        if a.4 != b.4 { return a.4.bigEndian < b.4.bigEndian }
        return nil
    }
}

extension KeyHead: Equatable {
    static func == (a: KeyHead, b: KeyHead) -> Bool { a.words == b.words }
}
