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
    static let nonceOffset = 9
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
        try seal(frame, with: keys.sealKey.boxKey, nonce: nil)
    }

    /// Seals a frame for a contact, with a fresh random nonce (Spec SEAL-042).
    /// - Throws: `too-large` over `Limits.maxFrame` (Spec SEAL-010).
    public static func seal(
        _ frame: some WireEncodable, with keys: ChannelKeys
    ) throws(WireError) -> [UInt8] {
        try seal(frame, with: keys.outgoing, nonce: nil)
    }

    /// Seals with a given nonce, which vectors need and nothing else may use (Spec SEAL-004).
    /// - Throws: `too-large`.
    package static func seal(
        _ frame: some WireEncodable, with key: SealKey, nonce: [UInt8]
    ) throws(WireError) -> [UInt8] {
        try seal(frame, with: key.boxKey, nonce: nonce)
    }

    /// Seals with a given nonce, or with a fresh random one.
    private static func seal(
        _ frame: some WireEncodable, with key: BoxKey, nonce: [UInt8]?
    ) throws(WireError) -> [UInt8] {
        let length = frame.wireSize
        guard length <= Limits.maxFrame else { throw WireError(.tooLarge, .plaintextLimit) }
        let padded = paddedSize(length)
        var sealed = header(key, nonce, padded) { writer in
            frame.write(to: &writer)
            writer.u8(paddingMark)
            writer.zeros(padded - length - 1)
        }
        close(&sealed, with: key, drawsNonce: nonce == nil)
        return sealed
    }

    /// Seals a plaintext as it stands, padded rightly or wrongly.
    ///
    /// Only vectors with a fault inside the box need it.
    package static func seal(
        plaintext: [UInt8], with key: SealKey, nonce: [UInt8]
    ) -> [UInt8] {
        var sealed = header(key.boxKey, nonce, plaintext.count) { $0.raw(plaintext) }
        close(&sealed, with: key.boxKey, drawsNonce: false)
        return sealed
    }

    /// The clear header, room for the tag and for a nonce that is not given, and the plaintext that `body` writes.
    private static func header(
        _ key: BoxKey, _ nonce: [UInt8]?, _ padded: Int, _ body: (inout WireWriter) -> Void
    ) -> [UInt8] {
        precondition(nonce.map { $0.count == nonceSize } ?? true, "a nonce is 24 bytes")
        return WireWriter.filled(boxOffset + padded) { writer in
            writer.u8(version)
            writer.u64(key.id.value)
            if let nonce { writer.raw(nonce) }
            writer.zeros(boxOffset - writer.count)
            body(&writer)
        }
    }

    /// Draws the nonce where none was given, encrypts the plaintext behind the header where it stands and writes its tag.
    private static func close(_ sealed: inout [UInt8], with key: BoxKey, drawsNonce: Bool) {
        unsafe sealed.withUnsafeMutableBufferPointer { buffer in
            // Safety: the buffer holds the header, the tag and the plaintext; it is encrypted in place.
            guard let base = buffer.baseAddress else { return }
            if drawsNonce {
                _ = Sodium.ready
                unsafe randombytes_buf(base + nonceOffset, nonceSize)
            }
            unsafe key.box.withBytes { boxKey in
                unsafe _ = crypto_secretbox_detached(
                    base + boxOffset, base + tagOffset, base + boxOffset,
                    UInt64(buffer.count - boxOffset), base + nonceOffset, boxKey)
            }
        }
    }

    /// Opens a sealed frame and takes the padding off; the frame's own bytes are not looked at.
    /// - Throws: `truncated`, `version`, `too-large`, `auth`, `seal-format`, in the order of Spec SEAL-005.
    public static func open(
        _ sealed: [UInt8], with keys: FleetKeys
    ) throws(WireError) -> [UInt8] {
        try unpadded(plaintext(of: sealed, with: keys))
    }

    /// Opens what came from a contact, with the keys of that direction alone (Spec SEAL-042).
    /// - Throws: `truncated`, `version`, `too-large`, `auth`, `seal-format`, in the order of Spec SEAL-005.
    public static func open(
        _ sealed: [UInt8], with keys: ChannelKeys
    ) throws(WireError) -> [UInt8] {
        let keyID = try EnvelopeHeader.keyID(of: sealed)
        guard keyID == keys.incoming.id else { throw WireError(.auth, .envelope, at: 1) }
        return try unpadded(plaintext(of: sealed, under: keys.incoming))
    }

    /// Takes the padding off where the plaintext lies.
    private static func unpadded(_ plaintext: consuming [UInt8]) throws(WireError) -> [UInt8] {
        let length = contentSize(unsafe plaintext.span.bytes)
        guard length >= 0, plaintext[length] == paddingMark, paddedSize(length) == plaintext.count
        else { throw WireError(.sealFormat, .padding, at: boxOffset) }
        plaintext.removeLast(plaintext.count - length)
        return plaintext
    }

    /// Where the last byte that is not zero lies, or -1.
    private static func contentSize(_ bytes: RawSpan) -> Int {
        var end = bytes.byteCount
        // Safety: eight bytes lie before `end`, then one.
        while end >= 8,
            unsafe bytes.unsafeLoadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0
        {
            end -= 8
        }
        while end > 0, unsafe bytes.unsafeLoad(fromByteOffset: end - 1, as: UInt8.self) == 0 {
            end -= 1
        }
        return end - 1
    }

    /// Opens the box alone: the padded plaintext, whatever its padding.
    /// - Throws: `truncated`, `version`, `too-large`, `auth`.
    package static func plaintext(
        of sealed: [UInt8], with keys: FleetKeys
    ) throws(WireError) -> [UInt8] {
        let keyID = try EnvelopeHeader.keyID(of: sealed)
        guard let key = keys.sealKey(keyID) else { throw WireError(.auth, .envelope, at: 1) }
        return try plaintext(of: sealed, under: key.boxKey)
    }

    /// Opens a box whose header was checked.
    private static func plaintext(
        of sealed: [UInt8], under key: BoxKey
    ) throws(WireError) -> [UInt8] {
        let padded = sealed.count - boxOffset
        var opened = false
        let plain = unsafe [UInt8](unsafeUninitializedCapacity: padded) { buffer, count in
            unsafe sealed.withUnsafeBufferPointer { source in
                // Safety: the source is boxOffset + padded bytes long, the target padded.
                guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
                let status = unsafe key.box.withBytes { boxKey in
                    unsafe crypto_secretbox_open_detached(
                        to, from + boxOffset, from + tagOffset, UInt64(padded),
                        from + nonceOffset, boxKey)
                }
                guard status == 0 else { return }
                opened = true
                count = padded
            }
        }
        guard opened else { throw WireError(.auth, .envelope, at: tagOffset) }
        return plain
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
        keyID = try EnvelopeHeader.keyID(of: sealed)
        nonce = Array(sealed[Envelope.nonceOffset..<Envelope.tagOffset])
        paddedSize = sealed.count - Limits.envelopeOverhead
    }

    /// Checks the header and the size of a sealed frame, and reads its key id.
    static func keyID(of sealed: [UInt8]) throws(WireError) -> KeyID {
        guard let version = sealed.first else { throw WireError(.truncated, .envelope) }
        guard version == Envelope.version else { throw WireError(.version, .envelope) }
        guard sealed.count >= Limits.minSealed else {
            throw WireError(.truncated, .envelope, at: sealed.count)
        }
        guard sealed.count <= Limits.maxSealed else {
            throw WireError(.tooLarge, .envelope, at: Limits.maxSealed)
        }
        var id: UInt64 = 0
        for index in 1..<Envelope.nonceOffset { id = id << 8 | UInt64(sealed[index]) }
        return KeyID(id)
    }
}
