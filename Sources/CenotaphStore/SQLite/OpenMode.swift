/// What a store's file may be when it is opened.
public enum OpenMode: Hashable, Sendable, CaseIterable {
    /// Opens the store, or makes one where there is no file or an empty one.
    case create
    /// Opens the store, which must be there.
    case open
    /// Opens the store, which must be there, and refuses every writing transaction.
    case readOnly
}
