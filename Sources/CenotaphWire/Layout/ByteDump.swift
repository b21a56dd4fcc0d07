/// The bytes of a frame or an envelope, field by field, as far as they can be told apart.
///
/// A dump does not judge: order, canonical form and the use of the replica table are the decoder's matter. It
/// stops where the next field cannot be read, and keeps what it has. O(bytes), whatever they claim.
public struct ByteDump: Hashable, Sendable {
    /// One field.
    public struct Entry: Hashable, Sendable {
        /// The offset of its first byte.
        public let offset: Int
        /// The number of its bytes, 0 for an empty byte string.
        public let length: Int
        /// Its name, such as `rows.0.key`.
        public let path: String
        /// Its type in the specification, such as `uvarint`.
        public let type: String
        /// What the bytes say.
        public let value: String
    }

    /// The bytes themselves.
    public let bytes: [UInt8]
    /// The fields, in the order of the bytes, without gaps.
    public let entries: [Entry]
    /// Where and why the walk stopped, or `nil` if every byte has its field.
    public let error: WireError?

    /// Walks along an unpadded frame (Spec 03).
    public init(frame bytes: [UInt8]) {
        self.init(bytes) { (walk, reader) throws(WireError) in try walk.frame(&reader) }
    }

    /// Walks along a sealed frame, seen from outside (Spec 05, "Envelope").
    public init(envelope bytes: [UInt8]) {
        self.init(bytes) { (walk, reader) throws(WireError) in
            try walk.fields(Layout.envelope, "", &reader)
        }
    }

    private init(
        _ bytes: [UInt8],
        _ walk: (inout LayoutWalk, inout WireReader) throws(WireError) -> Void
    ) {
        self.bytes = bytes
        var state = LayoutWalk()
        do {
            try decodeWhole(bytes, .frameEnds) { (reader) throws(WireError) in
                try walk(&state, &reader)
            }
            error = nil
        } catch {
            self.error = error
        }
        entries = state.entries
    }

    /// The number of bytes that have their field.
    public var consumed: Int { entries.last.map { $0.offset + $0.length } ?? 0 }
}
