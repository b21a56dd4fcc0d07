public import Cenotaph

/// Why a simulation gave up; both cases name the seed that repeats it.
public enum SimulationError: Error, Hashable, Sendable {
    /// The fleet still differs after that many rounds.
    case notQuiet(rounds: Int, seed: UInt64)
    /// Frames go on without end inside one round.
    case endless(deliveries: Int, seed: UInt64)
}

/// Replicas of one fleet, joined by links that lose, repeat, delay, reorder, corrupt and cut by seed.
///
/// Nothing runs by itself: no threads, no sockets, no time. A test writes, connects, and lets frames run until quiet;
/// the same seed gives the same run. Frames are sealed and go through the same session code that real links use.
public final class SimulatedFleet {
    /// Makes the store of a replica; gets the one from before a crash, or `nil` at first.
    public typealias StoreMaker = (_ replica: Int, _ old: (any Store)?) throws -> any Store

    /// The replicas.
    public private(set) var replicas: [SimulatedReplica] = []
    /// The links, open or cut.
    public private(set) var links: [SimulatedLink] = []
    /// What was sent so far; a test may start it afresh.
    public var traffic = SimulatedTraffic()
    /// What the sessions reported so far; a test may empty it.
    public var events: [SimulatedEvent] = []
    /// Whether frames are kept for `redeliver`, and local writes beside them.
    public var isRecording = false
    /// The frames sent while recording.
    public var recorded: [RecordedFrame] = []
    /// The rows that local writes made since recording began, in the order of the writes.
    public var written: [WrittenRow] = []
    /// Which replicas take sketches on links that are opened from now on; the others reconcile by ranges alone.
    public var takesSketches: (_ replica: Int) -> Bool = { _ in true }
    /// Where all chance comes from.
    public var random: SeededRandom
    /// The fleet's keys.
    public let keys: FleetKeys

    private let schema: Schema
    private let makeStore: StoreMaker
    private var stores: [any Store] = []

    /// Where every wall clock starts.
    public static let startMilliseconds: UInt64 = 1_700_000_000_000

    /// Makes a fleet without links.
    ///
    /// - Parameters:
    ///   - count: The number of replicas.
    ///   - schema: The namespaces.
    ///   - random: Where ids, keys and faults come from.
    ///   - makeStore: Makes the stores; in memory if not given.
    /// - Throws: `GateError`, and what `makeStore` throws.
    public init(
        _ count: Int, schema: Schema, random: SeededRandom,
        makeStore: @escaping StoreMaker = { _, old in old ?? MemoryStore() }
    ) throws {
        self.random = random
        self.schema = schema
        self.makeStore = makeStore
        keys = try FleetKeys.seeded(using: &self.random)
        for _ in 0..<count { try addReplica() }
    }

    /// Adds an empty replica, and returns its number.
    /// - Throws: `GateError`, and what the store's maker throws.
    @discardableResult
    public func addReplica(schema other: Schema? = nil) throws -> Int {
        let number = replicas.count
        let store = try makeStore(number, nil)
        let replica = try SimulatedReplica(
            number: number, store: store, schema: other ?? schema, keys: keys,
            milliseconds: SimulatedFleet.startMilliseconds, random: &random)
        stores.append(store)
        replicas.append(replica)
        return number
    }

    // MARK: Reading and writing

    /// Writes on a replica in one transaction and sends the rows to its peers, as `Replica.write` does.
    /// - Throws: `GateError`, and what `body` throws.
    @discardableResult
    public func write<Result>(
        _ replica: Int, _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        let committed = try replicas[replica].gate.write(body)
        if isRecording {
            written += committed.localRows.map {
                WrittenRow(replica: replica, namespace: $0.namespace, row: $0.row)
            }
        }
        for link in links where link.isOpen {
            guard let side = link.side(of: replica) else { continue }
            let frames = link.ends[side].session.localWrites(
                committed.localRows, epoch: committed.epoch)
            try send(frames, on: link, from: side)
        }
        return committed.result
    }

    /// Reads from one snapshot of a replica.
    /// - Throws: `GateError`, and what `body` throws.
    public func read<Result>(
        _ replica: Int, _ body: (ReadTransaction) throws -> Result
    ) throws -> Result {
        try replicas[replica].gate.read(body)
    }

    // MARK: Links

    /// Joins two replicas, or joins them again.
    /// - Throws: the store's failure.
    @discardableResult
    public func connect(
        _ first: Int, _ second: Int, faults: LinkFaults = .none
    ) throws -> SimulatedLink {
        let link =
            links.first { $0.replicas == (first, second) } ?? SimulatedLink(first, second, faults)
        if !links.contains(where: { $0 === link }) { links.append(link) }
        link.faults = faults
        try open(link)
        return link
    }

    /// Joins every two replicas.
    /// - Throws: the store's failure.
    public func connectAll(faults: LinkFaults = .none) throws {
        for first in replicas.indices {
            for second in replicas.indices where first < second {
                try connect(first, second, faults: faults)
            }
        }
    }

