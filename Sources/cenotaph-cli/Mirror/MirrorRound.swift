import Cenotaph

/// One round of a mirror: what the folder shows is taken in, then what the replica has is brought out.
struct MirrorRound {
    let replica: Replica
    let name: NamespaceName
    let folder: MirrorFolder
    let storage: ID16
    /// How long a file must have been left alone, in milliseconds.
    let settle: Int
    /// Whether new files in the places of deleted rows bring those back.
    let revives: Bool

    var report = MirrorReport()

    static let observer = "mirror"

    init(
        _ replica: Replica, _ name: NamespaceName, _ folder: MirrorFolder, _ storage: ID16,
        settle: Int, revives: Bool
    ) {
        self.replica = replica
        self.name = name
        self.folder = folder
        self.storage = storage
        self.settle = settle
        self.revives = revives
    }

    /// Runs the round.
    mutating func run(_ decision: HeldDecision?) async throws -> MirrorReport {
        let scan = MirrorScan(folder)
        report.isWhole = scan.isWhole
        report.unreadable = scan.problems
        let name = name
        let notes = try await replica.read {
            try $0.observedNotes(name, observer: MirrorRound.observer)
        }
        try await takeIn(scan, notes)
        MirrorCrash.point("listing")
        try await takeInAbsences(scan, known: notes.keys)
        try await decide(decision)
        try await bringOut()
        let events = try await replica.heldDeletes()
        report.held = events.filter { isMine($0) }.map { .init(event: $0.id, rows: $0.rows) }
        return report
    }

    func isMine(_ event: HeldDeletes) -> Bool {
        event.namespace == name && event.observer == MirrorRound.observer
    }

    private mutating func decide(_ decision: HeldDecision?) async throws {
        guard let decision else { return }
        let event =
            switch decision {
            case .approve(let event), .undo(let event): event
            }
        guard try await replica.heldDeletes().contains(where: { isMine($0) && $0.id == event })
        else { throw GateError.noHeldDeletes(event) }
        switch decision {
        case .approve:
            let done = try await replica.approve(heldDeletes: event)
            report.deleted += done.deleted.map(\.description)
        case .undo: try await replica.undo(heldDeletes: event)
        }
    }

    // MARK: Missing files

    /// Deletes the rows of files that are missing in two looks at the whole folder.
    private mutating func takeInAbsences(
        _ first: MirrorScan, known: some Collection<Key>
    ) async throws {
        let hasEvents = try await replica.heldDeletes().contains { isMine($0) }
        let isMissing = known.contains { first.files[$0.bytes] == nil }
        guard isMissing || hasEvents, report.isWhole else { return }
        var scan = first
        for _ in 0..<3 {
            // A program may remove a file to write it anew.
            if isMissing { try await Task.sleep(for: .milliseconds(settle)) }
            let again = MirrorScan(folder)
            let isMarked = try MirrorMarker(of: folder)?.id == storage
            guard again.isWhole, isMarked else {
                report.isWhole = false
                report.unreadable += again.problems
                return
            }
            defer { scan = again }
            guard Set(scan.files.keys) == Set(again.files.keys) else { continue }
            let hidden = known.filter { again.files[$0.bytes] == nil && again.isOpaque($0.bytes) }
            let keys = scan.files.keys.compactMap { try? Key($0) } + hidden
            let count = again.files.keys.count { (1...Limits.maxKey).contains($0.count) }
            let listing = try Listing.complete(
                keys.map(Listing.Row.unread), expectedCount: count + hidden.count,
                storage: storage)
            let done = try await replica.observe(name, listing, options)
            report.deleted += done.deleted.map(\.description)
            for refusal in done.refused {
                report.skipped.append("\(refusal.key): \(refusal.refusal)")
            }
            return
        }
        report.isWhole = false
    }

    var options: ObserveOptions {
        ObserveOptions(observer: MirrorRound.observer, keepsEditsOfDeletedRows: true)
    }
}

/// Stops the process at a named point, for the tests of what a crash leaves behind.
enum MirrorCrash {
    static func point(_ name: String) {
        if System.environment("CENOTAPH_MIRROR_CRASH") == name { System.kill() }
    }
}
