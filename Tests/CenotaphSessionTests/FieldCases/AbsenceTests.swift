import Cenotaph
import CenotaphTesting
import Testing

/// Class A: absence is evidence of nothing.
@Suite struct AbsenceTests {
    private let storage = ID16(high: 1, low: 1)

    private func listed(_ numbers: Range<Int>) throws -> [Listing.Row] {
        try numbers.map { Listing.Row(try Key("t\($0)"), Array("row \($0)".utf8)) }
    }

    private func complete(_ numbers: Range<Int>, _ storage: ID16? = nil) throws -> Listing {
        try Listing.complete(
            try listed(numbers), expectedCount: numbers.count, storage: storage ?? self.storage)
    }

    /// A fleet of two that agrees on ten rows, which the first one's app shows and has taken in.
    private func observed(_ test: String) throws -> SimulatedFleet {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: test)
        try fleet.write(0) { try $0.observe("notes", complete(0..<10)) }
        try fleet.sync(0, 1)
        return fleet
    }

    private func expectTenRows(_ fleet: SimulatedFleet) throws {
        try fleet.expectRest()
        for replica in 0...1 {
            #expect(try fleet.read(replica) { try $0.list("notes") }.count == 10)
            #expect(try fleet.tombstones(replica, "notes") == 0)
        }
    }

    /// A listing that breaks off is none: the rows that it did not come to are not missing.
    @Test func A1_aListingThatBreaksOffIsNone() throws {
        let fleet = try observed("A1")
        for count in 0..<10 {
            #expect(throws: ListingError.count(expected: 10, found: count)) {
                try Listing.complete(try listed(0..<count), expectedCount: 10, storage: storage)
            }
            let report = try fleet.write(0) {
                try $0.observe(
                    "notes", Listing.partial(try listed(0..<count), storage: storage))
            }
            #expect(report == ObserveReport())
        }
        try expectTenRows(fleet)
    }

    /// A folder from a backup has another identity or is listed in part: neither deletes, adopted neither.
    @Test func A2_aRestoredFolderDeletesNothing() throws {
        let fleet = try observed("A2")
        let restored = ID16(high: 2, low: 2)
        let before = try fleet.replicas[0].summary()
        #expect(throws: GateError.otherStorage("notes", observer: "app")) {
            try fleet.write(0) { try $0.observe("notes", complete(0..<3, restored)) }
        }
        #expect(try fleet.replicas[0].summary() == before)
        try fleet.write(0) { try $0.resetObserver("notes", storage: restored) }
        let report = try fleet.write(0) { try $0.observe("notes", complete(0..<3, restored)) }
        #expect(report.deleted.isEmpty && report.held == nil)
        #expect(try fleet.read(0) { try $0.unapplied("notes") }.count == 7)
        try expectTenRows(fleet)
    }

    /// A row that the app was handed and never confirmed is not one that it lost.
    @Test func A3_aRowThatTheAppNeverTookInIsNotMissing() throws {
        let fleet = try observed("A3")
        try fleet.put(1, "t10", "row 10")
        try fleet.put(1, "t0", "edited there")
        try fleet.sync(0, 1)
        for key in ["t10", "t0"] as [Key] {
            let task = try fleet.write(0) {
                try $0.startApplying("notes", key, storage: storage)
            }
            guard case .write = task else {
                Issue.record("\(task)")
                return
            }
        }
        // The app crashed before it wrote either.
        let report = try fleet.write(0) { try $0.observe("notes", complete(0..<10)) }
        #expect(report == ObserveReport())
        try fleet.expectRest("notes", ["t10": ["row 10"], "t0": ["edited there"]])
        // Nor is one that it has never seen, to an observer whose bookkeeping is new.
        let fresh = try fleet.write(0) {
            try $0.observe(
                "notes", Listing.complete([], expectedCount: 0, storage: storage),
                ObserveOptions(observer: "other", massDeletes: .off))
        }
        #expect(fresh == ObserveReport())
    }

    /// A wiped device that joins again takes nobody's rows away, of no policy, and gets them all.
    @Test(arguments: Mortal.allCases) func A4_aWipedDeviceDeletesNothing(_ kind: Mortal) throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "A4 \(kind)")
        for number in 0..<5 { try fleet.create(0, kind, "row \(number)") }
        try fleet.sync(0, 1)
        fleet.cutAll()
        let wiped = try fleet.addReplica()
        try fleet.create(wiped, kind, "sample")
        try fleet.kill(wiped, kind, "sample")
        try fleet.sync(1, wiped)
        try fleet.expectRest(dead: kind, ["sample"])
        for replica in 0..<3 {
            #expect(try fleet.read(replica) { try $0.list(kind.namespace) }.count == 5)
            #expect(try fleet.tombstones(replica, kind.namespace) == 1)
        }
    }

    /// An answer with parts lost says nothing of the rows that were in them.
    @Test func A5_lostPartsOfAnAnswerDeleteNothing() throws {
        let fleet = try SimulatedFleet.ofEveryPolicy(2, for: "A5")
        let body = String(repeating: "x", count: 20_000)
        for number in 0..<20 {
            try fleet.put(0, "notes", try Key("a \(number)"), body)
            try fleet.put(1, "notes", try Key("b \(number)"), body)
        }
        let link = try fleet.connect(0, 1)
        var sent = 0
        link.carries = { frame in
            guard case .reconcileResponse? = fleet.frame(in: frame.sealed)?.body else {
                return true
            }
            sent += 1
            return !sent.isMultiple(of: 2)
        }
        for _ in 0..<4 {
            try fleet.round()
            for replica in 0...1 {
                #expect(try fleet.read(replica) { try $0.list("notes") }.count >= 20)
                #expect(try fleet.tombstones(replica, "notes") == 0)
            }
        }
        #expect(sent > 1)
        try fleet.expectRest()
        #expect(try fleet.read(0) { try $0.list("notes") }.count == 40)
    }

    /// A row that was listed and could not be read is there.
    @Test func A6_anUnreadableRowIsThere() throws {
        let fleet = try observed("A6")
        let unread = try (0..<10).map { Listing.Row.unread(try Key("t\($0)")) }
        let report = try fleet.write(0) {
            try $0.observe(
                "notes", Listing.complete(unread, expectedCount: 10, storage: storage),
                ObserveOptions(massDeletes: .off))
        }
        #expect(report == ObserveReport())
        try expectTenRows(fleet)
    }
}
