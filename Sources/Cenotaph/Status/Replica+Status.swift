internal import CenotaphSession
internal import CenotaphStore
internal import CenotaphWire

/// What stands in the way of links, as far as this process has met it.
struct LinkObstacles {
    private var blocked: [ReplicaID: (errorClass: ErrorClass, rule: String)] = [:]
    private var store: StoreError?
    private var isCopied = false

    /// Most peers that are remembered as blocked.
    private static let most = 64

    var all: [ReplicaStatus.Obstacle] {
        blocked.sorted { $0.key < $1.key }
            .map { .blocked($0.key, $0.value.errorClass, rule: $0.value.rule) }
            + (isCopied ? [.copied] : []) + (store.map { [.store($0)] } ?? [])
    }

    mutating func note(_ event: SessionEvent, blockedPeer: ReplicaID?) {
        switch event {
        case .ready(let peer): blocked[peer] = nil
        case .blocked(let errorClass, let rule):
            guard let blockedPeer, blocked.count < LinkObstacles.most else { return }
            blocked[blockedPeer] = (errorClass, rule)
        case .agreed: store = nil
        case .dropped(let error) where error.rule == .ownFrame: isCopied = true
        case .dropped, .refused, .peerError, .sketchFailed: break
        }
    }

    mutating func note(_ failure: StoreError) { store = failure }
}

extension Replica {
    /// What this replica waits for, now and whenever it changes.
    ///
    /// For one reader. What another process does with the same store shows with the next change here.
    public var status: StatusChanges {
        let feed = WakeupFeed()
        let number = nextFeed
        nextFeed += 1
        statusFeeds[number] = feed
        feed.onEnd { [weak self] in Task { await self?.removeStatusFeed(number) } }
        return StatusChanges(replica: self, feed: feed)
    }

    /// What this replica waits for now.
    ///
    /// O(peers × namespaces), reads no rows.
    /// - Throws: `GateError`.
    public func readStatus() throws -> ReplicaStatus {
        try gate.read { snapshot in
            var obstacles = linkObstacles.all
            let parked = try snapshot.parkedCount()
            if parked > 0 { obstacles.append(.parked(rows: parked)) }
            let held = try snapshot.heldDeletes().count
            if held > 0 { obstacles.append(.heldDeletes(events: held)) }
            return ReplicaStatus(
                peers: try snapshot.peerStatuses(),
                linked: Set(links.values.compactMap(\.session.peer)),
                onlyHere: try snapshot.onlyHere(), obstacles: obstacles)
        }
    }

    /// Notes that the store failed on a link.
    func noteOnStatus(_ failure: StoreError) {
        linkObstacles.note(failure)
        wakeStatus()
    }

    private func removeStatusFeed(_ number: Int) { statusFeeds[number] = nil }

    /// Lets the readers of the status look again.
    func wakeStatus() { for feed in statusFeeds.values { feed.wake() } }
}
