/// What a replica holds, in few bytes (Spec 03, "digest").
public enum Digest: Hashable, Sendable {
    /// One tag over all namespaces (Spec DIG-008).
    case summary(ID16)
    /// Every namespace, strictly ascending by name.
    case full([NamespaceDigest])
}

/// What a replica holds of one namespace.
public struct NamespaceDigest: Hashable, Sendable {
    /// The namespace.
    public var name: NamespaceName
    /// Number of rows and fingerprint of the live set.
    public var live: SetDigest
    /// Number of rows and fingerprint of the tombstone set.
    public var tombstones: SetDigest
    /// The replica's knowledge of this namespace (Spec MODEL-010).
    public var knowledge: VersionVector

    /// Makes a namespace digest.
    public init(
        name: NamespaceName, live: SetDigest, tombstones: SetDigest, knowledge: VersionVector
    ) {
        self.name = name
        self.live = live
        self.tombstones = tombstones
        self.knowledge = knowledge
    }

    /// The digest of one of the two sets.
    public subscript(rowSet: RowSet) -> SetDigest {
        switch rowSet {
        case .live: live
        case .tombstones: tombstones
        }
    }
}

/// Number of rows and fingerprint of a set (Spec DIG-005).
public struct SetDigest: Hashable, Sendable {
    /// Number of rows.
    public var count: UInt64
    /// The fingerprint.
    public var fingerprint: Hash256

    /// Makes a set digest.
    public init(count: UInt64, fingerprint: Hash256) {
        self.count = count
        self.fingerprint = fingerprint
    }
}

extension SetDigest: WireEncodable {
    /// Count and 32 bytes.
    public var wireSize: Int { WireSize.uvarint(count) + 32 }

    /// Appends count and fingerprint.
    public func write(to writer: inout WireWriter) {
        writer.uvarint(count)
        writer.hash(fingerprint)
    }

    init(from reader: inout WireReader) throws(WireError) {
        count = try reader.uvarint()
        fingerprint = try reader.hash()
    }
}

extension NamespaceDigest: WireEncodable {
    /// Bytes of the entry.
    public var wireSize: Int {
        WireSize.byteString(name.bytes) + live.wireSize + tombstones.wireSize + knowledge.wireSize
    }

    /// Appends the entry.
    public func write(to writer: inout WireWriter) {
        writer.byteString(name.bytes)
        live.write(to: &writer)
        tombstones.write(to: &writer)
        knowledge.write(to: &writer)
    }

    init(from reader: inout WireReader) throws(WireError) {
        name = try reader.name()
        live = try SetDigest(from: &reader)
        tombstones = try SetDigest(from: &reader)
        knowledge = try VersionVector(from: &reader)
    }
}

extension Digest: WireEncodable {
    /// 17 bytes for a summary, else the entries.
    public var wireSize: Int {
        switch self {
        case .summary: 17
        case .full(let namespaces):
            namespaces.reduce(1 + WireSize.uvarint(namespaces.count)) { $0 + $1.wireSize }
        }
    }

    /// Appends form and content.
    public func write(to writer: inout WireWriter) {
        switch self {
        case .summary(let tag):
            writer.u8(0)
            writer.id16(tag)
        case .full(let namespaces):
            writer.u8(1)
            writer.uvarint(namespaces.count)
            for namespace in namespaces { namespace.write(to: &writer) }
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        guard try reader.flag() else {
            self = .summary(try reader.id16())
            return
        }
        var namespaces: [NamespaceDigest] = []
        for _ in 0..<(try reader.count(limit: Limits.maxNamespaces, size: 69)) {
            let start = reader.offset
            let next = try NamespaceDigest(from: &reader)
            try reader.ascends(namespaces.last?.name, next.name, at: start)
            namespaces.append(next)
        }
        self = .full(namespaces)
    }
}
