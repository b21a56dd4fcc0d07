/// Keys of rows that belong to a parent row: bytes(parent key), then the child's own part (Spec 07, "Parents").
extension Key {
    /// The key of a child of `parent`.
    ///
    /// | size | field |
    /// |---|---|
    /// | 1 or 2 | length of the parent's key, uvarint |
    /// | 1 to 511 | the parent's key |
    /// | 1 or more | `own` |
    /// - Throws: `range` if `own` is empty or all together exceed 512 bytes.
    public init(child own: [UInt8], of parent: Key) throws(WireError) {
        guard !own.isEmpty else { throw WireError(.range, .bytesLength) }
        try self.init(parent.childPrefix + own)
    }

    /// The parent's key, or `nil` if this is no child's key.
    public var parent: Key? {
        var reader = WireReader(unsafe bytes.span.bytes)
        guard let parent = try? reader.key(), reader.remaining > 0 else { return nil }
        return parent
    }

    /// What the keys of all children of this key begin with.
    var childPrefix: [UInt8] {
        WireWriter.filled(WireSize.byteString(bytes)) { $0.byteString(bytes) }
    }

    /// The range of the keys of all children of this key.
    public var childRange: KeyRange {
        let prefix = childPrefix
        var end = prefix
        while let last = end.popLast() {
            if last < 0xff {
                end.append(last + 1)
                break
            }
        }
        // A child's key is longer than the prefix, so one that fills a key by itself has no children.
        guard prefix.count < Limits.maxKey else { return KeyRange(from: self, to: self) }
        return KeyRange(
            from: Key(unchecked: prefix), to: end.isEmpty ? nil : Key(unchecked: end))
    }
}
