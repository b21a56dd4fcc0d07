import Cenotaph
import Glibc

/// From the folder into the replica.
extension MirrorRound {
    /// Most files, and about the most bytes, of one transaction.
    static let batchFiles = 500
    static let batchBytes = 8 * 1_048_576

    /// Takes in every file that is not as it was.
    mutating func takeIn(_ scan: MirrorScan, _ notes: [Key: [UInt8]]) async throws {
        for path in scan.tooDeep {
            report.skipped.append(
                "\(Hex.readable(path)): what is below it has paths too long for keys")
        }
        var batch: [Listing.Row] = []
        var bytes = 0
        for (path, stamp) in scan.files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let now = FileStamp.Time.now()
            guard let key = try? Key(path), let file = try? MirrorPath(key) else {
                report.skipped.append("\(Hex.readable(path)): its path is no key")
                continue
            }
            let note = stamp.note(at: now)
            if !note.isEmpty, notes[key] == note { continue }
            guard let row = read(file, key, stamp, now) else { continue }
            batch.append(row)
            bytes += row.body?.count ?? 0
            if batch.count == MirrorRound.batchFiles || bytes > MirrorRound.batchBytes {
                try await observe(batch, notes)
                (batch, bytes) = ([], 0)
            }
        }
        try await observe(batch, notes)
    }

    private mutating func read(
        _ file: MirrorPath, _ key: Key, _ stamp: FileStamp, _ now: FileStamp.Time
    ) -> Listing.Row? {
        guard !stamp.isYounger(than: settle, at: now) else {
            report.unsettled += 1
            return nil
        }
        do throws(MirrorFolder.Obstacle) {
            let (body, stamp) = try folder.read(file)
            return Listing.Row(key, body, note: stamp.note(at: now))
        } catch {
            switch error {
            case .failed(let error) where error.number == EFBIG:
                report.skipped.append("\(key): over \(Limits.maxBody) bytes")
                return nil
            case .failed(let error): report.unreadable.append(error.description)
            case .changed, .obstructed: report.unsettled += 1
            }
            report.isWhole = false
            return nil
        }
    }

    private mutating func observe(
        _ rows: [Listing.Row], _ notes: [Key: [UInt8]]
    ) async throws {
        guard !rows.isEmpty else { return }
        let listing = try Listing.partial(rows, storage: storage)
        let (name, options, revives, id) = (name, options, revives, replica.id)
        let (done, taken, conflicts) = try await replica.write { tx in
            let done = try tx.observe(name, listing, options)
            var taken = done.written
            for row in rows {
                guard let body = row.body else { continue }
                if done.dead.contains(row.key), notes[row.key] == nil, revives {
                    try tx.revive(name, row.key, body)
                    _ = try tx.observe(
                        name, Listing.partial([row], storage: listing.storage), options)
                    taken.append(row.key)
                }
                if done.refused.contains(where: { $0.refusal == .unseenOwnValue(row.key) }) {
                    try MirrorRound.keepBoth(row, name, listing.storage, options, id, tx)
                    taken.append(row.key)
                }
            }
            let conflicts = try taken.filter { try tx.get(name, $0)?.values.count ?? 0 > 1 }
            return (done, taken, conflicts)
        }
        report.taken += taken.map(\.description)
        report.conflicts += conflicts.map(\.description)
        let revived = Set(taken)
        // A file that its row's deletion is about to remove is not left alone.
        report.dead += done.dead.filter { notes[$0] == nil && !revived.contains($0) }
            .map(\.description)
        for refusal in done.refused where !revived.contains(refusal.key) {
            report.skipped.append("\(refusal.key): \(refusal.refusal)")
        }
    }

    /// Takes in a file whose row something else on this device wrote: the row's value becomes a file of its own.
    ///
    /// A row has room for one value of each replica.
    private static func keepBoth(
        _ file: Listing.Row, _ name: NamespaceName, _ storage: ID16, _ options: ObserveOptions,
        _ replica: ReplicaID, _ tx: WriteTransaction
    ) throws {
        let own = try tx.get(name, file.key)?.values.first { $0.replica == replica }
        if let own, own.body != file.body, let key = conflictKey(file.key, own.time),
            try tx.version(name, key) == nil
        {
            try tx.put(name, key, own.body)
        }
        var options = options
        options.replacesOwnValues = true
        _ = try tx.observe(name, Listing.partial([file], storage: storage), options)
    }

    /// The key of a file that keeps another version of a file.
    private static func conflictKey(_ key: Key, _ time: UInt64) -> Key? {
        let suffix = Array(".conflict-\(String(time, radix: 16))".utf8)
        let bytes = key.bytes
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let name = bytes[slash...].prefix(255 - suffix.count)
        let room = max(Limits.maxKey - suffix.count - slash, 0)
        return try? Key(Array(bytes[..<slash]) + name.prefix(room) + suffix)
    }
}
