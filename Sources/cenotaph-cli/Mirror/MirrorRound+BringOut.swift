import Cenotaph
import Glibc

/// From the replica into the folder.
extension MirrorRound {
    /// Removes the files of deleted rows, then writes those of new and changed ones.
    mutating func bringOut() async throws {
        let name = name
        let (live, dead) = try await replica.read { snapshot in
            var (live, dead): ([Key], [Key]) = ([], [])
            for key in try snapshot.unapplied(name, observer: MirrorRound.observer) {
                if try snapshot.leaf(name, .live, key) == nil {
                    dead.append(key)
                } else {
                    live.append(key)
                }
            }
            return (live, dead)
        }
        for start in stride(from: 0, to: dead.count, by: MirrorRound.batchFiles) {
            try await remove(Array(dead[start...].prefix(MirrorRound.batchFiles)))
        }
        var rest: [(Key, MirrorPath)] = []
        for key in live {
            do throws(MirrorPath.Refusal) {
                rest.append((key, try MirrorPath(key)))
            } catch {
                report.skipped.append("row \(key): it \(error.rawValue)")
            }
        }
        var next = 0
        while next < rest.count { try await write(rest, &next) }
    }

    // MARK: Deleted rows

    private mutating func remove(_ keys: [Key]) async throws {
        var gone: [Key] = []
        for key in keys {
            guard let file = try? MirrorPath(key) else { continue }
            if try await remove(file, key) { gone.append(key) }
        }
        MirrorCrash.point("removals")
        let (name, storage, done) = (name, storage, gone)
        try await replica.write { tx in
            for key in done {
                try tx.finishRemoving(
                    name, key, storage: storage, observer: MirrorRound.observer)
            }
        }
    }

    /// Removes a file that is as the bookkeeping knows it, and returns whether none is left.
    private mutating func remove(_ file: MirrorPath, _ key: Key) async throws -> Bool {
        do {
            let (body, stamp) = try folder.read(file)
            guard try await isKnown(key, body) else {
                report.unsettled += 1
                return false
            }
            try folder.remove(file, expecting: stamp)
            report.removed.append(key.description)
            return true
        } catch let obstacle as MirrorFolder.Obstacle {
            switch obstacle {
            case .changed: return folder.isAbsent(file)
            case .obstructed: return true
            case .failed(let error):
                report.unreadable.append(error.description)
                return false
            }
        }
    }

    private func isKnown(_ key: Key, _ body: [UInt8]) async throws -> Bool {
        let name = name
        return try await replica.read {
            try $0.isObserved(name, key, body, observer: MirrorRound.observer)
        }
    }

    // MARK: New and changed rows

    /// Writes the files of the next rows: first the bookkeeping says what is coming, then what came.
    private mutating func write(_ rows: [(Key, MirrorPath)], _ next: inout Int) async throws {
        let (name, storage, start) = (name, storage, next)
        let keys = rows[start...].prefix(MirrorRound.batchFiles).map(\.0)
        let tasks: [Unapplied] = try await replica.write { tx in
            var tasks: [Unapplied] = []
            var bytes = 0
            for key in keys where bytes < MirrorRound.batchBytes {
                let task = try tx.startApplying(
                    name, key, storage: storage, observer: MirrorRound.observer)
                if case .write(let row) = task { bytes += row.body.count }
                tasks.append(task)
            }
            return tasks
        }
        next += tasks.count
        MirrorCrash.point("intent")
        var done: [(Key, body: [UInt8], note: [UInt8])] = []
        for (index, task) in tasks.enumerated() {
            guard case .write(let row) = task else { continue }
            if row.values.count > 1 { report.conflicts.append(row.key.description) }
            if let note = try await write(row, rows[start + index].1) {
                done.append((row.key, row.body, note))
            }
        }
        MirrorCrash.point("files")
        let finished = done
        try await replica.write { tx in
            for (key, body, note) in finished {
                try tx.finishApplying(
                    name, key, body, note: note, storage: storage, observer: MirrorRound.observer)
            }
        }
    }

    /// Writes one file unless something is there that the bookkeeping does not know; returns the note if it is written.
    private mutating func write(_ row: LiveRow, _ file: MirrorPath) async throws -> [UInt8]? {
        do {
            var expected: FileStamp?
            if !folder.isAbsent(file) {
                let (body, stamp) = try folder.read(file)
                if body == row.body { return stamp.note(at: .now()) }
                guard try await isKnown(row.key, body) else { throw MirrorFolder.Obstacle.changed }
                expected = stamp
            }
            let stamp = try folder.write(row.body, to: file, expecting: expected)
            report.written.append(row.key.description)
            return stamp.note(at: .now())
        } catch let obstacle as MirrorFolder.Obstacle {
            switch obstacle {
            case .changed: report.unsettled += 1
            case .obstructed(let why): report.skipped.append("row \(row.key): \(why)")
            case .failed(let error): report.unreadable.append(error.description)
            }
            return nil
        }
    }
}
