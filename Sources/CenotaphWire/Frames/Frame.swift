/// Who sends a frame to whom, and of which epoch its state is.
public struct FrameHeader: Hashable, Sendable {
    /// The replica whose state the body is.
    public var sender: ReplicaID
    /// A replica's id, or zero for every replica.
    public var recipient: ID16
    /// The sender's epoch, of the same snapshot as the body.
    public var epoch: ID16

    /// Makes a header.
    public init(sender: ReplicaID, recipient: ID16 = .zero, epoch: ID16 = .zero) {
        self.sender = sender
        self.recipient = recipient
        self.epoch = epoch
    }
}

/// What a frame says.
public enum FrameBody: Hashable, Sendable {
    case hello(Hello)
    case digest(Digest)
    case reconcileRequest(ReconcileRequest)
    case reconcileResponse(Delta)
    case syncDelta(Delta)
    case messageOp(MessageOp)
    case error(ErrorReport)
    case sketchRequest(SketchRequest)
    case sketchResponse(SketchResponse)

    /// The kind's number.
    public var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .digest: .digest
        case .reconcileRequest: .reconcileRequest
        case .reconcileResponse: .reconcileResponse
        case .syncDelta: .syncDelta
        case .messageOp: .messageOp
        case .error: .error
        case .sketchRequest: .sketchRequest
        case .sketchResponse: .sketchResponse
        }
    }

    var value: any WireEncodable {
        switch self {
        case .hello(let body): body
        case .digest(let body): body
        case .reconcileRequest(let body): body
        case .reconcileResponse(let body), .syncDelta(let body): body
        case .messageOp(let body): body
        case .error(let body): body
        case .sketchRequest(let body): body
        case .sketchResponse(let body): body
        }
    }
}

/// What a sealed box carries (Spec 03).
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | kind |
/// | 1 | 16 | sender |
/// | 17 | 16 | recipient |
/// | 33 | 16 | epoch |
/// | 49 | | body |
public struct Frame: Hashable, Sendable {
    /// The size of the header with the kind, in bytes.
    public static let headerSize = 49

    /// Sender, recipient and epoch.
    public var header: FrameHeader
    /// The body.
    public var body: FrameBody

    /// Makes a frame.
    public init(header: FrameHeader, body: FrameBody) {
        self.header = header
        self.body = body
    }

    /// Decodes a whole frame, without padding.
    ///
    /// `nil` for a kind of 0x80 and above, which is skipped whatever follows (Spec WIRE-004).
    /// O(bytes).
    /// - Throws: `type` for another unknown kind, and every frame and value class.
    public static func decode(_ bytes: [UInt8]) throws(WireError) -> Frame? {
        if let first = bytes.first, first >= 0x80 { return nil }
        return try decodeWhole(bytes, .frameEnds) { (reader) throws(WireError) in
            try Frame(from: &reader)
        }
    }

    private init(from reader: inout WireReader) throws(WireError) {
        let code = try reader.u8()
        guard let kind = FrameKind(rawValue: code) else { throw WireError(.type, .kindKnown) }
        guard kind.isDescribed else { throw WireError(.type, .kindKnown) }
        header = FrameHeader(
            sender: try reader.replica(), recipient: try reader.id16(), epoch: try reader.id16())
        body =
            switch kind {
            case .hello: .hello(try Hello(from: &reader))
            case .digest: .digest(try Digest(from: &reader))
            case .reconcileRequest: .reconcileRequest(try ReconcileRequest(from: &reader))
            case .reconcileResponse: .reconcileResponse(try Delta(from: &reader))
            case .syncDelta: .syncDelta(try Delta(from: &reader))
            case .messageOp: .messageOp(try MessageOp(from: &reader))
            case .error: .error(try ErrorReport(from: &reader))
            case .sketchRequest: .sketchRequest(try SketchRequest(from: &reader))
            case .sketchResponse: .sketchResponse(try SketchResponse(from: &reader))
            default: throw WireError(.type, .kindKnown)
            }
    }
}

extension Frame: WireEncodable {
    /// Header and body.
    public var wireSize: Int { Frame.headerSize + body.value.wireSize }

    /// Appends header and body.
    public func write(to writer: inout WireWriter) {
        writer.u8(body.kind.rawValue)
        writer.id16(header.sender.id)
        writer.id16(header.recipient)
        writer.id16(header.epoch)
        body.value.write(to: &writer)
    }
}
