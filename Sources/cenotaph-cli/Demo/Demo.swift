import Cenotaph
import Glibc

extension Command {
    static let demo = Command(
        name: "demo", usage: "demo [--rows N] [--from DIR] [--keep]",
        summary: """
            Show two devices whose deletes stay deleted, with real processes and real files

            A phone and a tablet, each a process of its own with its own store, take in N real text
            files (100) and a conversation, sync over sealed TCP, delete while the other is off,
            are killed in the middle of a sync, and are sent their old frames again. Ends with 1 if
            anything came back, was lost, or the digests differ. --from takes the texts from DIR,
            --keep leaves the devices' folders behind.
            """,
        options: ["rows", "from"], flags: ["keep"]
    ) { arguments in
        _ = try arguments.take()
        let rows = try arguments.number("rows", default: 100, least: 10)
        let demo = try await Demo(
            rows: rows, from: arguments.value("from"), keep: arguments.has("keep"))
        return try await demo.run() ? .done : .nothingFound
    }
}

/// The story of two devices, told step by step, each step checked.
final class Demo {
    private let rows: Int
    private let place: String?
    private let keep: Bool
    private let folder: String
    private let phone: Device
    private let tablet: Device
    private var failures: [String] = []
    private let start = System.seconds()
    /// What both devices must show in the end.
    private var notes: [String: Int] = [:]
    private var events: [String: Int] = [:]
    private var textBytes = 0

    init(rows: Int, from place: String?, keep: Bool) async throws {
        self.rows = rows
        self.place = place
        self.keep = keep
        folder = try File.makeTemporaryFolder()
        phone = Device("phone", in: folder)
        tablet = Device("tablet", in: folder)
    }

    /// Tells the story.
    ///
    /// Returns whether every check held.
    func run() async throws -> Bool {
        defer { if !keep { File.removeFolder(folder) } }
        try setUp()
        let (toTablet, toPhone) = try await firstSync()
        try deleteWhileApart()
        try await meetAgain()
        try await reshipOldFrames(toTablet: toTablet, toPhone: toPhone)
        let seconds = System.seconds() - start
        System.print(
            "\npeak memory: phone \(phone.peakKiB / 1_024) MiB, tablet \(tablet.peakKiB / 1_024) MiB; "
                + "\(Demo.rounded(seconds)) s in all")
        if keep { System.print("the devices are in \(folder)") }
        guard failures.isEmpty else {
            for failure in failures { System.print("FAILED: \(failure)") }
            return false
        }
        System.print("passed: nothing came back, nothing was lost, the digests are equal")
        return true
    }

    // MARK: The steps

    private func setUp() throws {
        step(
            "Two devices of one fleet: a phone with \(rows) real text files, a tablet with a conversation"
        )
        try phone.run(["init"])
        try tablet.run(["init", "--join", phone.home + "/fleet.key"])
        let files = try DemoFiles(rows, from: place, into: folder + "/files")
        try phone.run(["import", "notes", files.folder])
        for index in 1...4 {
            try tablet.run(["put", "journal", "event-\(index)", "line \(index)", "--group", "talk"])
        }
        notes = try phone.view().notes
        events = try tablet.view().events
        check(notes.count == rows, "the phone holds \(notes.count) of \(rows) files")
        check(events.count == 4, "the tablet holds \(events.count) of 4 events")
        textBytes = files.bytes
        System.print("  \(files.count) files, \(files.bytes) B of text")
        try show()
    }

    /// The first sync, with the tablet killed in the middle; returns the frames that passed.
    private func firstSync() async throws -> (toTablet: [[UInt8]], toPhone: [[UInt8]]) {
        step("They sync, and the tablet is killed (SIGKILL) in the middle of it")
        let proxy = try await RecordingProxy(to: try phone.serve())
        let running = Task { try await proxy.run() }
        defer { running.cancel() }
        proxy.hold(afterBytes: textBytes / 4)
        let victim = try tablet.startSync(proxy.address)
        await proxy.waitUntilHeld()
        let partly = try await rowsArriving()
        let ending = victim.end(with: SIGKILL)
        check(ending.exitCode == nil, "the tablet was not killed in the middle")
        check(
            (1..<rows).contains(partly), "killed with \(partly) of \(rows) rows: not in the middle")
        System.print("  killed with \(partly) of \(rows) files on its disk")
        try show()
        step("The tablet starts again and the sync goes on")
        proxy.hold(afterBytes: nil)
        try report(try await timedSync(proxy.address))
        try compare()
        phone.stopServing()
        let recorded = proxy.recorded
        return (recorded.toClient, recorded.toServer)
    }

    /// Waits for the first rows to be on the tablet's disk, and for the number to stand still.
    private func rowsArriving() async throws -> Int {
        var last = -1
        for _ in 0..<100 {
            try await Task.sleep(for: .milliseconds(100))
            let count = try tablet.run(["digest", "--json"]).joined()
            let now = try tablet.view().notes.count
            if now == last, now > 0, count == (try tablet.run(["digest", "--json"]).joined()) {
                return now
            }
            last = now
        }
        return last
    }

