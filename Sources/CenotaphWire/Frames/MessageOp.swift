/// What a contact is told of one message: the body of `message_op` (Spec 03).
///
/// A message, seen from the receiver's side: its direction is inbound, and it is never deleted for one side alone.
public struct MessageOp: Hashable, Sendable {
    /// The namespace of the message.
    public let namespace: NamespaceName
    /// The message, or a piece of it.
    public let row: MessageRow

    /// Makes an operation, or `nil` of a row that is deleted for me or outbound (Spec WIRE-070).
    public init?(namespace: NamespaceName, row: MessageRow) {
        guard row.scope != .me, row.base?.direction != .outbound else { return nil }
        self.namespace = namespace
        self.row = row
    }
}

extension MessageOp: WireEncodable {
    /// Bytes of the body.
    public var wireSize: Int { WireSize.byteString(namespace.bytes) + row.wireSize }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.byteString(namespace.bytes)
        row.write(to: &writer)
    }

    init(from reader: inout WireReader) throws(WireError) {
        namespace = try reader.name()
        row = try MessageRow(from: &reader, normal: .messageOpForm, isOperation: true)
    }
}
