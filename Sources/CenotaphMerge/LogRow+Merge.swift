public import CenotaphWire

extension LogRow {
    /// The union of the events of two states of one key (Spec MERGE-001).
    public func merged(with other: LogRow) -> LogRow {
        precondition(key == other.key, "only states of one key merge")
        return LogRow(key: key, events: events + other.events) ?? self
    }

    /// The events whose group is not buried; `nil` if none is left.
    public func removing<Failure: Error>(
        where isBuried: (Key) throws(Failure) -> Bool
    ) throws(Failure) -> LogRow? {
        var kept: [LogEvent] = []
        for event in events where try !isBuried(event.group) { kept.append(event) }
        return kept.count == events.count ? self : LogRow(key: key, events: kept)
    }
}

extension LogMarker {
    /// The join of two markers of one group: the first burial stays (Spec MERGE-002).
    public func merged(with other: LogMarker) -> LogMarker {
        precondition(group == other.group, "only markers of one group merge")
        return other.stamp < stamp ? other : self
    }
}
