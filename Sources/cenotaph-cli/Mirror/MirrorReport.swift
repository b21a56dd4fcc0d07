import Cenotaph

/// What one round of a mirror did.
struct MirrorReport: Encodable, Sendable {
    struct Held: Encodable, Sendable {
        let event: UInt64
        let rows: Int
    }

    /// Files that became rows, by path.
    var taken: [String] = []
    /// Rows that were deleted because their files are gone.
    var deleted: [String] = []
    /// Files that were written.
    var written: [String] = []
    /// Files that were removed because their rows are deleted.
    var removed: [String] = []
    /// Files whose rows are deleted, and that are not what they were then.
    var dead: [String] = []
    /// Rows with several values; the file shows one.
    var conflicts: [String] = []
    /// Deletes that wait for a decision.
    var held: [Held] = []
    /// Files and rows that were left out, and why.
    var skipped: [String] = []
    /// What could not be read.
    var unreadable: [String] = []
    /// Files that are being written, for the next round.
    var unsettled = 0
    /// Whether the whole folder was seen; if not, nothing was deleted.
    var isWhole = true

    /// Whether anything is worth a line.
    var isNews: Bool {
        let lists = [taken, deleted, written, removed, dead, conflicts, skipped, unreadable]
        return !lists.allSatisfy(\.isEmpty) || !held.isEmpty || !isWhole
    }

    var exitCode: ExitCode {
        if !isWhole || !unreadable.isEmpty { return .unreadable }
        return held.isEmpty ? .done : .refused
    }

    func print(asJSON: Bool) throws {
        if asJSON { return try printJSON(self) }
        System.print(
            "\(taken.count) taken in, \(deleted.count) deleted, \(written.count) files written, "
                + "\(removed.count) files removed")
        for path in deleted { System.print("deleted: \(path)") }
        for path in conflicts { System.print("conflict, get --json shows it: \(path)") }
        for path in dead {
            System.print("left alone, its row is deleted (--revive takes it in): \(path)")
        }
        for event in held {
            System.print(
                "held back: \(event.rows) files are missing; --approve \(event.event) deletes their "
                    + "rows, --undo \(event.event) writes them again")
        }
        if unsettled > 0 { System.print("\(unsettled) left for the next round") }
        for words in skipped { System.printError("skipped: \(words)") }
        for words in unreadable { System.printError("unreadable: \(words)") }
        if !isWhole {
            System.printError("the folder could not be read wholly: nothing was deleted")
        }
    }
}
