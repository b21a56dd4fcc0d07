/// Every named limit of the specification (Spec 00, "Limits").
public enum Limits {
    /// Longest key, in bytes.
    public static let maxKey = 512
    /// Shortest key of a message, in bytes: its author's fleet id and a message id of one byte.
    public static let minMessageKey = 17
    /// Longest group name, in bytes.
    public static let maxGroup = 512
    /// Longest namespace name, in bytes.
    public static let maxName = 64
    /// Longest body, in bytes (960 KiB).
    public static let maxBody = 983_040
    /// Most entries in a vector, a replica table or a causal row.
    public static let maxVector = 1_024
    /// Most replicated namespaces in a schema.
    public static let maxNamespaces = 64
    /// Most entries in a range list.
    public static let maxRanges = 1_024
    /// Most sightings in a `hello`.
    public static let maxSightings = 64
    /// Longest rule id in an `error`, in bytes.
    public static let maxRule = 16
    /// Longest detail in an `error`, in bytes.
    public static let maxDetail = 256
    /// Greatest time.
    public static let maxTime = UInt64(Int64.max)
    /// Greatest time of a row that a write goes above (Spec MODEL-017).
    public static let maxFloor = UInt64(1) << 62
    /// Most parts of one answer.
    public static let maxParts = 1_024
    /// Greatest request number.
    public static let maxRequest = UInt64(Int64.max)
    /// Smallest padded plaintext, in bytes.
    public static let minPlaintext = 256
    /// Greatest padded plaintext, in bytes.
    public static let maxPlaintext = 1_048_576
    /// Longest frame before padding, in bytes.
    public static let maxFrame = maxPlaintext - 1
    /// Bytes of an envelope beside its padded plaintext: version, key id, nonce and tag.
    public static let envelopeOverhead = 49
    /// Smallest sealed frame, in bytes.
    public static let minSealed = minPlaintext + envelopeOverhead
    /// Greatest sealed frame, in bytes.
    public static let maxSealed = maxPlaintext + envelopeOverhead
    /// Longest canonical content of one row, in bytes.
    public static let maxRowContent = 16_777_216
    /// Most cells of a sketch.
    public static let maxCells = 65_536
    /// Counters beside a sketch's cells, of one byte each.
    public static let sketchCounters = 128
    /// Size near which an encoder ends a part of an answer, in bytes.
    public static let partSize = 65_536
    /// Most unsent answer bytes for one request.
    public static let maxAnswer = 8_388_608
    /// Most requests that a requester keeps open on a link.
    public static let maxOpenRequests = 4
    /// Most requests that the pull of one set may take.
    public static let maxRequestsPerPull = 256
    /// Most rows that a range description lists one by one, and the number of its parts otherwise.
    public static let rangeFanout = 16
}
