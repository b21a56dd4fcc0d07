internal import CenotaphSeal
internal import CenotaphWire

/// Makes a rejected case from its twin again (Spec 11, "Shape of a vector file").
struct TwinCheck {
    private let corpus: Corpus
    /// The twins that the library takes as they say; each is asked once, however many cases share it.
    private let accepted: Set<String>

    init(corpus: Corpus) {
        self.corpus = corpus
        accepted = Set(corpus.members.compactMap(\.value.twin?.of)).filter { id in
            guard let value = corpus[id], let out = value.out else { return false }
            return BuiltIn().answer(value.op, value.in) == .accepted(out)
        }
    }

    /// What is wrong with a twin; `nil` if the edits alone turn an accepted case into this one.
    func problem(_ value: VectorCase, _ twin: VectorCase.Twin) -> String? {
        guard let other = corpus[twin.of] else { return "the twin \(twin.of) is not there" }
        guard other.out != nil else { return "the twin \(twin.of) is not an accepted case" }
        guard other.op == value.op else { return "the twin is of another operation" }
        guard accepted.contains(twin.of) else { return "the twin \(twin.of) is not accepted" }
        do {
            var fields = other.in
            let bytes = try Fields(values: fields).bytes(twin.field)
            let changed =
                switch twin.layer {
                case nil: try apply(twin.edits, to: bytes)
                case "plaintext": try insideTheBox(bytes, twin.edits, Fields(values: fields))
                default: throw OpFailure.malformed("no layer \(twin.layer ?? "")")
                }
            fields[twin.field] = Hex.string(changed)
            if fields != value.in { return "the edits do not make the input" }
            return fields == other.in ? "the edits change nothing" : nil
        } catch {
            return "the edits cannot be applied: \(error)"
        }
    }

    private func apply(
        _ edits: [VectorCase.Edit], to bytes: [UInt8]
    ) throws(OpFailure) -> [UInt8] {
        var bytes = bytes
        for edit in edits {
            guard edit.at >= 0, edit.del >= 0, edit.at <= bytes.count,
                edit.del <= bytes.count - edit.at
            else { throw .malformed("an edit beyond the end") }
            bytes.replaceSubrange(
                edit.at..<edit.at + edit.del, with: try Fields.hex(edit.ins, "ins"))
        }
        return bytes
    }

    private func insideTheBox(
        _ sealed: [UInt8], _ edits: [VectorCase.Edit], _ fields: Fields
    ) throws(OpFailure) -> [UInt8] {
        let keys = try SealOps.fleetKeys(fields)
        let plaintext = try library { () throws(WireError) in
            try Envelope.plaintext(of: sealed, with: keys)
        }
        let header = try library { () throws(WireError) in try EnvelopeHeader(of: sealed) }
        return Envelope.seal(
            plaintext: try apply(edits, to: plaintext), with: keys.sealKey, nonce: header.nonce)
    }
}
