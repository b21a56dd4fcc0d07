public import CenotaphWire

extension LastWriterRow {
    /// Whether `other`, of the same key, is above this state in the total order of Spec MERGE-020.
    func isBelow(_ other: LastWriterRow) -> Bool {
        if stamp.time != other.stamp.time { return stamp.time < other.stamp.time }
        if (value == nil) != (other.value == nil) { return other.value == nil }
        if stamp.replica != other.stamp.replica { return stamp.replica < other.stamp.replica }
        guard let value, let otherValue = other.value else { return false }
        return value.precedes(otherValue)
    }

    /// The greater of two states of one key (Spec MERGE-020).
    public func merged(with other: LastWriterRow) -> LastWriterRow {
        precondition(key == other.key, "only states of one key merge")
        return isBelow(other) ? other : self
    }
}
