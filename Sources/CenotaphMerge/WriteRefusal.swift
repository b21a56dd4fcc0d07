public import CenotaphWire

/// Why a local write was refused; nothing was written (Spec 07, "Local writes").
public enum WriteRefusal: Error, Hashable, Sendable {
    /// A plain put to a deleted row; `revive` is the way back (Spec MERGE-015).
    case rowDeleted(Key)
    /// An append to a buried group (Spec MERGE-006).
    case groupBuried(Key)
    /// An append under a key that has another event (Spec MERGE-007).
    case eventExists(Key)
    /// A body over `Limits.maxBody` bytes.
    case bodyTooLarge(bytes: Int)
    /// The row would exceed `Limits.maxRowContent` (Spec CONV-009).
    case rowTooLarge(Key)
    /// The row would have more than `Limits.maxVector` writers (Spec MERGE-016).
    case tooManyWriters(Key)
    /// The write's author had not seen this replica's own last value of the row, and would lose it (Spec MERGE-017).
    case unseenOwnValue(Key)
    /// The replica's next time would exceed `Limits.maxTime` (Spec MODEL-008).
    case clockExhausted
    /// The schema has no such namespace.
    case unknownNamespace(NamespaceName)
    /// The namespace's policy has no such write.
    case wrongPolicy(NamespaceName, Policy)
}
