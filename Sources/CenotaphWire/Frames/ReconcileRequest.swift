/// A question about one set of one namespace (Spec 03, "reconcile_req").
public struct ReconcileRequest: Hashable, Sendable {
    /// The requester's number for it: 1 to `Limits.maxRequest`.
    public var request: UInt64
    /// The namespace.
    public var namespace: NamespaceName
    /// The set.
    public var set: RowSet
    /// What the requester holds or wants, at least one entry.
    public var ranges: RangeList

    /// Makes a request.
    public init(request: UInt64, namespace: NamespaceName, set: RowSet, ranges: RangeList) {
        self.request = request
        self.namespace = namespace
        self.set = set
        self.ranges = ranges
    }
}

extension ReconcileRequest: WireEncodable {
    /// Bytes of the body.
    public var wireSize: Int {
        WireSize.uvarint(request) + WireSize.byteString(namespace.bytes) + 1 + ranges.wireSize
    }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(request)
        writer.byteString(namespace.bytes)
        writer.u8(set.rawValue)
        ranges.write(to: &writer)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        request = try reader.uvarint(atMost: Limits.maxRequest, .requestRange)
        guard request >= 1 else { throw WireError(.range, .requestRange, at: start) }
        namespace = try reader.name()
        set = try reader.choice()
        ranges = try RangeList(from: &reader, least: 1, modes: [0, 1, 2, 3, 5])
    }
}
