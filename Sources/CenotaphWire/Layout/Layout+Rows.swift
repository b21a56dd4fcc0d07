/// The tables of range lists and of the bodies that carry them.
extension Layout {
    static let namespace = LayoutField("namespace", .bytes(min: 1, max: Limits.maxName))
    static let set = LayoutField("set", .u8(values: [0: "live", 1: "tombstones"]))

    static let reconcileRequest: [LayoutField] = [
        LayoutField("request", .uvarint(min: 1, max: Limits.maxRequest)),
        namespace,
        set,
        LayoutField(
            "ranges",
            .list(
                LayoutList(
                    1, Limits.maxRanges, smallest: 2, of: .structure("range"), ascending: ["hi"],
                    modes: [0, 1, 2, 3, 5]))),
    ]

    static let range: [LayoutField] = [
        LayoutField("hi", .bytes(min: 0, max: Limits.maxKey)),
        LayoutField(
            "mode",
            .u8(values: [
                0: "skip", 1: "fingerprint", 2: "items", 3: "keys", 4: "unanswered", 5: "all",
            ])),
        LayoutField(
            "",
            .choice(
                on: "mode",
                cases: [
                    0: [],
                    1: [LayoutField("fingerprint", .fixed(.tag))],
                    2: [
                        LayoutField(
                            "items",
                            .list(
                                LayoutList(
                                    0, smallest: 18, of: .structure("item"), ascending: ["key"])))
                    ],
                    3: [
                        LayoutField(
                            "keys",
                            .list(
                                LayoutList(
                                    1, smallest: 2, of: .bytes(min: 1, max: Limits.maxKey),
                                    ascending: [""])))
                    ],
                    4: [],
                    5: [],
                ])),
    ]

    static let rowsBody: [LayoutField] = [
        LayoutField("request", .uvarint(max: Limits.maxRequest)),
        LayoutField("part", .uvarint(max: UInt64(Limits.maxParts - 1))),
        LayoutField("last", .u8(values: [0: "no", 1: "yes"])),
        namespace,
        set,
        LayoutField(
            "rowType",
            .u8(values: [
                1: "log events", 2: "log markers", 3: "causal rows", 4: "last-writer rows",
                5: "messages",
            ])),
        LayoutField(
            "replicas",
            .list(
                LayoutList(
                    0, Limits.maxVector, smallest: 16, of: .fixed(.replica), ascending: [""]))),
        LayoutField(
            "",
            .choice(
                on: "rowType",
                cases: [1: events, 2: markers, 3: causalRows, 4: lastWriterRows, 5: messages])),
        LayoutField(
            "claims",
            .list(
                LayoutList(
                    0, Limits.maxRanges, smallest: 2, of: .structure("range"), ascending: ["hi"],
                    modes: [0, 1, 2, 4]))),
    ]

    private static let events = [
        LayoutField(
            "rows",
            .list(
                LayoutList(
                    0, smallest: 14, of: .structure("eventRow"),
                    ascending: ["key", "time", "ref", "group", "body"])))
    ]

    private static let markers = [
        LayoutField(
            "rows",
            .list(
                LayoutList(0, smallest: 11, of: .structure("markerRow"), ascending: ["group"])))
    ]

    private static let causalRows = [
        LayoutField(
            "rows",
            .list(LayoutList(0, smallest: 13, of: .structure("causalRow"), ascending: ["key"])))
    ]

    private static let lastWriterRows = [
        LayoutField(
            "rows",
            .list(LayoutList(0, smallest: 12, of: .structure("lastWriterRow"), ascending: ["key"])))
    ]

    static let lastWriterRow: [LayoutField] =
        [LayoutField("key", .bytes(min: 1, max: Limits.maxKey))]
        + writtenValue(["deleted", "value"])

    static let eventRow: [LayoutField] = [
        LayoutField("key", .bytes(min: 1, max: Limits.maxKey)),
        LayoutField("ref", .uvarint(index: "replicas")),
        LayoutField("time", .fixed(.time)),
        LayoutField("group", .bytes(min: 1, max: Limits.maxGroup)),
        LayoutField("body", .bytes(min: 0, max: Limits.maxBody)),
    ]

    static let markerRow: [LayoutField] = [
        LayoutField("group", .bytes(min: 1, max: Limits.maxGroup)),
        LayoutField("ref", .uvarint(index: "replicas")),
        LayoutField("time", .fixed(.time)),
    ]

    static let causalRow: [LayoutField] = [
        LayoutField("key", .bytes(min: 1, max: Limits.maxKey)),
        LayoutField(
            "",
            .list(
                LayoutList(
                    1, Limits.maxVector, smallest: 10, of: .structure("causalEntry"),
                    ascending: ["ref"]))),
    ]

    static let causalEntry: [LayoutField] = writtenValue(["covered", "value"])

    /// A write by a replica of the table and, in the second state, its body.
    private static func writtenValue(_ states: [String]) -> [LayoutField] {
        [
            LayoutField("ref", .uvarint(index: "replicas")),
            LayoutField("time", .fixed(.time)),
            LayoutField("state", .u8(values: [0: states[0], 1: states[1]])),
            LayoutField(
                "",
                .choice(
                    on: "state",
                    cases: [0: [], 1: [LayoutField("body", .bytes(min: 0, max: Limits.maxBody))]])),
        ]
    }
}
