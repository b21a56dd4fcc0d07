/// The state of one message under the `messages` policy, always in normal form (Spec 07, "messages").
///
/// Content: bytes key, scope (1), delivered (1), hasBase (1) and then direction (1), postedAt (8), bytes body;
/// hasEdit (1) and then editedAt (8), opID (16), bytes body. The key begins with the author's fleet id.
public struct MessageRow: Hashable, Sendable {
    /// Which way a message goes, seen from the fleet that holds the row.
    ///
    /// Raw values are the codes on the wire and the order of a merge: inbound is the greater.
    public enum Direction: UInt8, Hashable, Sendable, CaseIterable {
        /// To a contact.
        case outbound = 0
        /// From a contact.
        case inbound = 1
    }

    /// How far a message is deleted.
    ///
    /// Raw values are the codes on the wire and the order of a merge.
    public enum Scope: UInt8, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case live = 0
        /// On this fleet's devices.
        case me = 1
        /// Everywhere, as far as contacts follow.
        case everyone = 2
    }

    /// The message as it was posted.
    public struct Base: Hashable, Sendable {
        /// Which way it goes.
        public let direction: Direction
        /// When it was posted.
        public let postedAt: UInt64
        /// Its body, 0 to 983,040 bytes; empty once it was edited or deleted.
        public let body: [UInt8]

        /// Makes a base.
        public init(direction: Direction, postedAt: UInt64, body: [UInt8]) {
            self.direction = direction
            self.postedAt = postedAt
            self.body = body
        }
    }

    /// The greatest edit.
    public struct Edit: Hashable, Sendable {
        /// When it was made.
        public let editedAt: UInt64
        /// Sixteen random bytes that name it.
        public let opID: ID16
        /// The new body, 0 to 983,040 bytes.
        public let body: [UInt8]

        /// Makes an edit.
        public init(editedAt: UInt64, opID: ID16, body: [UInt8]) {
            self.editedAt = editedAt
            self.opID = opID
            self.body = body
        }
    }

    /// The author's fleet id and the message id, 17 to 512 bytes.
    public let key: Key
    /// The message as it was posted; `nil` while only other pieces of it are known.
    public let base: Base?
    /// The greatest edit; `nil` without one, and once it is of no use.
    public let edit: Edit?
    /// How far the message is deleted.
    public let scope: Scope
    /// Whether the contact has it.
    public let isDelivered: Bool

    /// Makes the normal form of a state, or `nil` for a key without author and message id, and for a state that says
    /// nothing (Spec MERGE-032).
    public init?(
        key: Key, base: Base? = nil, edit: Edit? = nil, scope: Scope = .live,
        isDelivered: Bool = false
    ) {
        guard key.count >= Limits.minMessageKey else { return nil }
        guard base != nil || edit != nil || scope != .live || isDelivered else { return nil }
        let parts = Parts(base: base, edit: edit, scope: scope, isDelivered: isDelivered)
        self.init(key: key, normal: parts.normal)
    }

    private init(key: Key, normal parts: Parts) {
        self.key = key
        base = parts.base
        edit = parts.edit
        scope = parts.scope
        isDelivered = parts.isDelivered
    }

    /// Whether nothing of the message will be shown or delivered any more (Spec MERGE-032).
    public var isSettled: Bool {
        Parts(base: base, edit: edit, scope: scope, isDelivered: isDelivered).isSettled
    }

    /// Whether the row is in the set of tombstones (Spec MERGE-033).
    public var isTombstone: Bool {
        scope == .everyone || (scope == .me && (isSettled || (base == nil && edit == nil)))
    }
}

/// The parts of a message before they are put into normal form.
private struct Parts: Equatable {
    var base: MessageRow.Base?
    var edit: MessageRow.Edit?
    var scope: MessageRow.Scope
    var isDelivered: Bool

    var isSettled: Bool {
        scope == .everyone
            || (scope == .me && (isDelivered || base?.direction == .inbound))
    }

    var normal: Parts {
        var normal = self
        if scope == .everyone || base?.direction == .inbound { normal.isDelivered = false }
        if isSettled { normal.edit = nil }
        if let base, isSettled || edit != nil {
            normal.base = .init(direction: base.direction, postedAt: base.postedAt, body: [])
        }
        return normal
    }
}

extension MessageRow: WireEncodable {
    /// Bytes of the canonical content.
    public var wireSize: Int {
        key.wireSize + 4
            + (base.map { 9 + WireSize.byteString($0.body) } ?? 0)
            + (edit.map { 24 + WireSize.byteString($0.body) } ?? 0)
    }

    /// Appends the canonical content.
    public func write(to writer: inout WireWriter) {
        key.write(to: &writer)
        writer.u8(scope.rawValue)
        writer.u8(isDelivered ? 1 : 0)
        writer.u8(base == nil ? 0 : 1)
        if let base {
            writer.u8(base.direction.rawValue)
            writer.u64(base.postedAt)
            writer.byteString(base.body)
        }
        writer.u8(edit == nil ? 0 : 1)
        if let edit {
            writer.u64(edit.editedAt)
            writer.id16(edit.opID)
            writer.byteString(edit.body)
        }
    }

    /// Reads a canonical content.
    /// - Throws: `truncated`, `range`, and `noncanonical` for what is not in normal form (Spec LEAF-006).
    public init(from reader: inout WireReader) throws(WireError) {
        try self.init(from: &reader, normal: .messageForm)
    }

    /// Reads a row in one of its places; `rule` is the place's sentence on the normal form, and an operation has
    /// fewer choices (Spec WIRE-058, WIRE-070).
    init(
        from reader: inout WireReader, normal rule: Rule, isOperation: Bool = false
    ) throws(WireError) {
        let start = reader.offset
        let key = try reader.messageKey()
        let scope: Scope = try reader.choice(except: isOperation ? .me : nil)
        let isDelivered = try reader.flag()
        var base: Base?
        if try reader.flag() {
            base = Base(
                direction: try reader.choice(except: isOperation ? .outbound : nil),
                postedAt: try reader.time(), body: try reader.byteString(0, Limits.maxBody))
        }
        var edit: Edit?
        if try reader.flag() {
            edit = Edit(
                editedAt: try reader.time(), opID: try reader.id16(),
                body: try reader.byteString(0, Limits.maxBody))
        }
        let parts = Parts(base: base, edit: edit, scope: scope, isDelivered: isDelivered)
        guard parts == parts.normal, base != nil || edit != nil || scope != .live || isDelivered
        else { throw reader.fail(.noncanonical, rule, at: start) }
        self.init(key: key, normal: parts)
    }
}

extension WireReader {
    /// Reads the key of a message, 17 to 512 bytes.
    /// - Throws: `truncated`, `noncanonical`, `range`.
    @_lifetime(self: copy self)
    mutating func messageKey() throws(WireError) -> Key {
        Key(unchecked: try byteString(Limits.minMessageKey, Limits.maxKey))
    }

    /// Reads a byte that stands for a choice, one of which is not listed here.
    @_lifetime(self: copy self)
    fileprivate mutating func choice<Choice: RawRepresentable<UInt8> & Equatable>(
        except unlisted: Choice?
    ) throws(WireError) -> Choice {
        let start = offset
        let value: Choice = try choice()
        guard value != unlisted else { throw fail(.range, .listedChoice, at: start) }
        return value
    }
}
