/// The field tables of Spec 03 and 05 as data: what the annotated dump walks along.
///
/// It stands beside the decoders and is not used by them, so a dump can be read where a decoder refuses. A test
/// holds it equal to `Spec/layout.json`.
package enum Layout {
    /// The envelope (Spec 05).
    package static let envelope: [LayoutField] = [
        LayoutField("version", .u8(values: [1: "1"])),
        LayoutField("keyID", .fixed(.keyID)),
        LayoutField("nonce", .fixed(.nonce)),
        LayoutField("tag", .fixed(.tag)),
        LayoutField(
            "ciphertext", .rest(min: Limits.minPlaintext, max: Limits.maxPlaintext)),
    ]

    /// The header of every frame.
    package static let header: [LayoutField] = [
        LayoutField("kind", .u8()),
        LayoutField("sender", .fixed(.replica)),
        LayoutField("recipient", .fixed(.id16)),
        LayoutField("epoch", .fixed(.id16)),
    ]

    /// The kinds that a receiver skips without looking at what follows.
    package static let skipped: ClosedRange<UInt8> = 0x80...0xff

    /// The body of each described kind.
    package static let kinds: [FrameKind: [LayoutField]] = [
        .hello: hello,
        .digest: digest,
        .reconcileRequest: reconcileRequest,
        .reconcileResponse: [LayoutField("", .structure("rowsBody"))],
        .syncDelta: [LayoutField("", .structure("rowsBody"))],
        .messageOp: messageOp,
        .error: error,
        .sketchRequest: sketchRequest,
        .sketchResponse: sketchResponse,
    ]

    /// The tables that others refer to.
    package static let structs: [String: [LayoutField]] = [
        "sighting": [
            LayoutField("replica", .fixed(.replica)),
            LayoutField("incarnation", .fixed(.id16)),
            LayoutField("time", .fixed(.time)),
        ],
        "vectorEntry": [
            LayoutField("replica", .fixed(.replica)),
            LayoutField("time", .fixed(.time)),
        ],
        "digestEntry": digestEntry,
        "cell": cell,
        "range": range,
        "item": [
            LayoutField("key", .bytes(min: 1, max: Limits.maxKey)),
            LayoutField("tag", .fixed(.tag)),
        ],
        "rowsBody": rowsBody,
        "eventRow": eventRow,
        "markerRow": markerRow,
        "causalRow": causalRow,
        "causalEntry": causalEntry,
        "lastWriterRow": lastWriterRow,
        "messageRow": messageRow,
        "messageEdit": messageEdit,
    ]

    private static let hello: [LayoutField] = [
        LayoutField("minVersion", .u8(min: .number(1))),
        LayoutField("maxVersion", .u8(min: .field("minVersion"))),
        LayoutField("capabilities", .uvarint()),
        LayoutField("schema", .fixed(.hash)),
        LayoutField("incarnation", .fixed(.id16)),
        LayoutField("challenge", .fixed(.id16)),
        LayoutField("answer", .fixed(.id16)),
        LayoutField(
            "sightings",
            .list(
                LayoutList(
                    0, Limits.maxSightings, smallest: 40, of: .structure("sighting"),
                    ascending: ["replica", "incarnation"]))),
    ]

    private static let digest: [LayoutField] = [
        LayoutField("form", .u8(values: [0: "summary", 1: "full"])),
        LayoutField(
            "",
            .choice(
                on: "form",
                cases: [
                    0: [LayoutField("summary", .fixed(.tag))],
                    1: [
                        LayoutField(
                            "namespaces",
                            .list(
                                LayoutList(
                                    0, Limits.maxNamespaces, smallest: 69,
                                    of: .structure("digestEntry"), ascending: ["name"])))
                    ],
                ])),
    ]

    private static let digestEntry: [LayoutField] = [
        LayoutField("name", .bytes(min: 1, max: Limits.maxName)),
        LayoutField("liveCount", .uvarint()),
        LayoutField("live", .fixed(.hash)),
        LayoutField("tombstoneCount", .uvarint()),
        LayoutField("tombstones", .fixed(.hash)),
        LayoutField(
            "knowledge",
            .list(
                LayoutList(
                    0, Limits.maxVector, smallest: 24, of: .structure("vectorEntry"),
                    ascending: ["replica"]))),
    ]

    private static let error: [LayoutField] = [
        LayoutField(
            "class",
            .u8(
                values: Dictionary(
                    uniqueKeysWithValues: ErrorClass.allCases.map { ($0.rawValue, $0.name) }))),
        LayoutField("request", .uvarint(max: Limits.maxRequest)),
        LayoutField("rule", .bytes(min: 0, max: Limits.maxRule, charset: "A-Z0-9-")),
        LayoutField("detail", .bytes(min: 0, max: Limits.maxDetail, charset: "UTF-8")),
    ]
}
