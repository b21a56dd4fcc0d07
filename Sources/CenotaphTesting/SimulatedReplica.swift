public import Cenotaph

/// One replica of a simulated fleet: a gate over a store, with a wall clock of its own.
public final class SimulatedReplica {
    /// The clock that a test sets.
    private final class Clock {
        var milliseconds: UInt64

        init(_ milliseconds: UInt64) { self.milliseconds = milliseconds }
    }

    /// The number in the fleet.
    public let number: Int
    /// The gate; a crash replaces it.
    public private(set) var gate: Gate
    private let clock: Clock

    init(
        number: Int, store: any Store, schema: Schema, keys: FleetKeys, milliseconds: UInt64,
        random: inout SeededRandom
    ) throws {
        let clock = Clock(milliseconds)
        self.number = number
        self.clock = clock
        gate = try Gate(
            store: store, schema: schema, keys: keys, milliseconds: { clock.milliseconds },
            random: &random)
    }

    /// The replica's id.
    public var id: ReplicaID { gate.replica }

    /// What the wall clock shows, in milliseconds since 1970.
    public var milliseconds: UInt64 {
        get { clock.milliseconds }
        set { clock.milliseconds = newValue }
    }

    /// Opens the gate anew over a store, as a process does that starts again.
    func reopen(
        over store: any Store, schema: Schema? = nil, random: inout SeededRandom
    ) throws {
        let clock = clock
        gate = try Gate(
            store: store, schema: schema ?? gate.schema, keys: gate.keys,
            milliseconds: { clock.milliseconds }, random: &random)
    }

    /// What an app reads: the bodies of each live key, by namespace; the first one is what a read returns.
    public func view() throws -> [NamespaceName: [Key: [[UInt8]]]] {
        try gate.read { transaction in
            var view: [NamespaceName: [Key: [[UInt8]]]] = [:]
            for namespace in gate.schema.namespaces {
                view[namespace.name] = [:]
                for row in try transaction.list(namespace.name) {
                    view[namespace.name]?[row.key] = row.values.map(\.body)
                }
            }
            return view
        }
    }

    /// The digest of every namespace, ascending by name.
    public func digests() throws -> [NamespaceDigest] { try gate.read { $0.digests } }

    /// One tag for the state and the knowledge of the replica (Spec DIG-008).
    public func summary() throws -> ID16 { try gate.read { $0.summary } }
}
