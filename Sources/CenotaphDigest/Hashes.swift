public import CenotaphSeal
public import CenotaphWire

extension NamespaceKey {
    /// The leaf of a row (Spec LEAF-003).
    ///
    /// One BLAKE2b over 33 bytes and the content.
    public func leaf(of row: Row) -> Hash256 { hash(tag: row.type.rawValue, row) }

    /// The leaf of a row whose canonical content is at hand (Spec LEAF-003).
    public func leaf(_ type: RowType, content: [UInt8]) -> Hash256 {
        hash(tag: type.rawValue, size: content.count) { $0.raw(content) }
    }

    /// The root of a namespace (Spec DIG-006).
    ///
    /// O(1).
    public func root(live: Hash256, tombstones: Hash256) -> Hash256 {
        hash(tag: 0x20, TwoHashes(first: live, second: tombstones))
    }

    /// The place of a key, 24 bits (Spec SKETCH-001).
    ///
    /// One BLAKE2b over 33 bytes and the key.
    public func place(of key: Key) -> UInt32 {
        UInt32(truncatingIfNeeded: hash(tag: 0x30, key).w0 >> 40)
    }
}

private struct TwoHashes: WireEncodable {
    let first: Hash256
    let second: Hash256

    var wireSize: Int { 64 }

    func write(to writer: inout WireWriter) {
        writer.hash(first)
        writer.hash(second)
    }
}

/// What a summary says of one namespace.
public struct SummaryPart: WireEncodable {
    /// The namespace.
    public let name: NamespaceName
    /// Its root.
    public let root: Hash256
    /// The replica's knowledge of it.
    public let knowledge: VersionVector

    /// Makes a part.
    public init(name: NamespaceName, root: Hash256, knowledge: VersionVector) {
        self.name = name
        self.root = root
        self.knowledge = knowledge
    }

    /// Bytes of the part.
    public var wireSize: Int { WireSize.byteString(name.bytes) + 32 + knowledge.wireSize }

    /// Appends name, root and knowledge.
    public func write(to writer: inout WireWriter) {
        writer.byteString(name.bytes)
        writer.hash(root)
        knowledge.write(to: &writer)
    }
}

extension FleetKeys {
    /// The fingerprint of a schema's names and codes, in any order (Spec MODEL-013).
    public func schemaFingerprint(_ schema: [(name: NamespaceName, code: UInt8)]) -> Hash256 {
        var message = Array("cenotaph/1 schema".utf8)
        let sorted = schema.sorted { $0.name < $1.name }
        let size = sorted.reduce(WireSize.uvarint(sorted.count)) {
            $0 + WireSize.byteString($1.name.bytes) + 1
        }
        message += WireWriter.filled(size) { writer in
            writer.uvarint(sorted.count)
            for entry in sorted {
                writer.byteString(entry.name.bytes)
                writer.u8(entry.code)
            }
        }
        return digestHash(message)
    }

    /// The summary of a replica, its parts ascending by name (Spec DIG-008).
    public func summary(epoch: ID16, _ parts: [SummaryPart]) -> ID16 {
        let message = Array("cenotaph/1 summary".utf8) + epoch.encoded()
        return digestHash(parts.reduce(message) { $0 + $1.encoded() }).tag
    }
}
