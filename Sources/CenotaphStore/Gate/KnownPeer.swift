public import CenotaphWire

/// What another replica was last known to hold: its own knowledge, as of the last time that both agreed.
///
/// Record: time of the agreement (8, milliseconds), uvarint count, then bytes name and vector for each namespace.
struct KnownPeer: Hashable, Sendable {
    var agreedAt: UInt64
    var knowledge: [NamespaceName: VersionVector] = [:]

    /// The record that lists the known peers: 16 bytes each.
    static let index = "peers"

    /// The record of one peer.
    static func recordName(_ peer: ReplicaID) -> String { "peer/\(peer)" }
}

extension KnownPeer: WireEncodable {
    private var sorted: [(name: NamespaceName, vector: VersionVector)] {
        knowledge.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var wireSize: Int {
        sorted.reduce(8 + WireSize.uvarint(knowledge.count)) {
            $0 + WireSize.byteString($1.name.bytes) + $1.vector.wireSize
        }
    }

    func write(to writer: inout WireWriter) {
        writer.u64(agreedAt)
        writer.uvarint(knowledge.count)
        for (name, vector) in sorted {
            writer.byteString(name.bytes)
            vector.write(to: &writer)
        }
    }

    /// Reads a record.
    init(from reader: inout WireReader) throws(WireError) {
        agreedAt = try reader.u64()
        for _ in 0..<(try reader.count(limit: Limits.maxNamespaces, size: 3)) {
            let name = try reader.name()
            knowledge[name] = try VersionVector(from: &reader)
        }
    }
}

extension ReadTransaction {
    /// The peers that this replica has ever agreed with, ascending, as their records say.
    func knownPeers() throws(GateError) -> [(peer: ReplicaID, state: KnownPeer)] {
        var known: [(peer: ReplicaID, state: KnownPeer)] = []
        let peers = try decoded(KnownPeer.index) { (reader) throws(WireError) in
            var peers: [ReplicaID] = []
            while reader.remaining > 0 { peers.append(try reader.replica()) }
            return peers
        }
        for peer in peers ?? [] {
            let state = try decoded(KnownPeer.recordName(peer)) { (reader) throws(WireError) in
                try KnownPeer(from: &reader)
            }
            if let state { known.append((peer, state)) }
        }
        return known
    }

    /// What a record says, or `nil` if there is none.
    /// - Throws: `store`; `corrupt` where it says nothing that can be read.
    func decoded<Value>(
        _ name: String, _ decode: (inout WireReader) throws(WireError) -> Value
    ) throws(GateError) -> Value? {
        let record = try GateError.wrapping { () throws(StoreError) in try store.record(name) }
        guard let record else { return nil }
        do {
            return try decodeWhole(record, .valueEnds, decode)
        } catch {
            throw .store(.corrupt("record \(name): \(error)"))
        }
    }
}

extension WriteTransaction {
    /// Most peers remembered; the one that agreed longest ago is forgotten first.
    private static let maxPeers = 256

    /// Remembers that a peer holds what this replica holds of a namespace: both fingerprints are equal.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func noteAgreement(
        _ peer: ReplicaID, _ name: NamespaceName
    ) throws(GateError) {
        let knowledge = try namespace(name).knowledge
        var known = try knownPeers()
        let index = known.firstIndex { $0.peer == peer }
        var state = index.map { known[$0].state } ?? KnownPeer(agreedAt: 0)
        guard state.knowledge[name] != knowledge else { return }
        state.knowledge[name] = knowledge
        state.agreedAt = milliseconds
        try GateError.wrapping { () throws(StoreError) in
            try store.setRecord(KnownPeer.recordName(peer), state.encoded())
            guard index == nil else { return }
            if known.count >= WriteTransaction.maxPeers,
                let oldest = known.min(by: { $0.state.agreedAt < $1.state.agreedAt })
            {
                try store.setRecord(KnownPeer.recordName(oldest.peer), nil)
                known.removeAll { $0.peer == oldest.peer }
            }
            let peers = (known.map(\.peer) + [peer]).sorted()
            try store.setRecord(KnownPeer.index, peers.flatMap { $0.id.encoded() })
        }
    }
}
