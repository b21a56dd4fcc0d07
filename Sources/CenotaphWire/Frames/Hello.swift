/// The first frame on a link: what the sender speaks and who it is (Spec 03, "hello").
public struct Hello: Hashable, Sendable {
    /// The latest time seen from one replica under one incarnation.
    public struct Sighting: Hashable, Sendable, BitwiseCopyable {
        /// The replica seen.
        public let replica: ReplicaID
        /// The incarnation it was seen under.
        public let incarnation: ID16
        /// The latest time seen.
        public let time: UInt64

        /// Makes a sighting.
        public init(replica: ReplicaID, incarnation: ID16, time: UInt64) {
            self.replica = replica
            self.incarnation = incarnation
            self.time = time
        }
    }

    /// The wire versions spoken, from at least 1.
    public var versions: ClosedRange<UInt8>
    /// A set of bits, none described yet.
    public var capabilities: UInt64
    /// The schema fingerprint (Spec MODEL-013).
    public var schema: Hash256
    /// The sender's incarnation.
    public var incarnation: ID16
    /// Random, new for each hello.
    public var challenge: ID16
    /// The last challenge received from the recipient on this link, or zero.
    public var answer: ID16
    /// What the sender has seen, strictly ascending by replica and incarnation; at most 64.
    public var sightings: [Sighting]

    /// Makes a hello.
    public init(
        versions: ClosedRange<UInt8> = 1...1, capabilities: UInt64 = 0, schema: Hash256,
        incarnation: ID16, challenge: ID16, answer: ID16 = .zero, sightings: [Sighting] = []
    ) {
        self.versions = versions
        self.capabilities = capabilities
        self.schema = schema
        self.incarnation = incarnation
        self.challenge = challenge
        self.answer = answer
        self.sightings = sightings
    }
}

extension Hello: WireEncodable {
    /// 83 bytes, the capabilities and 40 a sighting.
    public var wireSize: Int {
        82 + WireSize.uvarint(capabilities) + WireSize.uvarint(sightings.count)
            + 40 * sightings.count
    }

    /// Appends the body.
    public func write(to writer: inout WireWriter) {
        writer.u8(versions.lowerBound)
        writer.u8(versions.upperBound)
        writer.uvarint(capabilities)
        writer.hash(schema)
        writer.id16(incarnation)
        writer.id16(challenge)
        writer.id16(answer)
        writer.uvarint(sightings.count)
        for sighting in sightings {
            writer.id16(sighting.replica.id)
            writer.id16(sighting.incarnation)
            writer.u64(sighting.time)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let least = try reader.u8()
        guard least >= 1 else { throw WireError(.range, .helloVersions, at: start) }
        let greatest = try reader.u8()
        guard least <= greatest else { throw WireError(.range, .helloVersions, at: start + 1) }
        versions = least...greatest
        capabilities = try reader.uvarint()
        schema = try reader.hash()
        incarnation = try reader.id16()
        challenge = try reader.id16()
        answer = try reader.id16()
        sightings = []
        for _ in 0..<(try reader.count(limit: Limits.maxSightings, size: 40)) {
            let start = reader.offset
            let next = Sighting(
                replica: try reader.replica(), incarnation: try reader.id16(),
                time: try reader.time())
            let previous = sightings.last.map { SightingOrder($0) }
            try reader.ascends(previous, SightingOrder(next), .sightingsAscend, at: start)
            sightings.append(next)
        }
    }

    private struct SightingOrder: Comparable {
        let replica: ReplicaID
        let incarnation: ID16

        init(_ sighting: Sighting) {
            replica = sighting.replica
            incarnation = sighting.incarnation
        }

        static func < (a: SightingOrder, b: SightingOrder) -> Bool {
            a.replica != b.replica ? a.replica < b.replica : a.incarnation < b.incarnation
        }
    }
}
