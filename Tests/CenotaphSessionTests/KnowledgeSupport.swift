import Cenotaph
import CenotaphTesting
import Testing

extension SimulatedFleet {
    /// Fails the test if a replica's knowledge covers a recorded write that its state does not (Spec MODEL-010).
    func expectKnowledgeHolds(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for replica in replicas {
            try replica.gate.read { snapshot in
                for digest in snapshot.digests {
                    for write in written where write.namespace == digest.name {
                        let author = replicas[write.replica].id
                        guard write.time(by: author) <= digest.knowledge[author],
                            try !snapshot.holds(write)
                        else { continue }
                        Issue.record(
                            "seed \(random.seed): replica \(replica.number) knows too much: \(write)",
                            sourceLocation: sourceLocation)
                    }
                }
            }
        }
    }
}

extension WrittenRow {
    /// The time of the write, which `author` made.
    func time(by author: ReplicaID) -> UInt64 {
        switch row {
        case .logEvents(let row): row.events.map(\.stamp.time).max() ?? 0
        case .logMarker(let marker): marker.stamp.time
        case .causal(let row): row.time(of: author)
        case .lastWriter(let row): row.stamp.time
        }
    }
}

extension ReadTransaction {
    /// Whether the state is at or above a row that was written, or has buried it.
    func holds(_ write: WrittenRow) throws -> Bool {
        switch write.row {
        case .causal(let row):
            for set in RowSet.allCases {
                guard case .causal(let held)? = try self.row(write.namespace, set, row.key) else {
                    continue
                }
                return held.merged(with: row) == held
            }
            return false
        case .lastWriter(let row):
            for set in RowSet.allCases {
                guard case .lastWriter(let held)? = try self.row(write.namespace, set, row.key)
                else { continue }
                return held.merged(with: row) == held
            }
            return false
        case .logMarker(let marker):
            return try isBuried(write.namespace, group: marker.group)
        case .logEvents(let row):
            var held: [LogEvent] = []
            if case .logEvents(let row)? = try self.row(write.namespace, .live, row.key) {
                held = row.events
            }
            return try row.events.allSatisfy { event in
                try held.contains(event) || isBuried(write.namespace, group: event.group)
            }
        }
    }
}
