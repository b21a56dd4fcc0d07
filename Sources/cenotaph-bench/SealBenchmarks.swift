import CSodium
import CenotaphSeal
import CenotaphWire

/// Bytes that are a frame's, for sealing alone.
private struct Plain: WireEncodable {
    let bytes: [UInt8]
    var wireSize: Int { bytes.count }
    func write(to writer: inout WireWriter) { writer.raw(bytes) }
}

/// Sealing and opening a frame, against libsodium's secretbox on a buffer of the padded size.
///
/// Both draw a nonce and allocate the result.
func sealBenchmarks(frameBytes: Int, _ rounds: Int) -> [Measurement] {
    let keys = FleetKeys.generate()
    let plain = Plain(bytes: Samples.bytes(frameBytes))
    guard let sealed = try? Envelope.seal(plain, with: keys) else { return [] }
    let padded = Samples.bytes(Envelope.paddedSize(frameBytes))
    let raw = RawBox()
    let box = raw.seal(padded)
    let repetitions = repetitions(forBytes: padded.count)
    return [
        measure(
            "seal", against: "crypto_secretbox_easy of the padded size", n: frameBytes,
            bytes: padded.count, rounds: rounds, repetitions: repetitions,
            ours: { keep(try? Envelope.seal(plain, with: keys)) }, raw: { keep(raw.seal(padded)) }),
        measure(
            "open", against: "crypto_secretbox_open_easy of the padded size", n: frameBytes,
            bytes: padded.count, rounds: rounds, repetitions: repetitions,
            ours: { keep(try? Envelope.open(sealed, with: keys)) }, raw: { keep(raw.open(box)) }),
    ]
}

/// How fast this machine is beside the one that the limits of the design were set on, by the same call of libsodium's.
///
/// A limit in absolute time, such as those of reconcile, is met here if what was measured stays below it divided by this
/// ratio.
func yardstick(_ rounds: Int) -> Measurement {
    // Before it is initialised, libsodium takes its slowest code.
    guard sodium_init() >= 0 else { preconditionFailure("libsodium cannot start") }
    let (raw, padded) = (RawBox(), Samples.bytes(65_536))
    var box = raw.seal(padded)
    // The best of many short rounds: a processor that was idle takes a while to come to its speed.
    let time = cpuTime(rounds: 40 * rounds, repetitions: 10) { raw.seal(padded, into: &box) }
    return Measurement(
        name: "yardstick: secretbox of 64 KiB",
        baseline: "50.8 microseconds of the machine of the limits",
        n: padded.count, bytes: padded.count, ours: time, raw: 50_800)
}

/// libsodium's box with a nonce in front, and nothing else.
struct RawBox {
    let key = Samples.bytes(32)

    @inline(never)
    func seal(_ plain: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 24 + 16 + plain.count) { buffer, count in
            // Safety: the buffer holds the nonce, the tag and the ciphertext.
            guard let base = buffer.baseAddress else { return }
            unsafe randombytes_buf(base, 24)
            unsafe _ = crypto_secretbox_easy(base + 24, plain, UInt64(plain.count), base, key)
            count = 24 + 16 + plain.count
        }
    }

    /// Seals into a box of the right size, which saves its allocation.
    @inline(never)
    func seal(_ plain: [UInt8], into box: inout [UInt8]) {
        unsafe box.withUnsafeMutableBufferPointer { buffer in
            // Safety: the box was made for a plaintext of this size.
            guard let base = buffer.baseAddress, buffer.count == 40 + plain.count else { return }
            unsafe randombytes_buf(base, 24)
            unsafe _ = crypto_secretbox_easy(base + 24, plain, UInt64(plain.count), base, key)
        }
    }

    @inline(never)
    func open(_ box: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: box.count - 40) { buffer, count in
            unsafe box.withUnsafeBufferPointer { source in
                // Safety: the source is 40 bytes longer than the target.
                guard let to = buffer.baseAddress, let from = source.baseAddress else { return }
                unsafe _ = crypto_secretbox_open_easy(
                    to, from + 24, UInt64(box.count - 24), from, key)
            }
            count = box.count - 40
        }
    }
}
