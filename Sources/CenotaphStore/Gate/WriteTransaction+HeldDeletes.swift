internal import CenotaphMerge
public import CenotaphWire

extension ReadTransaction {
    private static var recordName: String { "held-deletes" }

    /// The events that hold back deletes, oldest first.
    /// - Throws: `store`.
    public func heldDeletes() throws(GateError) -> [HeldDeletes] { try heldRecord().events }

    /// The keys whose deletion an event holds back, ascending.
    /// - Throws: `noHeldDeletes`, `store`.
    public func heldKeys(_ event: UInt64) throws(GateError) -> [Key] {
        let (_, book) = try find(event)
        return try wrap { () throws(StoreError) in try book.rows() }
            .filter { $0.row.event == event }.map(\.key)
    }

    fileprivate func find(
        _ event: UInt64
    ) throws(GateError) -> (HeldDeletes, ObserveBook) {
        guard let found = try heldDeletes().first(where: { $0.id == event }),
            let book = try findBook(found.namespace, found.observer)
        else { throw .noHeldDeletes(event) }
        return (found, book)
    }

    fileprivate func heldRecord() throws(GateError) -> HeldRecord {
        let record = try wrap { () throws(StoreError) in
            try store.record(ReadTransaction.recordName)
        }
        guard let record else { return HeldRecord() }
        do {
            return try decodeWhole(record) { (reader) throws(WireError) in
                try HeldRecord(from: &reader)
            }
        } catch {
            throw .store(.corrupt("held deletes: \(error)"))
        }
    }

    fileprivate func save(_ record: HeldRecord) throws(GateError) {
        try wrap { () throws(StoreError) in
            try store.setRecord(ReadTransaction.recordName, record.encoded())
        }
    }
}

/// Events that wait for a decision.
extension WriteTransaction {
    /// Deletes the rows of an event that have not changed since their app had them, and ends the event.
    ///
    /// A row that was edited meanwhile, here or by a peer, lives on. O(rows known).
    /// - Throws: `noHeldDeletes`, also for an event that was approved or undone before; `refused`; `store`.
    @discardableResult
    public func approve(heldDeletes event: UInt64) throws(GateError) -> ApproveReport {
        let (found, book) = try find(event)
        var report = ApproveReport()
        for (key, row) in try wrap({ () throws(StoreError) in try book.rows() })
        where row.event == event {
            do throws(GateError) {
                let base = row.held?.version ?? .nothing
                if try delete(found.namespace, key, basedOn: base) {
                    report.deleted.append(key)
                } else if try get(found.namespace, key) != nil {
                    report.kept.append(key)
                }
            } catch .refused(.unseenOwnValue) {
                report.kept.append(key)
            }
            try wrap { () throws(StoreError) in try book.set(key, nil) }
        }
        try updateHeldDeletes { $0.removeAll { $0.id == event } }
        return report
    }

    /// Ends an event without deleting anything: its rows are rows that the app does not have and is to take in.
    ///
    /// Returns their keys. O(rows known).
    /// - Throws: `noHeldDeletes`, also for an event that was approved or undone before; `store`.
    @discardableResult
    public func undo(heldDeletes event: UInt64) throws(GateError) -> [Key] {
        let (_, book) = try find(event)
        let keys = try heldKeys(event)
        try wrap { () throws(StoreError) in for key in keys { try book.set(key, nil) } }
        try updateHeldDeletes { $0.removeAll { $0.id == event } }
        return keys
    }

    /// Holds back the deletion of rows, as one event; `nil` if there are none.
    func hold(
        _ rows: [(key: Key, row: ObservedRow)], _ name: NamespaceName, _ observer: String,
        _ book: ObserveBook
    ) throws(GateError) -> HeldDeletes? {
        guard !rows.isEmpty else { return nil }
        var record = try heldRecord()
        record.last += 1
        let event = HeldDeletes(
            id: record.last, namespace: name, observer: observer, milliseconds: milliseconds,
            rows: rows.count)
        record.events.append(event)
        try save(record)
        for (key, row) in rows {
            var row = row
            row.event = event.id
            try save(key, row, book)
        }
        return event
    }

    /// Takes a row out of the event that holds it; an event without rows is none.
    func release(_ row: inout ObservedRow) throws(GateError) {
        let event = row.event
        guard event != 0 else { return }
        row.event = 0
        try updateHeldDeletes { events in
            guard let index = events.firstIndex(where: { $0.id == event }) else { return }
            events[index].rows -= 1
            if events[index].rows <= 0 { events.remove(at: index) }
        }
    }

    func updateHeldDeletes(_ change: (inout [HeldDeletes]) -> Void) throws(GateError) {
        var record = try heldRecord()
        let before = record.events
        change(&record.events)
        if record.events != before { try save(record) }
    }
}

/// The record of the events: u64 last number, uvarint count, then of each u64 number, bytes namespace, bytes
/// observer, u64 milliseconds, uvarint rows.
private struct HeldRecord: WireEncodable {
    var last: UInt64 = 0
    var events: [HeldDeletes] = []

    init() {}

    var wireSize: Int {
        events.reduce(8 + WireSize.uvarint(events.count)) { size, event in
            size + 16 + WireSize.byteString(event.namespace.bytes)
                + WireSize.byteString(Array(event.observer.utf8)) + WireSize.uvarint(event.rows)
        }
    }

    func write(to writer: inout WireWriter) {
        writer.u64(last)
        writer.uvarint(events.count)
        for event in events {
            writer.u64(event.id)
            writer.byteString(event.namespace.bytes)
            writer.byteString(Array(event.observer.utf8))
            writer.u64(event.milliseconds)
            writer.uvarint(event.rows)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        last = try reader.u64()
        for _ in 0..<(try reader.count(size: 19)) {
            events.append(
                HeldDeletes(
                    id: try reader.u64(), namespace: try reader.name(),
                    observer: String(
                        decoding: try reader.byteString(0, Limits.maxRowContent), as: UTF8.self),
                    milliseconds: try reader.u64(),
                    rows: Int(clamping: try reader.uvarint())))
        }
    }
}
