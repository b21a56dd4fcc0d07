/// The part of a deletion that needs no store: which row the user is asked about, and which is selected next.
///
/// A list in an app asks before it deletes. `request` notes what the question is about, `cancel` and `confirm` end
/// it. Ids are looked up in the order that the list shows, so a row that went away while the user was being asked (a
/// peer deleted it) is nothing to delete any more.
///
/// ```swift
/// intent.request(note.id)
/// ...
/// if let deletion = intent.confirm(in: shown, selected: selection) {
///     selection = deletion.selection
///     try await replica.delete("notes", deletion.id)
/// }
/// ```
public struct DeletionIntent<ID: Hashable> {
    /// The row that the user is asked about, or `nil`.
    public private(set) var pending: ID?

    /// Nothing is asked.
    public init() {}

    /// A confirmed deletion.
    public struct Confirmed {
        /// The row to delete.
        public let id: ID
        /// The row to select afterwards, or `nil` if none is left or none was selected.
        public let selection: ID?
    }

    /// Asks about a row, in the place of any earlier question.
    public mutating func request(_ id: ID) { pending = id }

    /// Ends the question; nothing is deleted.
    public mutating func cancel() { pending = nil }

    /// Ends the question and says what to do.
    ///
    /// - Parameters:
    ///   - order: The ids that the list shows now, in its order.
    ///   - selected: The id that is selected now.
    /// - Returns: The deletion, or `nil` if nothing was asked or the row is no longer there.
    public mutating func confirm(in order: [ID], selected: ID?) -> Confirmed? {
        defer { pending = nil }
        guard let id = pending, order.contains(id) else { return nil }
        return Confirmed(
            id: id,
            selection: Self.selection(afterDeleting: id, in: order, selected: selected))
    }

    /// The row to select once `id` is deleted.
    ///
    /// Deleting the selected row selects the one that follows it, or the last one left if none follows. Deleting
    /// another row, or one that is not there, leaves the selection as it is. O(n).
    /// - Parameters:
    ///   - id: The row that is deleted.
    ///   - order: The ids before the deletion, in the list's order.
    ///   - selected: The id that is selected before the deletion.
    /// - Returns: The id to select, or `nil` if nothing is left or nothing was selected.
    public static func selection(
        afterDeleting id: ID, in order: [ID], selected: ID?
    ) -> ID? {
        guard selected == id, let index = order.firstIndex(of: id) else { return selected }
        return order[(index + 1)...].first { $0 != id } ?? order.last { $0 != id }
    }
}

extension DeletionIntent: Equatable {}
extension DeletionIntent: Hashable {}
extension DeletionIntent: Sendable where ID: Sendable {}
extension DeletionIntent.Confirmed: Equatable {}
extension DeletionIntent.Confirmed: Hashable {}
extension DeletionIntent.Confirmed: Sendable where ID: Sendable {}
