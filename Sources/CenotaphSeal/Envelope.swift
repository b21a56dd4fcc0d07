internal import CSodium
public import CenotaphWire

/// A sealed frame (Spec 05, "Envelope").
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | version, 1 |
/// | 1 | 8 | key id |
/// | 9 | 24 | nonce |
/// | 33 | 16 | tag |
/// | 49 | P | ciphertext of the padded plaintext |
public enum Envelope {
    /// The envelope's version byte.
    public static let version: UInt8 = 1
    /// The size of the nonce, in bytes.
    public static let nonceSize = 24
    private static let paddingMark: UInt8 = 0x80
    static let tagOffset = 33
    static let boxOffset = 49

    /// The padded size of a frame of `length` bytes (Spec SEAL-008): Padme, at least 256.
    public static func paddedSize(_ length: Int) -> Int {
        let n = max(Limits.minPlaintext, length + 1)
        let e = Int.bitWidth - 1 - n.leadingZeroBitCount
        let s = Int.bitWidth - e.leadingZeroBitCount
        let mask = (1 << (e - s)) - 1
        return (n + mask) & ~mask
    }

    /// Seals a frame under the newest key with a fresh random nonce.
    ///
    /// One buffer of the sealed size; O(bytes).
    /// - Throws: `too-large` over `Limits.maxFrame` (Spec SEAL-010).
    public static func seal(
        _ frame: some WireEncodable, with keys: FleetKeys
    ) throws(WireError) -> [UInt8] {
        let nonce = unsafe [UInt8](unsafeUninitializedCapacity: nonceSize) { buffer, count in
            _ = Sodium.ready
            // Safety: the buffer has room for the whole nonce.
            if let base = buffer.baseAddress { unsafe randombytes_buf(base, nonceSize) }
            count = nonceSize
        }
        return try seal(frame, with: keys.sealKey, nonce: nonce)
    }

    /// Seals with a given nonce, which vectors need and nothing else may use (Spec SEAL-004).
    /// - Throws: `too-large`.
    package static func seal(
        _ frame: some WireEncodable, with key: SealKey, nonce: [UInt8]
    ) throws(WireError) -> [UInt8] {
        let length = frame.wireSize
        guard length <= Limits.maxFrame else { throw WireError(.tooLarge, .plaintextLimit) }
        precondition(nonce.count == nonceSize, "a nonce is 24 bytes")
        let padded = paddedSize(length)
        var sealed = header(key, nonce, padded) { writer in
            frame.write(to: &writer)
            writer.u8(paddingMark)
            writer.zeros(padded - length - 1)
        }
        close(&sealed, with: key)
        return sealed
    }

    /// Seals a plaintext as it stands, padded rightly or wrongly.
    ///
    /// Only vectors with a fault inside the box need it.
    package static func seal(
        plaintext: [UInt8], with key: SealKey, nonce: [UInt8]
    ) -> [UInt8] {
        precondition(nonce.count == nonceSize, "a nonce is 24 bytes")
        var sealed = header(key, nonce, plaintext.count) { $0.raw(plaintext) }
        close(&sealed, with: key)
        return sealed
    }

    /// The clear header, room for the tag, and the plaintext that `body` writes.
    private static func header(
        _ key: SealKey, _ nonce: [UInt8], _ padded: Int, _ body: (inout WireWriter) -> Void
    ) -> [UInt8] {
        WireWriter.filled(boxOffset + padded) { writer in
            writer.u8(version)
            writer.u64(key.id.value)
            writer.raw(nonce)
            writer.zeros(boxOffset - tagOffset)
            body(&writer)
        }
    }

    /// Encrypts the plaintext behind the header where it stands and writes its tag.
    private static func close(_ sealed: inout [UInt8], with key: SealKey) {
        unsafe sealed.withUnsafeMutableBufferPointer { buffer in
            // Safety: the buffer holds the header, the tag and the plaintext; it is encrypted in place.
            guard let base = buffer.baseAddress else { return }
            unsafe key.box.withBytes { boxKey in
                unsafe _ = crypto_secretbox_detached(
                    base + boxOffset, base + tagOffset, base + boxOffset,
                    UInt64(buffer.count - boxOffset), base + 1 + 8, boxKey)
            }
        }
    }

    /// Opens a sealed frame and takes the padding off; the frame's own bytes are not looked at.
    /// - Throws: `truncated`, `version`, `too-large`, `auth`, `seal-format`, in the order of Spec SEAL-005.
    public static func open(
        _ sealed: [UInt8], with keys: FleetKeys
    ) throws(WireError) -> [UInt8] {
        var plain = try plaintext(of: sealed, with: keys)
        guard let length = plain.lastIndex(where: { $0 != 0 }), plain[length] == paddingMark,
            paddedSize(length) == plain.count
        else { throw WireError(.sealFormat, .padding, at: boxOffset) }
        plain.removeLast(plain.count - length)
        return plain
    }

    /// Opens the box alone: the padded plaintext, whatever its padding.
    /// - Throws: `truncated`, `version`, `too-large`, `auth`.
    package static func plaintext(
        of sealed: [UInt8], with keys: FleetKeys
    ) throws(WireError) -> [UInt8] {
        let key = try key(of: sealed, in: keys)
        let padded = sealed.count - boxOffset
        var opened = false
        let plain = unsafe [UInt8](unsafeUninitializedCapacity: padded) { buffer, count in
            unsafe sealed.withUnsafeBufferPointer { source in
                // Safety: the source is boxOffset + padded bytes long, the target padded.
                guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
                let status = unsafe key.box.withBytes { boxKey in
                    unsafe crypto_secretbox_open_detached(
                        to, from + boxOffset, from + tagOffset, UInt64(padded), from + 1 + 8,
                        boxKey)
                }
                guard status == 0 else { return }
                opened = true
                count = padded
            }
        }
        guard opened else { throw WireError(.auth, .envelope, at: tagOffset) }
        return plain
    }

    /// Checks what an outsider sees and finds the key.
    private static func key(
        of sealed: [UInt8], in keys: FleetKeys
    ) throws(WireError) -> SealKey {
        let header = try EnvelopeHeader(of: sealed)
        guard let key = keys.sealKey(header.keyID) else { throw WireError(.auth, .envelope, at: 1) }
        return key
    }
}

/// What anyone can read of a sealed frame.
public struct EnvelopeHeader: Hashable, Sendable {
    /// The seal key's id.
    public let keyID: KeyID
    /// The nonce, 24 bytes.
    public let nonce: [UInt8]
    /// The padded size of the plaintext, in bytes.
    public let paddedSize: Int

    /// Reads the header of a sealed frame.
    /// - Throws: `truncated`, `version`, `too-large` (Spec SEAL-005).
    public init(of sealed: [UInt8]) throws(WireError) {
        guard let version = sealed.first else { throw WireError(.truncated, .envelope) }
        guard version == Envelope.version else { throw WireError(.version, .envelope) }
        guard sealed.count >= Limits.minSealed else {
            throw WireError(.truncated, .envelope, at: sealed.count)
        }
        guard sealed.count <= Limits.maxSealed else {
            throw WireError(.tooLarge, .envelope, at: Limits.maxSealed)
        }
        keyID = KeyID(sealed[1..<9].reduce(0) { $0 << 8 | UInt64($1) })
        nonce = Array(sealed[9..<33])
        paddedSize = sealed.count - Limits.envelopeOverhead
    }
}
