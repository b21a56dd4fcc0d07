internal import CenotaphMerge
internal import CenotaphWire

/// What an author has seen of a row: of each replica, the writes up to a time.
///
/// A write that is based on a version covers only what the version has seen; what arrived since is kept beside it
/// (Spec MERGE-017).
public struct RowVersion: Hashable, Sendable {
    var seen = VersionVector()

    /// The version of an author that has seen nothing of the row.
    public static let nothing = RowVersion()

    init(seen: VersionVector = VersionVector()) { self.seen = seen }

    /// All that a row holds.
    init(of row: Row) {
        if case .causal(let row) = row {
            seen = row.seen
        } else {
            for stamp in row.stamps { seen.raise(stamp.replica, to: stamp.time) }
        }
    }

    /// Whether the write of that stamp was seen.
    func includes(_ stamp: Stamp) -> Bool { stamp.time <= seen[stamp.replica] }

    /// The version of an author that has seen one write more.
    func adding(_ stamp: Stamp) -> RowVersion {
        var seen = seen
        seen.raise(stamp.replica, to: stamp.time)
        return RowVersion(seen: seen)
    }
}
