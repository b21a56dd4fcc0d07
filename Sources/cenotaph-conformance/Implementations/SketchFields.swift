internal import CenotaphWire

/// The frames that carry sketches as flat strings (Spec 11, "Fields of `frame.decode`").
enum SketchFields {
    static func of(_ request: SketchRequest) -> [String: String] {
        var out = head(request.request, request.namespace, request.set)
        switch request.question {
        case .open(let count, let counters, let cells):
            out["form"] = "0"
            out["count"] = "\(count)"
            out["counters"] = Hex.string(counters)
            add(cells, to: &out)
        case .more(let first, let wanted):
            out["form"] = "1"
            out["first"] = "\(first)"
            out["wanted"] = "\(wanted)"
        case .rows(let rows):
            out["form"] = "2"
            out["rows.count"] = "\(rows.count)"
            for (index, row) in rows.enumerated() {
                out["rows.\(index)"] = Hex.string(
                    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: row >> $0) })
            }
        }
        return out
    }

    static func of(_ response: SketchResponse) -> [String: String] {
        var out = head(response.request, response.namespace, response.set)
        out["count"] = "\(response.count)"
        switch response.answer {
        case .cells(let first, let cells):
            out["form"] = "0"
            out["first"] = "\(first)"
            add(cells, to: &out)
        case .tooMany(let estimate):
            out["form"] = "1"
            out["estimate"] = "\(estimate)"
        }
        return out
    }

    private static func head(
        _ request: UInt64, _ namespace: NamespaceName, _ set: RowSet
    ) -> [String: String] {
        [
            "request": "\(request)", "namespace": Hex.string(namespace.bytes),
            "set": "\(set.rawValue)",
        ]
    }

    private static func add(_ cells: [SketchCell], to out: inout [String: String]) {
        out["cells.count"] = "\(cells.count)"
        for (index, cell) in cells.enumerated() {
            let hex = Hex.string(cell.encoded())
            out["cells.\(index).ids"] = String(hex.prefix(12))
            out["cells.\(index).checks"] = String(hex.dropFirst(12).prefix(6))
            out["cells.\(index).number"] = "\(cell.number)"
        }
    }
}
