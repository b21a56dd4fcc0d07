internal import CSodium
public import CenotaphWire

/// The name of a seal key on the wire: 8 bytes (Spec SEAL-001).
public struct KeyID: Hashable, Sendable, BitwiseCopyable {
    /// The eight bytes as a big-endian number.
    public let value: UInt64

    /// Makes a key id of eight big-endian bytes.
    public init(_ value: UInt64) { self.value = value }
}

extension KeyID: WireEncodable {
    /// Eight bytes.
    public var wireSize: Int { 8 }
    /// Appends the eight bytes.
    public func write(to writer: inout WireWriter) { writer.u64(value) }
}

extension KeyID: CustomStringConvertible {
    /// Sixteen lower-case hexadecimal digits.
    public var description: String { Hex.string(encoded()) }
}

/// What an envelope is sealed and opened with: a key's name and the box key derived from it.
final class BoxKey: Sendable {
    let id: KeyID
    let box: SecretKey

    /// Derives the box key of `secret` under its own domain, for this version and that id.
    init(_ secret: borrowing SecretKey, id: KeyID, domain: String) {
        box = secret.derived(Array(domain.utf8) + [Envelope.version] + id.encoded())
        self.id = id
    }

    /// The derived box key, which only the conformance checker may see.
    var bytesForVectors: [UInt8] {
        unsafe box.withBytes { key in
            (0..<SecretKey.size).map { index in unsafe key[index] }
        }
    }
}

/// One seal key, with what is derived from it once (Spec SEAL-001, SEAL-002).
public final class SealKey: Sendable {
    let secret: SecretKey
    let boxKey: BoxKey
    /// The key's name on the wire.
    public var id: KeyID { boxKey.id }

    /// Takes a seal key of the given fleet.
    public init(_ secret: consuming SecretKey, fleet: ID16) {
        let id = KeyID(secret.hash(Array("cenotaph/1 key id".utf8) + fleet.encoded()).w0)
        boxKey = BoxKey(secret, id: id, domain: "cenotaph/1 box")
        self.secret = secret
    }

    /// The derived box key, which only the conformance checker may see.
    package var boxKeyForVectors: [UInt8] { boxKey.bytesForVectors }
}

/// The keys of one fleet: whoever has them is a member (Spec 05, "Keys").
public final class FleetKeys: Sendable {
    /// The fleet's id.
    public let fleet: ID16
    /// The seal keys, newest first; at least one.
    public let sealKeys: [SealKey]
    private let digestKey: SecretKey

    /// Takes the keys of a fleet, newest seal key first.
    /// - Throws: `range` without a seal key, `duplicate` for two of one id (Spec SEAL-003).
    public init(
        fleet: ID16, digestKey: consuming SecretKey, sealKeys: [SealKey]
    ) throws(WireError) {
        guard !sealKeys.isEmpty else { throw WireError(.range, .keyFileForm) }
        guard Set(sealKeys.map(\.id)).count == sealKeys.count else {
            throw WireError(.duplicate, .keyIDsDiffer)
        }
        self.fleet = fleet
        self.digestKey = digestKey
        self.sealKeys = sealKeys
    }

    /// Draws the keys of a new fleet.
    public static func generate() -> FleetKeys {
        var generator = SystemRandomNumberGenerator()
        let fleet = ID16.random(using: &generator)
        return FleetKeys(
            fleet: fleet, digestKey: .random(), sealKey: SealKey(.random(), fleet: fleet))
    }

    private init(fleet: ID16, digestKey: consuming SecretKey, sealKey: SealKey) {
        self.fleet = fleet
        self.digestKey = digestKey
        sealKeys = [sealKey]
    }

    /// The key that seals: the newest.
    public var sealKey: SealKey { sealKeys[0] }

    /// The seal key of that id, or `nil`.
    public func sealKey(_ id: KeyID) -> SealKey? { sealKeys.first { $0.id == id } }

    /// The secret of one namespace (Spec LEAF-001).
    public func namespaceKey(_ name: NamespaceName) -> NamespaceKey {
        var context = Array("cenotaph/1 namespace".utf8)
        context += WireWriter.filled(WireSize.byteString(name.bytes)) { $0.byteString(name.bytes) }
        return NamespaceKey(digestKey.derived(context))
    }

    /// A hash under the digest key, for the fingerprints of schemas and summaries.
    public func digestHash(_ message: [UInt8]) -> Hash256 { digestKey.hash(message) }

    /// The name under which this fleet's devices meet on a relay; it tells nothing of the fleet (Spec RELAY-001).
    public var relayRoom: ID16 {
        digestKey.hash(Array("cenotaph/1 relay".utf8) + fleet.encoded()).tag
    }

    /// Lends the secrets to the key file's writer.
    func withSecrets(_ body: (borrowing SecretKey, [SealKey]) -> Void) { body(digestKey, sealKeys) }
}
