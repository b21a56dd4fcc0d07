internal import CenotaphWire

/// A decoded frame as flat strings (Spec 11, "Fields of `frame.decode`").
enum FrameFields {
    static func of(_ frame: Frame) -> [String: String] {
        var out = [
            "kind": frame.body.kind.name, "sender": "\(frame.header.sender)",
            "recipient": "\(frame.header.recipient)", "epoch": "\(frame.header.epoch)",
        ]
        let body =
            switch frame.body {
            case .hello(let body): hello(body)
            case .digest(let body): digest(body)
            case .reconcileRequest(let body): request(body)
            case .reconcileResponse(let body), .syncDelta(let body): delta(body)
            case .messageOp(let body): operation(body)
            case .error(let body): error(body)
            case .sketchRequest(let body): SketchFields.of(body)
            case .sketchResponse(let body): SketchFields.of(body)
            }
        out.merge(body) { first, _ in first }
        return out
    }

    static func vector(_ vector: VersionVector, _ path: String) -> [String: String] {
        var out = ["\(path)count": "\(vector.entries.count)"]
        for (index, entry) in vector.entries.enumerated() {
            out["\(path)\(index).replica"] = "\(entry.replica)"
            out["\(path)\(index).time"] = "\(entry.time)"
        }
        return out
    }

    private static func hello(_ hello: Hello) -> [String: String] {
        var out = [
            "minVersion": "\(hello.versions.lowerBound)",
            "maxVersion": "\(hello.versions.upperBound)",
            "capabilities": "\(hello.capabilities)", "schema": "\(hello.schema)",
            "incarnation": "\(hello.incarnation)", "challenge": "\(hello.challenge)",
            "answer": "\(hello.answer)", "sightings.count": "\(hello.sightings.count)",
        ]
        for (index, sighting) in hello.sightings.enumerated() {
            out["sightings.\(index).replica"] = "\(sighting.replica)"
            out["sightings.\(index).incarnation"] = "\(sighting.incarnation)"
            out["sightings.\(index).time"] = "\(sighting.time)"
        }
        return out
    }

    private static func digest(_ digest: Digest) -> [String: String] {
        switch digest {
        case .summary(let tag): return ["form": "0", "summary": "\(tag)"]
        case .full(let namespaces):
            var out = ["form": "1", "namespaces.count": "\(namespaces.count)"]
            for (index, entry) in namespaces.enumerated() {
                let path = "namespaces.\(index)"
                out["\(path).name"] = Hex.string(entry.name.bytes)
                out["\(path).liveCount"] = "\(entry.live.count)"
                out["\(path).live"] = "\(entry.live.fingerprint)"
                out["\(path).tombstoneCount"] = "\(entry.tombstones.count)"
                out["\(path).tombstones"] = "\(entry.tombstones.fingerprint)"
                out.merge(vector(entry.knowledge, "\(path).knowledge.")) { first, _ in first }
            }
            return out
        }
    }

    private static func request(_ request: ReconcileRequest) -> [String: String] {
        var out = [
            "request": "\(request.request)", "namespace": Hex.string(request.namespace.bytes),
            "set": "\(request.set.rawValue)",
        ]
        out.merge(ranges(request.ranges, "ranges")) { first, _ in first }
        return out
    }

    private static func ranges(_ list: RangeList, _ path: String) -> [String: String] {
        var out = ["\(path).count": "\(list.entries.count)"]
        for (index, entry) in list.entries.enumerated() {
            let path = "\(path).\(index)"
            out["\(path).hi"] = Hex.string(entry.high?.bytes ?? [])
            out["\(path).mode"] = entry.content.name
            switch entry.content {
            case .skip, .unanswered, .all: break
            case .fingerprint(let tag): out["\(path).fingerprint"] = "\(tag)"
            case .items(let items):
                out["\(path).items.count"] = "\(items.count)"
                for (index, item) in items.enumerated() {
                    out["\(path).items.\(index).key"] = Hex.string(item.key.bytes)
                    out["\(path).items.\(index).tag"] = "\(item.tag)"
                }
            case .keys(let keys):
                out["\(path).keys.count"] = "\(keys.count)"
                for (index, key) in keys.enumerated() {
                    out["\(path).keys.\(index)"] = Hex.string(key.bytes)
                }
            }
        }
        return out
    }

