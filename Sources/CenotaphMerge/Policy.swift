public import CenotaphWire

/// How the rows of a namespace merge (Spec 07).
public enum Policy: Hashable, Sendable {
    /// What happens to the events of a buried group.
    public enum Burial: Hashable, Sendable {
        /// They leave the store and are refused on arrival.
        case erase
        /// They stay in the store and never show in the live view.
        case hide
    }

    /// Immutable events in groups; a group is deleted by burying it.
    case log(buried: Burial)
    /// Editable rows; a delete covers what its author had seen, a concurrent edit survives.
    case causal
    /// Rows with one natural writer; the greatest write wins, a delete wins an equal time.
    case lastWriter
    /// Messages of contacts and to them; a delete covers every edit, whenever it was made.
    case messages
    /// Rows that every device makes for itself: in no frame, digest or tombstone.
    case derived

    /// The policy's code in the schema (Spec MODEL-011); 0 for `derived`, which is in none.
    public var code: UInt8 {
        switch self {
        case .log(buried: .erase): 1
        case .log(buried: .hide): 2
        case .causal: 3
        case .lastWriter: 4
        case .messages: 5
        case .derived: 0
        }
    }

    /// The replicated policy of a code, or `nil` for one that this version does not have.
    public init?(code: UInt8) {
        switch code {
        case 1: self = .log(buried: .erase)
        case 2: self = .log(buried: .hide)
        case 3: self = .causal
        case 4: self = .lastWriter
        case 5: self = .messages
        default: return nil
        }
    }

    /// Whether rows of such a namespace travel.
    public var isReplicated: Bool { self != .derived }

    /// Whether a deleted row may leave nothing under its own key.
    package var keepsNoTrace: Bool {
        switch self {
        case .log, .derived: true
        case .causal, .lastWriter, .messages: false
        }
    }

    /// Whether rows are put and deleted one by one, with a tombstone each.
    var isEditable: Bool { self == .causal || self == .lastWriter }

    /// The types of the rows that a set of such a namespace holds (Spec 06).
    public func rowType(in set: RowSet) -> RowType {
        switch (self, set) {
        case (.log, .live): .logEvents
        case (.log, .tombstones): .logMarker
        case (.causal, _): .causal
        case (.lastWriter, _), (.derived, _): .lastWriter
        case (.messages, _): .message
        }
    }
}

extension Policy: CustomStringConvertible {
    /// `log`, `log-hide`, `causal`, `last-writer`, `messages` or `derived`.
    public var description: String {
        switch self {
        case .log(buried: .erase): "log"
        case .log(buried: .hide): "log-hide"
        case .causal: "causal"
        case .lastWriter: "last-writer"
        case .messages: "messages"
        case .derived: "derived"
        }
    }
}
