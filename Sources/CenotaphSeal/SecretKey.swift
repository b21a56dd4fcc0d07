internal import CSodium
public import CenotaphWire

/// libsodium, initialised once for the process.
enum Sodium {
    static let ready: Void = {
        precondition(sodium_init() >= 0, "libsodium cannot start: no random source")
    }()
}

/// Thirty-two secret bytes in guarded memory, locked where the system allows, wiped when the owner goes.
///
/// It cannot be copied, printed, compared or put into an error.
@safe public struct SecretKey: ~Copyable, @unchecked Sendable {
    /// The size of a key, in bytes.
    public static let size = 32

    // Safety: the address is owned by this value alone, holds `size` bytes for its whole life and is not
    // written after `init`; hence reading it from several threads is sound.
    private let address: UnsafeMutableRawPointer

    /// A key of thirty-two bytes that `fill` writes.
    init(filling fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        _ = Sodium.ready
        guard let memory = unsafe sodium_malloc(SecretKey.size) else {
            preconditionFailure("no memory for a key")
        }
        unsafe address = memory
        unsafe fill(memory.assumingMemoryBound(to: UInt8.self))
        unsafe _ = sodium_mprotect_readonly(memory)
    }

    /// A new random key.
    public static func random() -> SecretKey {
        unsafe SecretKey { memory in unsafe randombytes_buf(memory, SecretKey.size) }
    }

    /// Copies a key; `nil` if there are not thirty-two bytes.
    ///
    /// The caller wipes its own copy.
    public init?(copying bytes: [UInt8]) {
        guard bytes.count == SecretKey.size else { return nil }
        unsafe self.init { memory in
            for index in 0..<SecretKey.size { unsafe memory[index] = bytes[index] }
        }
    }

    deinit { unsafe sodium_free(address) }

    /// Lends the bytes for the call only.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe body(UnsafePointer(address.assumingMemoryBound(to: UInt8.self)))
    }

    /// Derives another key: keyed BLAKE2b-256 of `context` under this one.
    func derived(_ context: [UInt8]) -> SecretKey {
        unsafe SecretKey { memory in unsafe hash(context, into: memory) }
    }

    /// Keyed BLAKE2b-256 of `message` under this key.
    ///
    /// O(message).
    public func hash(_ message: [UInt8]) -> Hash256 {
        unsafe Blake2b.collect { output in unsafe hash(message, into: output) }
    }

    private func hash(_ message: [UInt8], into output: UnsafeMutablePointer<UInt8>) {
        unsafe withBytes { key in
            // Safety: all three buffers are live for the call and of the sizes given.
            let status = unsafe crypto_generichash(
                output, 32, message, UInt64(message.count), key, SecretKey.size)
            precondition(status == 0, "BLAKE2b refused fixed sizes")
        }
    }
}

/// Unkeyed BLAKE2b-256.
enum Blake2b {
    /// The hash of `count` bytes at `message`.
    static func hash(_ message: UnsafePointer<UInt8>, count: Int) -> Hash256 {
        unsafe collect { output in
            // Safety: the caller lends `count` readable bytes; the output holds 32.
            let status = unsafe crypto_generichash(output, 32, message, UInt64(count), nil, 0)
            precondition(status == 0, "BLAKE2b refused fixed sizes")
        }
    }

    /// Thirty-two bytes that `fill` writes, as a hash.
    static func collect(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> Hash256 {
        unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            let bytes = unsafe buffer.bindMemory(to: UInt8.self)
            guard let base = bytes.baseAddress else { return .zero }
            unsafe fill(base)
            func word(_ offset: Int) -> UInt64 {
                unsafe UInt64(
                    bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            return Hash256(word(0), word(8), word(16), word(24))
        }
    }
}

/// Overwrites bytes that held a secret.
package func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        // Safety: the buffer is this array's own storage.
        guard let base = buffer.baseAddress else { return }
        unsafe sodium_memzero(base, buffer.count)
    }
}