    /// Opens a link with fresh sessions, whose hellos are on their way then.
    /// - Throws: the store's failure.
    public func open(_ link: SimulatedLink) throws {
        link.isOpen = true
        link.ends = [link.replicas.first, link.replicas.second].map { number in
            let gate = replicas[number].gate
            let identity = SessionIdentity(
                replica: gate.replica, incarnation: gate.incarnation,
                schema: gate.schemaFingerprint)
            return LinkEnd(
                replica: number,
                session: Session(identity, takesSketches: takesSketches(number)))
        }
        for side in 0...1 {
            let epoch = try read(link.ends[side].replica) { $0.epoch }
            let challenge = ID16.random(using: &random)
            let hello = link.ends[side].session.start(challenge: challenge, epoch: epoch)
            try send(hello, on: link, from: side)
        }
    }

    /// Cuts a link: what is on its way is lost.
    public func cut(_ link: SimulatedLink) {
        link.isOpen = false
        for side in link.ends.indices {
            link.ends[side].incoming = []
            link.ends[side].late = []
        }
    }

    /// Cuts all links.
    public func cutAll() { for link in links { cut(link) } }

    /// Sets the faults of all links.
    public func setFaults(_ faults: LinkFaults) { for link in links { link.faults = faults } }

    /// Stops a replica's process and starts it again over what its store holds; its open links greet anew.
    /// - Throws: `GateError`, and what the store's maker throws.
    public func crash(_ replica: Int) throws {
        let affected = links.filter { $0.isOpen && $0.side(of: replica) != nil }
        for link in affected { cut(link) }
        let old = stores[replica]
        stores[replica] = try makeStore(replica, old)
        try replicas[replica].reopen(over: stores[replica], random: &random)
        for link in affected { try open(link) }
    }

    /// Starts a replica's process again with another schema; its links are cut.
    /// - Throws: `GateError`.
    public func upgrade(_ replica: Int, to schema: Schema) throws {
        for link in links where link.side(of: replica) != nil { cut(link) }
        try replicas[replica].reopen(over: stores[replica], schema: schema, random: &random)
    }

    // MARK: Frames

    /// Seals frames and sets them on their way.
    func send(_ frames: [Frame], on link: SimulatedLink, from side: Int) throws {
        for frame in frames {
            let sealed = try Envelope.seal(frame, with: keys)
            traffic.count(frame, sealed: sealed.count)
            let sent = RecordedFrame(
                sender: link.ends[side].replica, recipient: link.ends[1 - side].replica,
                sealed: sealed)
            if isRecording { recorded.append(sent) }
            if link.carries(sent) { link.ends[1 - side].incoming.append(sealed) }
        }
    }

    /// What a sealed frame of this fleet says; `nil` for bytes that do not open or decode.
    public func frame(in sealed: [UInt8]) -> Frame? {
        guard let plain = try? Envelope.open(sealed, with: keys) else { return nil }
        return try? Frame.decode(plain)
    }

    /// Hands a sealed frame to the session at one end, and sends what it answers.
    func deliver(_ sealed: [UInt8], on link: SimulatedLink, to side: Int) throws {
        let number = link.ends[side].replica
        let committed = try replicas[number].gate.write { transaction in
            try link.ends[side].session.receive(
                sealed: sealed, with: keys, GateSnapshot(transaction: transaction))
        }
        collectEvents(link, side)
        try send(committed.result, on: link, from: side)
    }

    /// Lets the session at one end start its round afresh.
    func tick(_ link: SimulatedLink, _ side: Int) throws {
        let number = link.ends[side].replica
        let committed = try replicas[number].gate.write { transaction in
            link.ends[side].session.tick(GateSnapshot(transaction: transaction))
        }
        try send(committed.result, on: link, from: side)
    }

    private func collectEvents(_ link: SimulatedLink, _ side: Int) {
        let peer = link.ends[1 - side].replica
        for event in link.ends[side].session.takeEvents() {
            events.append(
                SimulatedEvent(replica: link.ends[side].replica, peer: peer, event: event))
        }
    }
}

extension FleetKeys {
    /// The keys of a fleet that a seed repeats, for tests and nothing else: whoever knows the seed has them.
    /// - Throws: never for these keys.
    public static func seeded(using random: inout SeededRandom) throws -> FleetKeys {
        let fleet = ID16.random(using: &random)
        func bytes(_ random: inout SeededRandom) -> [UInt8] {
            (0..<SecretKey.size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        guard let digestKey = SecretKey(copying: bytes(&random)),
            let sealKey = SecretKey(copying: bytes(&random))
        else { preconditionFailure("a key has thirty-two bytes") }
        return try FleetKeys(
            fleet: fleet, digestKey: digestKey, sealKeys: [SealKey(sealKey, fleet: fleet)])
    }
}
