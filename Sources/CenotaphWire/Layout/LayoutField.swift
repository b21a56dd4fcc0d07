/// One field of a field table of Spec 03, as data (the shape of `Spec/layout.json`).
///
/// A name is a part of the paths that the operation `frame.decode` gives; an empty name adds nothing to them.
package struct LayoutField: Hashable, Sendable {
    /// The part that the field adds to a path.
    package var name: String
    /// How its bytes are read.
    package var type: LayoutType

    /// Makes a field.
    package init(_ name: String, _ type: LayoutType) {
        self.name = name
        self.type = type
    }
}

/// How the bytes of a field are read.
package indirect enum LayoutType: Hashable, Sendable {
    /// One byte, within limits and, if there are any, one of the choices.
    case u8(min: LayoutBound? = nil, values: [UInt8: String] = [:])
    /// A shortest-form number; `index` names the list that it points into.
    case uvarint(min: UInt64? = nil, max: UInt64? = nil, index: String? = nil)
    /// A byte string and its length before it.
    case bytes(min: Int, max: Int, charset: String? = nil)
    /// A value of fixed width.
    case fixed(LayoutFixed)
    /// A count and that many elements.
    case list(LayoutList)
    /// The fields of another table.
    case structure(String)
    /// Fields that depend on a `u8` read before, in the same table or in one around it.
    case choice(on: String, cases: [UInt8: [LayoutField]])
    /// All that is left.
    case rest(min: Int? = nil, max: Int? = nil)
}

/// The least value of a `u8`: a number, or the value of a field before it.
package enum LayoutBound: Hashable, Sendable {
    /// A number.
    case number(UInt8)
    /// The name of a field of the same table.
    case field(String)
}

/// The values of fixed width.
package enum LayoutFixed: String, Hashable, Sendable, CaseIterable {
    case replica, id16, hash, tag, keyID, nonce, time, ids, checks, counters, idPrefix

    /// The width in bytes.
    package var size: Int {
        switch self {
        case .keyID, .time: 8
        case .replica, .id16, .tag: 16
        case .nonce: 24
        case .hash: 32
        case .ids: 6
        case .checks: 3
        case .counters: Limits.sketchCounters
        case .idPrefix: 4
        }
    }
}

/// What is known of a list beside its place.
package struct LayoutList: Hashable, Sendable {
    /// The least count.
    package var least: Int
    /// The greatest count, or none beside the bytes that remain.
    package var most: Int?
    /// The bytes that an element takes at least (Spec CONV-004).
    package var smallest: Int
    /// The type of an element.
    package var element: LayoutType
    /// The parts of an element that strictly ascend; an empty name stands for the element itself.
    package var ascending: [String]
    /// The range modes that may stand in the list, if its elements are ranges.
    package var modes: [UInt8]?

    /// Makes a list of elements.
    package init(
        _ least: Int, _ most: Int? = nil, smallest: Int, of element: LayoutType,
        ascending: [String] = [], modes: [UInt8]? = nil
    ) {
        self.least = least
        self.most = most
        self.smallest = smallest
        self.element = element
        self.ascending = ascending
        self.modes = modes
    }
}
