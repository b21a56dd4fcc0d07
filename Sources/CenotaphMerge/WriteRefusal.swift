public import CenotaphWire

/// Why a local write was refused; nothing was written (Spec 07, "Local writes").
public enum WriteRefusal: Error, Hashable, Sendable {
    /// A plain put to a deleted row; `revive` is the way back (Spec MERGE-015).
    case rowDeleted(Key)
    /// An append to a buried group (Spec MERGE-006).
    case groupBuried(Key)
    /// An append under a key that has another event (Spec MERGE-007).
    case eventExists(Key)
    /// A post under a key that has a message, or a piece of one (Spec MERGE-036).
    case messageExists(Key)
    /// An edit or a delivery of a message that is not known here (Spec MERGE-037, MERGE-040).
    case messageUnknown(Key)
    /// An edit of a deleted message (Spec MERGE-037).
    case messageDeleted(Key)
    /// A write that only the author's fleet may do, or a key that names no author (Spec MERGE-036 to MERGE-040).
    case notAuthor(Key)
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
    /// A row of a namespace with a parent whose key is no child's key.
    case keyWithoutParent(Key)
    /// The row's parent is deleted.
    case parentDeleted(Key)
    /// A conflict that no resolver made one value of; it stays readable as it is (Spec MERGE-061).
    case unresolved(Key, ResolverError)
    /// The schema has no such namespace.
    case unknownNamespace(NamespaceName)
    /// The namespace's policy has no such write.
    case wrongPolicy(NamespaceName, Policy)
}
