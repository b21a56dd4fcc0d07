import Cenotaph
import Testing

/// An object that saves itself whenever its state changes, as in the second source: the callback is queued, and runs
/// when the test lets it.
private final class LiveObject {
    private(set) var text: String
    private let writer: RowWriter
    private var queue: [String] = []
    private(set) var refusals: [WriterError] = []

    init(_ text: String, _ writer: RowWriter) {
        self.text = text
        self.writer = writer
    }

    func change(to text: String) {
        self.text = text
        queue.append(text)
    }

    /// Stopping the object changes its state once more.
    func abort() { change(to: text + " (aborted)") }

    /// Runs the callbacks that are queued.
    func runCallbacks(_ way: PersistRaceTests.Way, _ clock: ManualClock) async throws {
        for text in queue {
            do {
                switch way {
                case .save: try await writer.save(Array(text.utf8))
                case .saveSoonThenFlush:
                    try writer.saveSoon(Array(text.utf8), after: .seconds(1))
                    try await writer.flush()
                case .saveSoon: try writer.saveSoon(Array(text.utf8), after: .seconds(1))
                }
            } catch let error as WriterError {
                refusals.append(error)
            }
        }
        queue = []
    }
}

@Suite struct PersistRaceTests {
    enum Way: CaseIterable { case save, saveSoon, saveSoonThenFlush }
    enum Step: CaseIterable { case abort, callback, delete }

    static let orders: [[Step]] = Step.allCases.flatMap { first in
        Step.allCases.flatMap { second in
            Step.allCases.filter { $0 != first && $0 != second && first != second }
                .map { [first, second, $0] }
        }
    }

    /// Where the row is deleted.
    enum Place: CaseIterable { case delete, transaction, peer }

    @Test(arguments: orders.flatMap { order in Way.allCases.map { (order, $0) } })
    func nothingComesBack(order: [Step], way: Way) async throws {
        for place in Place.allCases {
            let fleet = Fleet()
            let (phone, tablet) = (try fleet.replica(), try fleet.replica())
            try await phone.put("notes", "talk", text: "hello")
            try await fleet.sync(tablet, phone)
            let clock = ManualClock()
            let object = LiveObject(
                "hello", try await phone.writer(for: "notes", "talk", clock: clock))
            object.change(to: "hello, more")
            for step in order {
                switch step {
                case .abort: object.abort()
                case .callback: try await object.runCallbacks(way, clock)
                case .delete: try await delete(at: place, phone, tablet, fleet)
                }
            }
            let dead = try await phone.digests().map(\.root)
            // Whatever is still queued runs late, and every debounce runs out.
            object.abort()
            try await object.runCallbacks(way, clock)
            clock.advance(by: .seconds(10))
            #expect(object.refusals.contains(.severed))
            #expect(try await phone.digests().map(\.root) == dead)
            try await fleet.sync(tablet, phone)
            try await fleet.sync(phone, tablet)
            for replica in [phone, tablet] { #expect(try await replica.list("notes").isEmpty) }
        }
    }

    private func delete(
        at place: Place, _ phone: Replica, _ tablet: Replica, _ fleet: Fleet
    ) async throws {
        switch place {
        case .delete: try await phone.delete("notes", "talk")
        case .transaction:
            try await phone.write { tx in
                try tx.put("notes", "other", [1])
                try tx.delete("notes", "talk")
                try tx.delete("notes", "other")
            }
        case .peer:
            // The tablet has seen what the phone saved so far.
            try await fleet.sync(tablet, phone)
            try await tablet.delete("notes", "talk")
            try await fleet.sync(tablet, phone)
        }
    }

    /// B35: the form flushes its pending save when it closes.
    @Test(arguments: ["notes", "devices", "view"] as [NamespaceName])
    func b35_aFormThatClosesRevivesNothing(namespace: NamespaceName) async throws {
        let fleet = Fleet()
        let (a, b) = (try fleet.replica(), try fleet.replica())
        try await a.put(namespace, "x", text: "1")
        let clock = ManualClock()
        let form = try await a.writer(for: namespace, "x", clock: clock)
        try form.saveSoon(Array("2".utf8), after: .seconds(1))
        #expect(form.hasPending)
        try await a.delete(namespace, "x")
        #expect(form.isSevered)
        #expect(!form.hasPending)
        let roots = try await a.digests().map(\.root)
        await #expect(throws: WriterError.severed) { try await form.flush() }
        clock.advance(by: .seconds(5))
        try await fleet.sync(a, b)
        for replica in [a, b] { #expect(try await replica.get(namespace, "x") == nil) }
        #expect(try await a.digests().map(\.root) == roots)
    }

    /// B37: an editor stays open on a row that a peer deletes.
    @Test(arguments: ["notes", "devices"] as [NamespaceName])
    func b37_anEditorLearnsOfAPeersDelete(namespace: NamespaceName) async throws {
        let fleet = Fleet()
        let (a, b) = (try fleet.replica(), try fleet.replica())
        try await a.put(namespace, "x", text: "1")
        try await fleet.sync(a, b)
        let editor = try await a.writer(for: namespace, "x")
        let told = Task { await editor.waitUntilSevered() }
        try await b.delete(namespace, "x")
        try await fleet.sync(b, a)
        #expect(await told.value)
        for text in ["2", "3", "4"] {
            await #expect(throws: WriterError.severed) { try await editor.save(Array(text.utf8)) }
        }
        try await fleet.sync(a, b)
        for replica in [a, b] { #expect(try await replica.get(namespace, "x") == nil) }
    }
}
