import CenotaphDigest
import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

/// One-pass descriptions against DIG-009 word by word.
@Suite struct RangeDescriberTests {
    typealias Rows = [(key: Key, leaf: Hash256)]

    /// DIG-009, with everything in memory and nothing clever.
    static func bruteForce(_ range: KeyRange, _ rows: Rows, _ set: RowSet) -> [RangeList.Entry] {
        let n = rows.count
        guard n > 16 else {
            let items = rows.map { RangeItem(key: $0.key, tag: $0.leaf.tag) }
            return [RangeList.Entry(to: range.high, .items(items))]
        }
        return (0..<16).map { part in
            let first = part * n / 16
            let after = (part + 1) * n / 16
            var sum = SetSum()
            for row in rows[first..<after] { sum.add(row.leaf) }
            var high = range.high
            if part < 15 {
                let last = rows[after - 1].key
                let next = rows[after].key.bytes
                let prefixes = (1...next.count).map { Key(unchecked: Array(next[..<$0])) }
                high = prefixes.first { last < $0 }
            }
            return RangeList.Entry(
                to: high, .fingerprint(sum.fingerprint(set, Samples.key).tag))
        }
    }

    static func describe(
        _ range: KeyRange, _ rows: Rows, _ set: RowSet, after list: RangeList = RangeList()
    ) -> RangeList {
        var describer = RangeDescriber(
            range, set, count: rows.count, key: Samples.key, appendingTo: list)
        for row in rows { describer.feed(row.key, row.leaf) }
        return describer.finish()
    }

    @Test func descriptionsEqualTheBruteForceSplit() {
        var random = SeededGenerator("describer")
        for count in Array(0...80) + [255, 256, 257, 400, 1_000] {
            let all = Samples.rows(count, &random)
            let ranges: [KeyRange] = [
                .all, KeyRange(from: "\u{1}"), KeyRange(to: "\u{7f}"),
                KeyRange(from: all.first?.key, to: all.last?.key),
            ]
            for range in ranges where range.low == nil || range.high == nil || count > 1 {
                let rows = all.filter { range.contains($0.key) }
                let set = RowSet.allCases[random.below(2)]
                let list = Self.describe(range, rows, set)
                let leading = range.low.map { [RangeList.Entry(to: $0, .skip)] } ?? []
                guard list.entries == leading + Self.bruteForce(range, rows, set) else {
                    Issue.record("\(rows.count) rows of \(range)")
                    return
                }
            }
        }
    }

    @Test func descriptionsTileTheirRangeAndHoldEveryRowOnce() {
        var random = SeededGenerator("tiles")
        for count in [0, 1, 16, 17, 18, 31, 32, 33, 100, 500] {
            let rows = Samples.rows(count, &random)
            let parts = Self.describe(.all, rows, .live).ranges
            #expect(parts.first?.range.low == nil)
            #expect(parts.last?.range.high == nil)
            for (a, b) in zip(parts, parts.dropFirst()) { #expect(a.range.high == b.range.low) }
            for row in rows where parts.count(where: { $0.range.contains(row.key) }) != 1 {
                Issue.record("\(row.key) of \(count) rows")
            }
            if count > 16 {
                let sizes = parts.map { part in rows.count { part.range.contains($0.key) } }
                #expect(sizes.allSatisfy { $0 == count / 16 || $0 == (count + 15) / 16 })
            }
        }
    }

    @Test func aDescriptionIsAListThatAFrameTakes() throws {
        var random = SeededGenerator("listed")
        guard let sender = ReplicaID(ID16(high: 1, low: 1)) else { return }
        for count in [0, 5, 16, 17, 300] {
            let rows = Samples.rows(count, &random)
            let half = KeyRange(from: "\u{1}", to: "\u{7f}\u{7f}")
            var list = Self.describe(half, rows.filter { half.contains($0.key) }, .live)
            let rest = KeyRange(from: half.high)
            list = Self.describe(rest, rows.filter { rest.contains($0.key) }, .live, after: list)
            let frame = Frame(
                header: FrameHeader(sender: sender),
                body: .reconcileRequest(
                    ReconcileRequest(request: 1, namespace: "notes", set: .live, ranges: list)))
            #expect(try Frame.decode(frame.encoded()) == frame)
        }
    }

    @Test func aChangedRowShowsInOnePartOnly() {
        var random = SeededGenerator("changed")
        var rows = Samples.rows(200, &random)
        let before = Self.describe(.all, rows, .live)
        let index = random.below(rows.count)
        rows[index].leaf = Samples.hash(&random)
        let after = Self.describe(.all, rows, .live)
        let changed = zip(before.ranges, after.ranges).filter { $0.content != $1.content }
        #expect(changed.count == 1)
        #expect(changed.first?.0.range.contains(rows[index].key) == true)
    }
}