    private func deleteWhileApart() throws {
        step("Both are offline. The phone deletes three notes and buries the conversation")
        for index in [0, 1, 2] { try phone.run(["delete", "notes", DemoFiles.key(index)]) }
        try phone.run(["bury", "journal", "talk"])
        try phone.run(["put", "notes", DemoFiles.key(3), "edited on the phone"])
        System.print("  meanwhile the tablet, knowing nothing of it, edits one of the three,")
        System.print("  deletes a note that the phone edits, and appends to the conversation")
        try tablet.run(["put", "notes", DemoFiles.key(2), "edited on the tablet"])
        try tablet.run(["delete", "notes", DemoFiles.key(3)])
        try tablet.run(["put", "journal", "event-5", "line 5", "--group", "talk"])
        for index in [0, 1] { notes[DemoFiles.key(index)] = nil }
        notes[DemoFiles.key(2)] = "edited on the tablet".utf8.count
        notes[DemoFiles.key(3)] = "edited on the phone".utf8.count
        events = [:]
        try show()
    }

    private func meetAgain() async throws {
        step(
            "They meet again: what was deleted is gone, concurrent edits survive, the talk is buried"
        )
        let address = try phone.serve()
        try report(try await timedSync(address))
        phone.stopServing()
        try compare()
        try checkBodies()
    }

    private func reshipOldFrames(toTablet: [[UInt8]], toPhone: [[UInt8]]) async throws {
        step("Every frame of the first sync is sent again, to both devices")
        for (device, frames) in [(tablet, toTablet), (phone, toPhone)] {
            let connection = try await SocketTransport(try device.serve()).connect()
            try await connection.send(frames)
            // The answers end with the digest that the last frames cause; then nothing is left to come.
            let quiet = Task {
                while try await !connection.receive().isEmpty {}
            }
            try await Task.sleep(for: .seconds(1))
            quiet.cancel()
            connection.close()
            device.stopServing()
            System.print(
                "  \(device.name): \(frames.count) old frames, \(frames.reduce(0) { $0 + $1.count }) B"
            )
        }
        try compare()
        step("A last sync finds nothing to do")
        let address = try phone.serve()
        let last = try await timedSync(address)
        phone.stopServing()
        try report(last)
        check(last.report.rowsMerged == 0, "the last sync moved \(last.report.rowsMerged) rows")
        try compare()
    }

    // MARK: Telling and checking

    private func step(_ words: String) { System.print("\n\(words)") }

    private func check(_ holds: Bool, _ words: String) {
        if !holds {
            failures.append(words)
            System.print("  FAILED: \(words)")
        }
    }

    /// Syncs the tablet in a process of its own, while this process goes on passing frames.
    private func timedSync(
        _ address: PeerAddress
    ) async throws -> (report: LinkReport, seconds: Double) {
        let start = System.seconds()
        let report = try await tablet.sync(address)
        return (report, System.seconds() - start)
    }

    private func report(_ sync: (report: LinkReport, seconds: Double)) throws {
        let report = sync.report
        System.print(
            "  synced: \(report.bytesReceived) B to the tablet, \(report.bytesSent) B to the phone, "
                + "round trips: \(report.roundTrips), \(Demo.rounded(sync.seconds)) s; "
                + "\(report.rowsMerged) rows new on the tablet, \(report.rowsSent) sent")
    }

    /// Shows both live views and both digests.
    @discardableResult
    private func show() throws -> (phone: Device.View, tablet: Device.View) {
        let views = (phone: try phone.view(), tablet: try tablet.view())
        for (device, view) in [(phone, views.phone), (tablet, views.tablet)] {
            let first = (0..<4).map { index in
                let size = view.notes[DemoFiles.key(index)]
                return size.map { "\(index): \($0) B" } ?? "\(index): none"
            }
            System.print(
                "  \(device.name)".padded(to: 9)
                    + "notes \(view.notes.count) (\(first.joined(separator: ", "))), events \(view.events.count)"
            )
            for digest in view.digests {
                System.print(
                    "           \(digest.namespace): \(digest.live) live, \(digest.tombstones) tombstones, root \(digest.root.prefix(16))"
                )
            }
        }
        return views
    }

    /// Shows both, and checks that they are equal and what they must be.
    private func compare() throws {
        let views = try show()
        check(views.phone.digests == views.tablet.digests, "the digests differ")
        for (name, view) in [("phone", views.phone), ("tablet", views.tablet)] {
            let back = Set(view.notes.keys).subtracting(notes.keys)
            let lost = Set(notes.keys).subtracting(view.notes.keys)
            check(back.isEmpty, "\(name): came back: \(back.sorted().prefix(3))")
            check(lost.isEmpty, "\(name): was lost: \(lost.sorted().prefix(3))")
            check(
                back.isEmpty && lost.isEmpty && view.notes == notes,
                "\(name): other bodies than written")
            check(
                view.events == events,
                "\(name): shows \(view.events.count) events of \(events.count)")
        }
    }

    /// Reads some bodies back and compares them with the files.
    private func checkBodies() throws {
        for index in stride(from: 4, to: rows, by: max(1, rows / 10)) {
            let key = DemoFiles.key(index)
            let text = try File.read(folder + "/files/" + key, atMost: Limits.maxBody)
            let isSame = try tablet.body(key) == String(decoding: text, as: UTF8.self)
            check(isSame, "tablet: \(key) is not what the file says")
        }
    }

    private static func rounded(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let rest = String(hundredths % 100)
        return "\(hundredths / 100)." + (rest.count == 1 ? "0" : "") + rest
    }
}

extension String {
    /// The text with spaces behind it.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
