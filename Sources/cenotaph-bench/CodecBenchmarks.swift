import CenotaphWire
import Glibc

/// Encoding and decoding a frame of about 64 KiB of rows, against copying its bytes.
func codecBenchmarks(rowBytes: Int, _ rounds: Int) -> [Measurement] {
    let frame = Samples.frame(rowBytes: rowBytes)
    let bytes = frame.encoded()
    let repetitions = repetitions(forBytes: bytes.count)
    return [
        measure(
            "encode", against: "memcpy", n: rowBytes, bytes: bytes.count, rounds: rounds,
            repetitions: repetitions, ours: { keep(frame.encoded()) }, raw: { keep(copy(bytes)) }),
        measure(
            "decode", against: "memcpy", n: rowBytes, bytes: bytes.count, rounds: rounds,
            repetitions: repetitions, ours: { keep(try? Frame.decode(bytes)) },
            raw: { keep(copy(bytes)) }),
    ]
}

/// A fresh copy, as encoding makes a fresh buffer.
@inline(never)
func copy(_ bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
        // Safety: both are `bytes.count` bytes long.
        unsafe bytes.withUnsafeBytes { source in
            if let to = buffer.baseAddress, let from = source.baseAddress {
                unsafe _ = memcpy(to, from, bytes.count)
            }
        }
        count = bytes.count
    }
}
