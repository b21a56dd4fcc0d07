internal import CenotaphWire

/// What is to be done about one row that an app lists, or no longer lists: the pure part of `observe`.
enum ObserveDecision: Hashable {
    /// The app has what it had, and nothing follows from it.
    case nothing
    /// The app has what the store has: note it.
    case adopt
    /// The app has the copy that it was handed last: note it.
    case settle
    /// Write the app's body over what the app has seen.
    case write(basedOn: RowVersion)
    /// Write the app's body although the row is dead: the app edited it before it learnt of the deletion.
    case revive(basedOn: RowVersion)
    /// Tell the app that the row is dead.
    case reportDead
    /// Delete what the app has seen.
    case delete(basedOn: RowVersion)
    /// The app does not have the row any more, and no deletion follows: forget what it had.
    case forget

    /// What the store has of a key.
    enum Held: Hashable {
        case nothing
        case dead
        case live(sameBody: Bool)
    }

    /// Decides about a row that was listed and read.
    ///
    /// - Parameters:
    ///   - hash: The hash of the listed body.
    ///   - known: The bookkeeping.
    ///   - row: What the store has; whether it is the listed body.
    ///   - keepsEdits: See `ObserveOptions.keepsEditsOfDeletedRows`.
    /// - Returns: What is to be done.
    static func listed(
        _ hash: Hash256, _ known: ObservedRow?, _ row: Held, keepsEdits: Bool
    ) -> ObserveDecision {
        let tookPending = known?.pending?.hash == hash
        let isUnchanged = known?.held?.hash == hash
        switch row {
        case .live(sameBody: true): return .adopt
        case .live(sameBody: false):
            if tookPending { return .settle }
            return isUnchanged ? .nothing : .write(basedOn: known?.held?.version ?? .nothing)
        case .dead, .nothing:
            guard let held = known?.held else {
                // Without a tombstone and without bookkeeping, the row is new.
                return row == .nothing && known == nil
                    ? .write(basedOn: .nothing) : .reportDead
            }
            let isEdit = !isUnchanged && !tookPending
            return isEdit && keepsEdits && row == .dead
                ? .revive(basedOn: held.version) : .reportDead
        }
    }

    /// Decides about a row that a complete listing misses.
    ///
    /// A copy that the app was handed and never confirmed is no evidence that it had the row.
    static func missing(_ known: ObservedRow, isLive: Bool) -> ObserveDecision {
        guard isLive, let held = known.held else { return .forget }
        return .delete(basedOn: held.version)
    }
}
