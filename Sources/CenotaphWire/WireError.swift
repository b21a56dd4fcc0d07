/// The closed registry of rejection classes (Spec 09).
///
/// Raw values are the codes on the wire.
public enum ErrorClass: UInt8, Hashable, Sendable, CaseIterable {
    case auth = 1
    case sealFormat, version, type, truncated, trailing, tooLarge
    case noncanonical, range, order, duplicate, text, unexpected, stale

    /// The name used in the specification, in vectors and in reports.
    public var name: String {
        switch self {
        case .sealFormat: "seal-format"
        case .tooLarge: "too-large"
        default: "\(self)"
        }
    }

    /// The layer of the class: `seal`, `frame`, `value` or `state`.
    public var layer: String {
        switch self {
        case .auth, .sealFormat: "seal"
        case .version, .type, .truncated, .trailing, .tooLarge: "frame"
        case .noncanonical, .range, .order, .duplicate, .text: "value"
        case .unexpected, .stale: "state"
        }
    }
}

/// The sentences of the specification whose breach a decoder reports.
///
/// Raw values are their ids.
public enum Rule: String, Hashable, Sendable, CaseIterable {
    case rowContentLimit = "CONV-009"
    case countFitsInput = "CONV-004"
    case limits = "CONV-007"
    case uvarintComplete = "PRIM-001"
    case uvarintMinimal = "PRIM-002"
    case uvarintFits = "PRIM-003"
    case bytesLength = "PRIM-004"
    case valueComplete = "PRIM-005"
    case timeRange = "PRIM-006"
    case replicaNotZero = "PRIM-007"
    case listedChoice = "PRIM-008"
    case vectorAscends = "PRIM-009"
    case listAscends = "PRIM-010"
    case valueEnds = "PRIM-011"
    case frameEnds = "WIRE-001"
    case kindKnown = "WIRE-003"
    case helloVersions = "WIRE-010"
    case sightingsAscend = "WIRE-011"
    case boundsAscend = "WIRE-030"
    case keyInRange = "WIRE-031"
    case skipsCanonical = "WIRE-032"
    case keysNotEmpty = "WIRE-034"
    case modeAllowed = "WIRE-035"
    case requestRange = "WIRE-040"
    case deltaNumbers = "WIRE-057"
    case tableUsed = "WIRE-051"
    case rowsAscend = "WIRE-052"
    case messageRowForm = "WIRE-058"
    case errorFields = "WIRE-061"
    case messageOpForm = "WIRE-070"
    case sketchNumbers = "WIRE-080"
    case sketchRowsAscend = "WIRE-081"
    case sketchCells = "WIRE-082"
    case contentForm = "LEAF-004"
    case contentLimit = "LEAF-005"
    case messageForm = "LEAF-006"
    case keyIDsDiffer = "SEAL-003"
    case envelope = "SEAL-005"
    case padding = "SEAL-009"
    case plaintextLimit = "SEAL-010"
    case streamLength = "SEAL-020"
    case keyFileForm = "SEAL-030"
    case keyFilePermissions = "SEAL-031"
    case channelFleetsDiffer = "SEAL-042"
    case relayGreeting = "RELAY-003"
    case relayLength = "RELAY-009"
    case relayNotice = "RELAY-013"
    case ownFrame = "SYNC-001"
    case otherRecipient = "SYNC-002"
    case beforeHello = "SYNC-003"
    case sameEpoch = "SYNC-004"
    case namespaceKnown = "SYNC-005"
    case commonVersion = "SYNC-011"
    case sameSchema = "MODEL-014"
    case openRequests = "SYNC-025"
    case channelKind = "SYNC-030"
    case sketchesSpoken = "SYNC-049"
    case channelNamespace = "SYNC-031"
    case channelOperation = "SYNC-034"
}

/// A rejection: its class, the sentence that was broken and where (Spec ERR-001, ERR-002).
public struct WireError: Error, Hashable, Sendable {
    /// The class of the registry.
    public var errorClass: ErrorClass
    /// The sentence of the specification that was broken.
    public var rule: Rule
    /// The byte offset of the offending value in its input.
    public var offset: Int

    /// Makes a rejection.
    public init(_ errorClass: ErrorClass, _ rule: Rule, at offset: Int = 0) {
        self.errorClass = errorClass
        self.rule = rule
        self.offset = offset
    }
}

extension WireError: CustomStringConvertible {
    /// The rejection as one line, such as `truncated at byte 12 [PRIM-005]`.
    public var description: String {
        "\(errorClass.name) at byte \(offset) [\(rule.rawValue)]"
    }
}
