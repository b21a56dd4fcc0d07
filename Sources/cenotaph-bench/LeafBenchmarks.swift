import CSodium
import CenotaphDigest
import CenotaphSeal
import CenotaphWire

/// The leaf of a causal row from its parts, against one libsodium BLAKE2b over bytes that lie ready; and the two
/// ways to key it (Spec LEAF-003).
func leafBenchmarks(bodyBytes: Int, _ rounds: Int) -> [Measurement] {
    let key = FleetKeys.generate().namespaceKey("notes")
    let row = Row.causal(Samples.row(7, bodyBytes: bodyBytes))
    let message = Samples.bytes(SecretKey.size + 1 + row.wireSize)
    let secret = Samples.bytes(32)
    let unprefixed = Array(message.dropFirst(SecretKey.size))
    let repetitions = repetitions(forBytes: message.count)
    return [
        measure(
            "leaf", against: "crypto_generichash of the same bytes", n: bodyBytes,
            bytes: message.count, rounds: rounds, repetitions: repetitions,
            ours: { keep(key.leaf(of: row)) }, raw: { keep(rawHash(message, key: [])) }),
        measure(
            "hash with the key in front", against: "keyed mode", n: bodyBytes,
            bytes: message.count, rounds: rounds, repetitions: repetitions,
            ours: { keep(rawHash(message, key: [])) },
            raw: { keep(rawHash(unprefixed, key: secret)) }),
    ]
}

@inline(never)
private func rawHash(_ message: [UInt8], key: [UInt8]) -> UInt8 {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
        // Safety: the buffer holds the 32 bytes that are asked for.
        guard let base = buffer.baseAddress else { return 0 }
        unsafe _ = crypto_generichash(base, 32, message, UInt64(message.count), key, key.count)
        return unsafe buffer[0]
    }
}
