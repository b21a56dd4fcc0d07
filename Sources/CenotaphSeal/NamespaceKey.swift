internal import CSodium
public import CenotaphWire

/// The secret that every hash of one namespace begins with (Spec LEAF-001, LEAF-003).
public final class NamespaceKey: Sendable {
    private let secret: SecretKey

    init(_ secret: consuming SecretKey) { self.secret = secret }

    /// `BLAKE2b(nsKey || tag || value)`, in one pass over a buffer that is wiped of the key afterwards.
    public func hash(tag: UInt8, _ value: some WireEncodable) -> Hash256 {
        hash(tag: tag, size: value.wireSize) { value.write(to: &$0) }
    }

    /// The same of `size` bytes that `write` appends.
    package func hash(
        tag: UInt8, size: Int, _ write: (inout WireWriter) -> Void
    ) -> Hash256 {
        let prefix = SecretKey.size + 1
        let size = prefix + size
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            // Safety: the buffer holds `size` > 32 bytes; the key, the tag and the value fill all of them.
            guard let base = buffer.baseAddress else { return .zero }
            unsafe secret.withBytes { key in
                unsafe base.copyMemory(from: key, byteCount: SecretKey.size)
            }
            unsafe buffer[SecretKey.size] = tag
            unsafe WireWriter.fill(
                UnsafeMutableRawBufferPointer(rebasing: buffer[prefix...]), write)
            let hash = unsafe Blake2b.hash(
                base.assumingMemoryBound(to: UInt8.self), count: size)
            unsafe sodium_memzero(base, SecretKey.size)
            return hash
        }
    }
}
