/// The tables of messages: a row of type 5, and what a contact is told of one.
extension Layout {
    static let messages = [
        LayoutField(
            "rows",
            .list(LayoutList(0, smallest: 22, of: .structure("messageRow"), ascending: ["key"])))
    ]

    static let messageRow = message(
        scopes: [0: "live", 1: "deleted for me", 2: "deleted for everyone"],
        directions: [0: "out", 1: "in"])

    static let messageOp: [LayoutField] =
        [LayoutField("namespace", .bytes(min: 1, max: Limits.maxName))]
        + message(scopes: [0: "live", 2: "deleted for everyone"], directions: [1: "in"])

    static let messageEdit: [LayoutField] = [
        LayoutField("hasEdit", .u8(values: [0: "no", 1: "yes"])),
        LayoutField(
            "",
            .choice(
                on: "hasEdit",
                cases: [
                    0: [],
                    1: [
                        LayoutField("editedAt", .fixed(.time)),
                        LayoutField("opID", .fixed(.id16)),
                        LayoutField("editBody", .bytes(min: 0, max: Limits.maxBody)),
                    ],
                ])),
    ]

    private static func message(
        scopes: [UInt8: String], directions: [UInt8: String]
    ) -> [LayoutField] {
        [
            LayoutField("key", .bytes(min: Limits.minMessageKey, max: Limits.maxKey)),
            LayoutField("scope", .u8(values: scopes)),
            LayoutField("delivered", .u8(values: [0: "no", 1: "yes"])),
            LayoutField("hasBase", .u8(values: [0: "no", 1: "yes"])),
            LayoutField(
                "",
                .choice(
                    on: "hasBase",
                    cases: [
                        0: [],
                        1: [
                            LayoutField("direction", .u8(values: directions)),
                            LayoutField("postedAt", .fixed(.time)),
                            LayoutField("body", .bytes(min: 0, max: Limits.maxBody)),
                        ],
                    ])),
            LayoutField("", .structure("messageEdit")),
        ]
    }
}