    private static func error(_ report: ErrorReport) -> [String: String] {
        [
            "class": report.errorClass.name, "request": "\(report.request)",
            "rule": Hex.string(report.rule.utf8), "detail": Hex.string(report.detail.utf8),
        ]
    }

    private static func delta(_ delta: Delta) -> [String: String] {
        let replicas = delta.replicas
        var out = [
            "request": "\(delta.request)", "part": "\(delta.part)", "last": delta.last ? "1" : "0",
            "namespace": Hex.string(delta.namespace.bytes), "set": "\(delta.set.rawValue)",
            "rowType": "\(delta.rowType.rawValue)", "replicas.count": "\(replicas.count)",
        ]
        for (index, replica) in replicas.enumerated() { out["replicas.\(index)"] = "\(replica)" }
        var count = 0
        for row in delta.rows {
            for fields in rows(row) {
                for (name, value) in fields { out["rows.\(count).\(name)"] = value }
                count += 1
            }
        }
        out["rows.count"] = "\(count)"
        out.merge(ranges(delta.claims, "claims")) { first, _ in first }
        return out
    }

    /// The rows on the wire of one row: each event of a log key is one.
    private static func rows(_ row: Row) -> [[String: String]] {
        switch row {
        case .logEvents(let row):
            return row.events.map { event in
                [
                    "key": Hex.string(row.key.bytes), "time": "\(event.stamp.time)",
                    "replica": "\(event.stamp.replica)", "group": Hex.string(event.group.bytes),
                    "body": Hex.string(event.body),
                ]
            }
        case .logMarker(let marker):
            return [
                [
                    "group": Hex.string(marker.group.bytes), "time": "\(marker.stamp.time)",
                    "replica": "\(marker.stamp.replica)",
                ]
            ]
        case .causal(let row):
            var out = ["key": Hex.string(row.key.bytes), "count": "\(row.entries.count)"]
            for (index, entry) in row.entries.enumerated() {
                out["\(index).replica"] = "\(entry.replica)"
                out["\(index).time"] = "\(entry.time)"
                out["\(index).state"] = entry.value == nil ? "0" : "1"
                out["\(index).body"] = entry.value.map { Hex.string($0) }
            }
            return [out]
        case .lastWriter(let row):
            var out = [
                "key": Hex.string(row.key.bytes), "time": "\(row.stamp.time)",
                "replica": "\(row.stamp.replica)", "state": row.value == nil ? "0" : "1",
            ]
            out["body"] = row.value.map { Hex.string($0) }
            return [out]
        case .message(let row): return [message(row)]
        }
    }

    private static func operation(_ operation: MessageOp) -> [String: String] {
        var out = message(operation.row)
        out["namespace"] = Hex.string(operation.namespace.bytes)
        return out
    }

    private static func message(_ row: MessageRow) -> [String: String] {
        var out = [
            "key": Hex.string(row.key.bytes), "scope": "\(row.scope.rawValue)",
            "delivered": row.isDelivered ? "1" : "0", "hasBase": row.base == nil ? "0" : "1",
            "hasEdit": row.edit == nil ? "0" : "1",
        ]
        if let base = row.base {
            out["direction"] = "\(base.direction.rawValue)"
            out["postedAt"] = "\(base.postedAt)"
            out["body"] = Hex.string(base.body)
        }
        if let edit = row.edit {
            out["editedAt"] = "\(edit.editedAt)"
            out["opID"] = "\(edit.opID)"
            out["editBody"] = Hex.string(edit.body)
        }
        return out
    }
}
