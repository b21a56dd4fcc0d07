public import CenotaphWire

/// Writes of an author that has not seen all that its replica holds (Spec MERGE-017).
extension CausalRow {
    /// The writes that this state has seen.
    public var seen: VersionVector {
        var seen = VersionVector()
        for entry in entries { seen.raise(entry.replica, to: entry.time) }
        return seen
    }

    /// The state after `stamp`'s replica put a body over the writes in `seen`.
    public static func putting(
        _ body: [UInt8], at stamp: Stamp, key: Key, over row: CausalRow?, having seen: VersionVector
    ) -> CausalRow {
        written(body, at: stamp, key: key, over: row, having: seen)
    }

    /// The state after `stamp`'s replica deleted the writes in `seen`.
    public func deleting(at stamp: Stamp, having seen: VersionVector) -> CausalRow {
        CausalRow.written(nil, at: stamp, key: key, over: self, having: seen)
    }
}
