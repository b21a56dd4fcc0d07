internal import CenotaphMerge
internal import CenotaphStore
public import CenotaphWire

extension Replica {
    /// A writer for a row that is live: what a live object saves itself through.
    ///
    /// - Parameters:
    ///   - namespace: A namespace whose rows are put: `causal`, `lastWriter` or `derived`.
    ///   - key: The key.
    ///   - clock: What `saveSoon` waits by.
    /// - Returns: The writer, good until the row is deleted.
    /// - Throws: `WriterError.notLive`, `WriterError.tooMany`; `GateError`.
    public func writer(
        for namespace: NamespaceName, _ key: Key, clock: any Clock<Duration> = ContinuousClock()
    ) throws -> RowWriter {
        switch schema[namespace]?.policy {
        case .causal, .lastWriter, .derived, .none: break
        case .some(let policy): throw GateError.refused(.wrongPolicy(namespace, policy))
        }
        let base = try gate.read { snapshot in
            try snapshot.get(namespace, key) == nil ? nil : snapshot.version(namespace, key)
        }
        guard let base else { throw WriterError.notLive }
        return try writers.add(.init(namespace: namespace, key: key)) { number in
            RowWriter(
                self, .init(namespace: namespace, key: key), number: number, base: base,
                clock: clock)
        }
    }

    /// Writes what waits in a writer.
    ///
    /// The body is taken here and not before, so that of several saves on their way the newest is written last.
    func savePending(of writer: RowWriter) throws {
        guard let (body, base) = try writer.takePending() else { return }
        let committed: Committed<RowVersion?>
        do {
            committed = try gate.write { tx in
                try tx.update(writer.namespace, writer.key, body, basedOn: base)
            }
        } catch {
            if case GateError.refused = error {
                writer.saveFailed(error, keeping: nil)
            } else {
                writer.saveFailed(error, keeping: body)
            }
            throw error
        }
        guard let seen = committed.result else {
            // Another process that has the store open deleted the row.
            writer.sever()
            throw WriterError.severed
        }
        writer.hasSaved(seen)
        publish(committed.changes)
        pushLocalWrites(committed.localRows, epoch: committed.epoch)
    }

    /// Saves what waits in a writer, which is based on what the object saw before, and reads the row.
    func readAgain(for writer: RowWriter) throws -> LiveRow {
        try savePending(of: writer)
        let found = try gate.read { snapshot in
            (
                try snapshot.get(writer.namespace, writer.key),
                try snapshot.version(writer.namespace, writer.key)
            )
        }
        guard let row = found.0, let version = found.1 else {
            writer.sever()
            throw WriterError.severed
        }
        writer.hasSeen(version)
        return row
    }
}
