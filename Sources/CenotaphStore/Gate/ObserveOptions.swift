/// When the deletes of one listing are held back instead of done.
///
/// Held deletes are one event that waits, on the disk, for `approve` or `undo`.
public struct MassDeleteGuard: Hashable, Sendable {
    /// Up to so many missing rows are deletes.
    public var rows: Int
    /// Up to so many hundredths of the rows that the app had are deletes, too.
    public var percent: Int
    /// Whether a listing without any row is held back if the app had more than one.
    public var holdsEmptyListings: Bool

    /// Holds back what is over both limits.
    public init(rows: Int = 20, percent: Int = 50, holdsEmptyListings: Bool = true) {
        self.rows = rows
        self.percent = percent
        self.holdsEmptyListings = holdsEmptyListings
    }

    /// More than 20 rows that are more than half of all, or all of several.
    public static let standard = MassDeleteGuard()
    /// Holds back nothing.
    public static let off = MassDeleteGuard(
        rows: .max, percent: 100, holdsEmptyListings: false)

    /// Whether a listing is held back.
    ///
    /// - Parameters:
    ///   - missing: The rows that it would delete, those already held among them.
    ///   - known: The rows that the app had.
    ///   - isEmpty: Whether it has no row at all.
    /// - Returns: Whether its deletes wait for a decision.
    func holds(missing: Int, known: Int, isEmpty: Bool) -> Bool {
        guard missing > 0 else { return false }
        if isEmpty, holdsEmptyListings, missing > 1 { return true }
        let (part, overflow) = missing.multipliedReportingOverflow(by: 100)
        let (limit, limitOverflow) = known.multipliedReportingOverflow(by: max(percent, 0))
        return missing > rows && (overflow || (!limitOverflow && part > limit))
    }
}

/// How `observe` treats a listing.
public struct ObserveOptions: Hashable, Sendable {
    /// Which of the namespace's observers this is: each has bookkeeping of its own.
    public var observer: String
    /// When deletes are held back.
    public var massDeletes: MassDeleteGuard
    /// Under `causal`, whether an edit of a row that was deleted elsewhere survives.
    ///
    /// The app had the row before the deletion came, and its edit is a concurrent one. If false, such a row is only
    /// reported as dead. A row that the app lists and did not have before is never revived.
    public var keepsEditsOfDeletedRows: Bool
    /// Under `causal`, whether an edit may take the place of a value that this replica itself wrote by other means.
    ///
    /// If false, such a row is refused with `unseenOwnValue`; save that value elsewhere before you allow it.
    public var replacesOwnValues: Bool

    /// Sets the options.
    public init(
        observer: String = "app", massDeletes: MassDeleteGuard = .standard,
        keepsEditsOfDeletedRows: Bool = false, replacesOwnValues: Bool = false
    ) {
        self.observer = observer
        self.massDeletes = massDeletes
        self.keepsEditsOfDeletedRows = keepsEditsOfDeletedRows
        self.replacesOwnValues = replacesOwnValues
    }
}
