public import CenotaphMerge
public import CenotaphWire

/// What a listing came to.
public struct ObserveReport: Hashable, Sendable {
    /// A row that was not written, and why.
    public struct Refusal: Hashable, Sendable {
        /// The key.
        public let key: Key
        /// Why.
        public let refusal: WriteRefusal
    }

    /// New and edited rows that were written.
    public internal(set) var written: [Key] = []
    /// Rows that were missing and are deleted now.
    public internal(set) var deleted: [Key] = []
    /// Listed rows that are deleted: nothing was written, the app is to drop them or to `revive` them.
    public internal(set) var dead: [Key] = []
    /// Listed rows that could not be written, and missing ones that could not be deleted; the others went on.
    public internal(set) var refused: [Refusal] = []
    /// The event that this listing made, if its deletes were held back.
    public internal(set) var held: HeldDeletes?

    /// The report of a listing that changed nothing.
    public init() {}
}

/// Deletes that were held back: one listing missed more rows than its guard lets go.
public struct HeldDeletes: Hashable, Sendable {
    /// The event's number in this store.
    public let id: UInt64
    /// The namespace.
    public let namespace: NamespaceName
    /// The observer.
    public let observer: String
    /// When it was made, in milliseconds since 1970.
    public let milliseconds: UInt64
    /// How many rows are missing still.
    public internal(set) var rows: Int
}

/// What an approved event came to.
public struct ApproveReport: Hashable, Sendable {
    /// Rows that are deleted now.
    public internal(set) var deleted: [Key] = []
    /// Rows that changed since and live on; the app is to take them in.
    public internal(set) var kept: [Key] = []
}
