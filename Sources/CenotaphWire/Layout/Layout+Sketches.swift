/// The tables of the frames that carry sketches.
extension Layout {
    private static let request = LayoutField("request", .uvarint(min: 1, max: Limits.maxRequest))
    private static let first = LayoutField("first", .uvarint(max: UInt64(Limits.maxCells)))
    private static let cells = LayoutField(
        "cells",
        .list(
            LayoutList(1, Limits.maxCells, smallest: SketchCell.size, of: .structure("cell"))))

    static let cell: [LayoutField] = [
        LayoutField("ids", .fixed(.ids)),
        LayoutField("checks", .fixed(.checks)),
        LayoutField("number", .u8()),
    ]

    static let sketchRequest: [LayoutField] = [
        request, namespace, set,
        LayoutField("form", .u8(values: [0: "open", 1: "more", 2: "rows"])),
        LayoutField(
            "",
            .choice(
                on: "form",
                cases: [
                    0: [
                        LayoutField("count", .uvarint()),
                        LayoutField("counters", .fixed(.counters)),
                        cells,
                    ],
                    1: [
                        first,
                        LayoutField("wanted", .uvarint(min: 1, max: UInt64(Limits.maxCells))),
                    ],
                    2: [
                        LayoutField(
                            "rows",
                            .list(
                                LayoutList(
                                    1, Limits.maxCells, smallest: 4, of: .fixed(.idPrefix),
                                    ascending: [""])))
                    ],
                ])),
    ]

    static let sketchResponse: [LayoutField] = [
        request, namespace, set,
        LayoutField("form", .u8(values: [0: "cells", 1: "too many differences"])),
        LayoutField("count", .uvarint()),
        LayoutField(
            "",
            .choice(
                on: "form",
                cases: [0: [first, cells], 1: [LayoutField("estimate", .uvarint())]])),
    ]
}
