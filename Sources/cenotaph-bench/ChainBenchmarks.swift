import CenotaphSeal
import CenotaphWire

/// What a frame goes through between two replicas: encode, seal, open, decode; against the same with no code of ours
/// between: copy, box, open the box, copy.
///
/// Frames of about 64 KiB. Both sides allocate each result, and the baseline works on the padded size.
func chainBenchmarks(rowBytes: Int, _ rounds: Int) -> [Measurement] {
    let keys = FleetKeys.generate()
    let frame = Samples.frame(rowBytes: rowBytes)
    let bytes = frame.encoded()
    let padded = Samples.bytes(Envelope.paddedSize(bytes.count))
    let raw = RawBox()
    return [
        measure(
            "encode, seal, open, decode", against: "memcpy, secretbox, open, memcpy", n: rowBytes,
            bytes: bytes.count, rounds: rounds, repetitions: repetitions(forBytes: bytes.count),
            ours: {
                let sealed = try? Envelope.seal(frame, with: keys)
                keep(try? Frame.decode(Envelope.open(sealed ?? [], with: keys)))
            },
            raw: { keep(copy(raw.open(raw.seal(copy(padded))))) })
    ]
}
