internal import CenotaphSeal
internal import CenotaphWire

/// Commented byte dumps.
struct Explanation {
    let title: String
    let lines: [String]

    /// An unpadded frame, with the decoder's verdict.
    static func frame(_ bytes: [UInt8], _ title: String = "frame") -> Explanation {
        var verdict: WireError?
        var result = "accepted"
        do throws(WireError) {
            if try Frame.decode(bytes) == nil { result = "skipped" }
        } catch {
            verdict = error
            result = "\(error)"
        }
        return Explanation(
            title: "\(title), \(bytes.count) bytes: \(result)",
            lines: ByteDump(frame: bytes).lines(verdict: verdict))
    }

    /// A sealed frame from outside, and what is in it if a key opens it.
    static func sealed(_ bytes: [UInt8], _ keys: FleetKeys?) -> [Explanation] {
        let dump = ByteDump(envelope: bytes)
        let title = "sealed frame, \(bytes.count) bytes"
        guard let keys else { return [Explanation(title: title, lines: dump.lines())] }
        do {
            let frame = try Envelope.open(bytes, with: keys)
            return [
                Explanation(title: "\(title): opens", lines: dump.lines()),
                self.frame(frame, "frame inside"),
            ]
        } catch {
            return [Explanation(title: "\(title): \(error)", lines: dump.lines(verdict: error))]
        }
    }

    /// The frames and envelopes of a case's input.
    static func frames(of value: VectorCase) -> [Explanation] {
        let fields = Fields(values: value.in)
        switch value.op {
        case "frame.decode":
            guard let bytes = try? fields.bytes("bytes") else { return [] }
            return [frame(bytes)]
        case "seal.open":
            guard let bytes = try? fields.bytes("bytes") else { return [] }
            return sealed(bytes, try? SealOps.fleetKeys(fields))
        case "seal.seal":
            guard let bytes = try? fields.bytes("frame") else { return [] }
            return [frame(bytes)]
        default: return []
        }
    }
}
