public import CenotaphWire

extension MessageRow {
    /// The join of two states of one message: the greater of each part, in normal form (Spec MERGE-031).
    public func merged(with other: MessageRow) -> MessageRow {
        precondition(key == other.key, "only states of one key merge")
        let merged = MessageRow(
            key: key, base: base.greater(other.base) { $0.isBelow($1) },
            edit: edit.greater(other.edit) { $0.isBelow($1) },
            scope: scope.rawValue < other.scope.rawValue ? other.scope : scope,
            isDelivered: isDelivered || other.isDelivered)
        return merged ?? self
    }

    /// The body that a read returns; `nil` for a message that is not in the live view (Spec MERGE-034).
    public var visibleBody: [UInt8]? { scope == .live ? currentBody : nil }

    /// The body to be delivered; `nil` without a duty (Spec MERGE-035).
    public var bodyToDeliver: [UInt8]? {
        guard base?.direction == .outbound, !isDelivered, scope != .everyone else { return nil }
        return currentBody
    }

    /// The time of what a read returns: the edit's, else the base's; `nil` without a base.
    public var currentTime: UInt64? { base.map { edit?.editedAt ?? $0.postedAt } }

    /// The greatest time in the row, 0 without one (Spec MODEL-006).
    public var lastTime: UInt64 { max(base?.postedAt ?? 0, edit?.editedAt ?? 0) }

    private var currentBody: [UInt8]? { base.map { edit?.body ?? $0.body } }
}

extension MessageRow.Base {
    /// Whether `other` is above this base in the total order of Spec MERGE-030.
    fileprivate func isBelow(_ other: MessageRow.Base) -> Bool {
        if direction != other.direction { return direction.rawValue < other.direction.rawValue }
        if postedAt != other.postedAt { return postedAt < other.postedAt }
        return body.precedes(other.body)
    }
}

extension MessageRow.Edit {
    /// Whether `other` is above this edit in the total order of Spec MERGE-030.
    fileprivate func isBelow(_ other: MessageRow.Edit) -> Bool {
        if editedAt != other.editedAt { return editedAt < other.editedAt }
        if opID != other.opID { return opID < other.opID }
        return body.precedes(other.body)
    }
}

extension Optional {
    /// The greater of two; `nil` is below everything.
    fileprivate func greater(
        _ other: Wrapped?, _ isBelow: (Wrapped, Wrapped) -> Bool
    ) -> Wrapped? {
        guard let self else { return other }
        guard let other else { return self }
        return isBelow(self, other) ? other : self
    }
}
