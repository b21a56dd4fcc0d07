internal import Cenotaph

extension SimulatedFleet {
    /// Most frames that one round may deliver before it counts as endless.
    private static let deliveryLimit = 1_000_000

    /// Frames on their way.
    public var inFlight: Int { links.reduce(0) { $0 + $1.inFlight } }

    /// Delivers, loses, repeats or delays one frame.
    ///
    /// - Returns: False if none can arrive in this round.
    /// - Throws: the store's failure.
    @discardableResult
    public func step() throws -> Bool {
        var ways: [(link: SimulatedLink, side: Int)] = []
        for link in links where link.isOpen {
            for side in 0...1 where !link.ends[side].incoming.isEmpty { ways.append((link, side)) }
        }
        guard !ways.isEmpty else { return false }
        let (link, side) = ways[random.below(ways.count)]
        let waiting = link.ends[side].incoming.count
        let place = random.chance(link.faults.reorder) ? random.below(waiting) : 0
        let sealed = link.ends[side].incoming.remove(at: place)
        if random.chance(link.faults.cut) {
            cut(link)
            try open(link)
            return true
        }
        if random.chance(link.faults.drop) { return true }
        if random.chance(link.faults.delay) {
            link.ends[side].late.append(sealed)
            return true
        }
        if random.chance(link.faults.duplicate) { link.ends[side].incoming.append(sealed) }
        try deliver(try damaged(sealed, link.faults), on: link, to: side)
        return true
    }

    private func damaged(_ sealed: [UInt8], _ faults: LinkFaults) throws -> [UInt8] {
        guard random.chance(faults.corrupt) else { return sealed }
        var sealed = sealed
        sealed[random.below(sealed.count)] ^= 1 << UInt8(random.below(8))
        return sealed
    }

    /// Delivers frames until none can arrive in this round.
    /// - Throws: `SimulationError.endless`, and the store's failure.
    public func drain() throws {
        var deliveries = 0
        while try step() {
            deliveries += 1
            guard deliveries < SimulatedFleet.deliveryLimit else {
                throw SimulationError.endless(deliveries: deliveries, seed: random.seed)
            }
        }
    }

    /// One round: every open end starts afresh, late frames come, and all that follows is delivered.
    /// - Throws: `SimulationError.endless`, and the store's failure.
    public func round() throws {
        for link in links where link.isOpen {
            for side in 0...1 {
                link.ends[side].incoming += link.ends[side].late
                link.ends[side].late = []
                try tick(link, side)
            }
        }
        try drain()
    }

    /// Delivers frames, and starts rounds, until replicas that open links join hold the same and know the same.
    ///
    /// - Parameter limit: The most rounds.
    /// - Returns: The rounds that it took.
    /// - Throws: `SimulationError`, and the store's failure.
    @discardableResult
    public func runUntilQuiet(within limit: Int = 60) throws -> Int {
        try drain()
        var rounds = 0
        while try !isQuiet() {
            guard rounds < limit else {
                throw SimulationError.notQuiet(rounds: rounds, seed: random.seed)
            }
            rounds += 1
            try round()
        }
        return rounds
    }

    /// Whether nothing is on its way and replicas that open links join have equal state and equal knowledge.
    /// - Throws: the store's failure.
    public func isQuiet() throws -> Bool {
        guard inFlight == 0 else { return false }
        for link in links where link.isOpen {
            guard
                try replicas[link.replicas.first].summary()
                    == replicas[link.replicas.second].summary()
            else { return false }
        }
        return true
    }

    /// Whether all replicas have equal fingerprints in all namespaces.
    /// - Throws: the store's failure.
    public func isConverged() throws -> Bool {
        let all = try replicas.map { replica in
            try replica.digests().map { [$0.live, $0.tombstones] }
        }
        return all.allSatisfy { $0 == all.first }
    }

    /// Sends a recorded frame once more over the link between the two, which must be open, and all that follows.
    /// - Throws: `SimulationError.endless`, and the store's failure.
    public func redeliver(_ frame: RecordedFrame) throws {
        for link in links where link.isOpen {
            guard link.side(of: frame.sender) != nil, let side = link.side(of: frame.recipient)
            else { continue }
            try deliver(frame.sealed, on: link, to: side)
            try drain()
        }
    }
}
