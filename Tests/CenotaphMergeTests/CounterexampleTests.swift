import Cenotaph
import CenotaphTesting
import Testing

/// The examples that Spec 07 is built around, and ties.
@Suite struct CounterexampleTests {
    private let a = replica(1)
    private let b = replica(2)
    private let c = replica(3)

    private func row(_ entries: CausalRow.Entry...) throws -> CausalRow {
        try #require(CausalRow(key: "k", entries: entries))
    }

    /// All orders of three things.
    static func orders<Element>(_ list: [Element]) -> [[Element]] {
        guard list.count > 1 else { return [list] }
        return list.indices.flatMap { index -> [[Element]] in
            var rest = list
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    /// B writes b; C sees it and deletes; A writes a, having seen neither: a alone, in all six orders and groupings.
    @Test func sixOrders() throws {
        let states = [
            try row(.init(replica: a, time: 1, value: [0x61])),
            try row(.init(replica: b, time: 1, value: [0x62])),
            try row(
                .init(replica: b, time: 1, value: nil), .init(replica: c, time: 2, value: nil)),
        ]
        let expected = try row(
            .init(replica: a, time: 1, value: [0x61]), .init(replica: b, time: 1, value: nil),
            .init(replica: c, time: 2, value: nil))
        let orders = CounterexampleTests.orders(states)
        #expect(orders.count == 6)
        for order in orders {
            #expect(order[0].merged(with: order[1]).merged(with: order[2]) == expected)
            #expect(order[0].merged(with: order[1].merged(with: order[2])) == expected)
            let table = RowDictionary(order.map { .causal($0) }, .causal)
            #expect(table.view == ["k": [[0x61]]])
            #expect(table.rows(.tombstones).isEmpty)
        }
    }

    /// Two different events came to share a key; burying the group of one leaves the other, in every order.
    @Test(arguments: [Policy.log(buried: .erase), .log(buried: .hide)])
    func burialOfOneOfTwoEvents(_ policy: Policy) {
        let first = LogEvent(stamp: Stamp(time: 1, replica: a), group: "g", body: [1])
        let second = LogEvent(stamp: Stamp(time: 1, replica: a), group: "h", body: [2])
        let rows: [Row] = [
            .logEvents(LogRow(key: "k", event: first)),
            .logEvents(LogRow(key: "k", event: second)),
            .logMarker(LogMarker(group: "g", stamp: Stamp(time: 9, replica: b))),
        ]
        for order in CounterexampleTests.orders(rows) {
            #expect(RowDictionary(order, policy).view == ["k": [[2]]])
        }
    }

    /// At equal times covered is above any value, and of two values the greater body stays (Spec MERGE-010).
    @Test func ties() throws {
        let ladder: [[UInt8]?] = [[], [0], [0, 0], [1], [255], nil]
        for (low, lower) in ladder.enumerated() {
            for upper in ladder[low...] {
                let one = try row(.init(replica: a, time: 5, value: lower))
                let other = try row(.init(replica: a, time: 5, value: upper))
                #expect(one.merged(with: other) == other)
                #expect(other.merged(with: one) == other)
                let earlier = try row(.init(replica: a, time: 4, value: upper))
                #expect(one.merged(with: earlier) == one)
            }
        }
    }

    /// The order of conflicts is that of the stamps: time first, then the replica's bytes (Spec MERGE-012).
    @Test func conflictsByStamp() throws {
        let conflict = try row(
            .init(replica: a, time: 2, value: [1]), .init(replica: b, time: 3, value: [2]),
            .init(replica: c, time: 2, value: [3]))
        #expect(conflict.values.map(\.value) == [[2], [3], [1]])
    }

    /// A put covers all values that it sees, a delete too (Spec MERGE-013, MERGE-014).
    @Test func writesCoverWhatTheySee() throws {
        let seen = try row(
            .init(replica: a, time: 4, value: [1]), .init(replica: b, time: 9, value: [2]))
        let put = CausalRow.putting([3], at: Stamp(time: 5, replica: a), key: "k", over: seen)
        #expect(
            try put
                == row(
                    .init(replica: a, time: 5, value: [3]), .init(replica: b, time: 9, value: nil)))
        let deleted = seen.deleting(at: Stamp(time: 1, replica: c))
        #expect(!deleted.isLive)
        #expect(deleted.entries.map(\.time) == [4, 9, 1])
        #expect(seen.merged(with: deleted) == deleted)
        #expect(put.merged(with: deleted).values.map(\.value) == [[3]])
    }

    /// The first burial of a group stays, whatever comes later (Spec MERGE-002).
    @Test func theFirstBurialStays() {
        let early = LogMarker(group: "g", stamp: Stamp(time: 1, replica: b))
        let late = LogMarker(group: "g", stamp: Stamp(time: 1, replica: c))
        #expect(early.merged(with: late) == early)
        #expect(late.merged(with: early) == early)
    }

    /// An unknown group may be buried, and its events are refused when they come (Spec MERGE-003, MERGE-008).
    @Test func burialBeforeTheEvents() {
        var table = RowDictionary()
        let marker = LogMarker(group: "g", stamp: Stamp(time: 9, replica: a))
        let event = LogEvent(stamp: Stamp(time: 1, replica: b), group: "g", body: [1])
        let policy = Policy.log(buried: .erase)
        #expect(table.merge(.logMarker(marker), under: policy) == .changed)
        #expect(table.merge(.logMarker(marker), under: policy) == .unchanged)
        #expect(table.merge(.logEvents(LogRow(key: "k", event: event)), under: policy) == .buried)
        #expect(table.rows(.live).isEmpty)
    }

    /// A row that would grow over a limit stays as it was (Spec CONV-009).
    @Test func limits() throws {
        func writers(_ numbers: Range<UInt64>) throws -> Row {
            let entries = numbers.map { CausalRow.Entry(replica: replica($0), time: 1, value: nil) }
            return .causal(try #require(CausalRow(key: "k", entries: entries)))
        }
        var table = RowDictionary([try writers(1..<1_001)], .causal)
        #expect(table.merge(try writers(900..<1_025), under: .causal) == .changed)
        let full = table
        #expect(table.merge(try writers(1_025..<1_026), under: .causal) == .refused(.range))
        #expect(table == full)
        let large = [UInt8](repeating: 7, count: Limits.maxBody)
        func value(_ number: UInt64) throws -> Row {
            .causal(
                try #require(
                    CausalRow(
                        key: "large",
                        entries: [.init(replica: replica(number), time: 1, value: large)])))
        }
        // A value takes the body, its length (3), replica, time and state (25); the row its key and count (7).
        let fitting = (Limits.maxRowContent - 8) / (Limits.maxBody + 28)
        for number in 1...UInt64(fitting) {
            #expect(table.merge(try value(number), under: .causal) == .changed)
        }
        let before = table
        #expect(table.merge(try value(UInt64(fitting) + 1), under: .causal) == .refused(.tooLarge))
        #expect(table == before)
    }
}
