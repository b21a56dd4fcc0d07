internal import CenotaphWire

/// The library of this package, asked in this process.
struct BuiltIn: Implementation {
    let name = "built-in"

    typealias Operation = @Sendable (Fields) throws(OpFailure) -> [String: String]

    /// Every operation of Spec 11.
    static let operations: [String: Operation] = [
        "uvarint.decode": CodecOps.uvarint,
        "bytes.decode": CodecOps.bytes,
        "stamp.decode": CodecOps.stamp,
        "vector.decode": CodecOps.vector,
        "frame.decode": CodecOps.frame,
        "leaf.event": LeafOps.event,
        "leaf.marker": LeafOps.marker,
        "leaf.causal": LeafOps.causal,
        "leaf.lastWriter": LeafOps.lastWriter,
        "leaf.message": MessageOps.leaf,
        "fingerprint": DigestOps.fingerprint,
        "split": DigestOps.split,
        "root": DigestOps.root,
        "sketch.id": SketchOps.id,
        "sketch.indexes": SketchOps.indexes,
        "sketch.cells": SketchOps.cells,
        "sketch.difference": SketchOps.difference,
        "sketch.estimate": SketchOps.estimate,
        "sketch.answer": SketchOps.answer,
        "schema": DigestOps.schema,
        "summary": DigestOps.summary,
        "seal.key": SealOps.key,
        "seal.open": SealOps.open,
        "seal.seal": SealOps.seal,
        "seal.channel": MessageOps.channelKey,
        "relay.room": RelayOps.room, "relay.channel": RelayOps.channel,
        "relay.greeting.decode": RelayOps.greeting, "relay.record.decode": RelayOps.record,
        "merge.causal": MergeOps.causal,
        "merge.lastWriter": MergeOps.lastWriter,
        "merge.log": MergeOps.log,
        "merge.message": MessageOps.merge,
        "channel.accept": MessageOps.accept,
        "channel.tell": MessageOps.tell,
    ]

    func answer(_ op: String, _ fields: [String: String]) -> Answer {
        guard let operation = BuiltIn.operations[op] else { return .unsupported(op) }
        do throws(OpFailure) {
            return .accepted(try operation(Fields(values: fields)))
        } catch {
            switch error {
            case .rejected(let error):
                return .rejected(error.errorClass.name, note: "\(error)")
            case .malformed(let text): return .failed(text)
            case .unsupported: return .unsupported(op)
            }
        }
    }
}
