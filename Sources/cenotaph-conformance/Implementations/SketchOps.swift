internal import CenotaphDigest
internal import CenotaphSeal
internal import CenotaphWire

/// The operations on sketches (Spec 12).
enum SketchOps {
    static func id(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let namespace = try LeafOps.namespaceKey(fields)
        let bytes = try fields.bytes("key")
        let key = try library { () throws(WireError) in try Key(bytes) }
        let row = RowID(
            place: namespace.place(of: key), leaf: try DigestOps.hash(fields, "leaf"))
        let traits = row.traits
        return [
            "row": "\(row)", "dense": traits.isDense ? "1" : "0",
            "check": Hex.string([16, 8, 0].map { UInt8(truncatingIfNeeded: traits.check >> $0) }),
            "counter": "\(traits.counter)", "up": traits.isUp ? "1" : "0",
        ]
    }

    static func indexes(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let row = try self.row(fields.text("row"))
        var indexes: [String] = []
        row.forEachCell(below: try size(fields), row.traits) { indexes.append("\($0)") }
        return ["indexes": indexes.joined(separator: " ")]
    }

    static func cells(_ fields: Fields) throws(OpFailure) -> [String: String] {
        var sketch = Sketch(size: try size(fields))
        for text in try fields.text("rows").split(separator: " ") { sketch.add(try row(text)) }
        return [
            "cells": Hex.string(sketch.cells.flatMap { $0.encoded() }),
            "counters": Hex.string(sketch.counters),
        ]
    }

    static func difference(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let a = try sketch(fields, "a")
        let b = try sketch(fields, "b")
        guard a.count == b.count else { throw .malformed("sketches of two sizes") }
        let counts = (try fields.number("countA"), try fields.number("countB"))
        guard let difference = SketchDifference(a[...], b[...], counts.0, counts.1) else {
            return ["decoded": "0"]
        }
        return ["decoded": "1"].merging(ids(of: difference)) { $1 }
    }

    static func answer(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let cells = (try sketch(fields, "a"), try sketch(fields, "b"))
        guard cells.0.count == cells.1.count else { throw .malformed("sketches of two sizes") }
        let counters = (try counters(fields, "countersA"), try counters(fields, "countersB"))
        let counts = (try fields.number("countA"), try fields.number("countB"))
        let answer = SketchAnswer(
            own: (cells.0, counters.0, counts.0), theirs: (cells.1, counters.1, counts.1))
        return switch answer {
        case .rows(let difference): ["answer": "rows"].merging(ids(of: difference)) { $1 }
        case .equal: ["answer": "equal"]
        case .cells(let size): ["answer": "cells", "cells": "\(size)"]
        case .tooMany(let estimate): ["answer": "tooMany", "estimate": "\(estimate)"]
        }
    }

    private static func ids(of difference: SketchDifference) -> [String: String] {
        [
            "onlyA": difference.onlyA.map { "\($0)" }.joined(separator: " "),
            "onlyB": difference.onlyB.map { "\($0)" }.joined(separator: " "),
        ]
    }

    private static func counters(
        _ fields: Fields, _ name: String
    ) throws(OpFailure) -> [UInt8] {
        try fields.bytes(name, width: Limits.sketchCounters)
    }

    static func estimate(_ fields: Fields) throws(OpFailure) -> [String: String] {
        let (a, b) = (try counters(fields, "a"), try counters(fields, "b"))
        return ["estimate": "\(Sketch.estimate(a, b))"]
    }

    private static func size(_ fields: Fields) throws(OpFailure) -> Int {
        let size = try fields.number("size")
        guard (1...UInt64(Limits.maxCells)).contains(size) else { throw .malformed("a size") }
        return Int(size)
    }

    private static func row(_ text: some StringProtocol) throws(OpFailure) -> RowID {
        let bytes = try Fields.hex(text, "row")
        guard bytes.count == 6 else { throw .malformed("a row id is 6 bytes") }
        return RowID(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func sketch(
        _ fields: Fields, _ name: String
    ) throws(OpFailure) -> [SketchCell] {
        let bytes = try fields.bytes(name)
        return try library { () throws(WireError) in try SketchCell.list(bytes) }
    }
}
