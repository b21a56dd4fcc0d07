public import CenotaphMerge
public import CenotaphWire

/// What a gate reports beside what its store does.
public enum GateError: Error, Hashable, Sendable {
    /// The store failed; the transaction was undone.
    case store(StoreError)
    /// A local write was refused; the transaction was undone.
    case refused(WriteRefusal)
    /// What a contact sent is not what a contact may say; nothing was changed.
    case rejected(WireError)
    /// The store belongs to another fleet than the keys.
    case otherFleet
    /// The store holds the namespace under another policy.
    case policyChanged(NamespaceName, stored: UInt8, asked: Policy)
    /// A listing is from another storage than the bookkeeping is about; nothing was read into its absences.
    case otherStorage(NamespaceName, observer: String)
    /// No event of that number holds back deletes.
    case noHeldDeletes(UInt64)
}
