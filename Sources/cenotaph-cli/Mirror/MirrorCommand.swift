import Cenotaph
import Glibc

extension Command {
    static let mirror = Command(
        name: "mirror",
        usage: "mirror NAMESPACE DIR [--watch SECONDS] [--approve EVENT | --undo EVENT] "
            + "[--revive] [--adopt] [--settle MS]",
        summary: """
            Keep a folder of files and a causal namespace in step, both ways

            The path of a file below DIR is its row's key. New and edited files become writes, a file
            that is gone deletes its row; rows of peers are written as files, and a deleted row's file
            is removed. Sync moves rows between devices; this moves them between replica and folder.

            Files are only deleted or replaced as this tool knows them. If a file was edited while
            its row was edited elsewhere, the row keeps both (get --json), and the file shows one. If
            a file was edited while its row was deleted elsewhere, the edit survives on every device.
            A file that appears where a row was deleted is left alone: --revive takes it in.

            An absence is a deletion only if the whole folder could be read and its marker
            .cenotaph-mirror is the one that was put there; otherwise nothing is deleted and the exit
            code is 6. More than 20 missing files that are more than half of all, or all of several,
            are held back as an event (exit code 3): --approve EVENT deletes their rows, --undo EVENT
            writes the files again. --adopt makes DIR the mirror although its marker says otherwise;
            what is missing there is then not deleted but written.

            --watch repeats every so many seconds. A file written in the last second (--settle, in
            milliseconds) is left for the next round. Links are not followed.
            """,
        options: ["watch", "approve", "undo", "settle"], flags: ["revive", "adopt"]
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "DIR")
        let name = try namespace(words[0])
        let watch = try arguments.value("watch").map { _ in
            try arguments.number("watch", default: 1, least: 1)
        }
        let settle = try arguments.number("settle", default: 1_000, least: 0)
        var decision = try heldDecision(arguments)
        let home = Home(arguments)
        let replica = try await home.open()
        guard replica.schema[name]?.policy == .causal else {
            throw Failure(.usage, "\(name) is no causal namespace here")
        }
        while true {
            let mirror = try await Mirror(
                replica, name, words[1], home: home.path,
                adopting: arguments.has("adopt") && decision == nil)
            // The lock ends with its marker.
            defer { withExtendedLifetime(mirror) {} }
            var round = MirrorRound(
                replica, name, mirror.folder, mirror.storage, settle: settle,
                revives: arguments.has("revive"))
            let report = try await round.run(decision)
            decision = nil
            if watch == nil || report.isNews { try report.print(asJSON: arguments.has("json")) }
            guard let watch else { return report.exitCode }
            try await Task.sleep(for: .seconds(watch))
        }
    }
}

/// A folder that is the mirror of a namespace, locked against other mirrors.
struct Mirror {
    let folder: MirrorFolder
    let storage: ID16
    private let marker: MirrorMarker

    /// Opens the folder and checks that it is the one that the bookkeeping is about.
    /// - Throws: `Failure` with the code `unreadable` if it is not, unless it is to be adopted.
    init(
        _ replica: Replica, _ name: NamespaceName, _ path: String, home: String, adopting: Bool
    ) async throws {
        do {
            folder = try MirrorFolder(path, home: home)
        } catch {
            throw Failure(.unreadable, "\(error); nothing was deleted")
        }
        guard !folder.isHome(try folder.root.status(Array(path.utf8))) else {
            throw Failure(.usage, "the folder of the replica itself cannot be mirrored")
        }
        storage = try await Mirror.bind(replica, name, folder, adopting)
        guard let marker = try MirrorMarker(of: folder) else { throw Mirror.notTheFolder("has no") }
        try marker.lock()
        guard marker.id == storage else { throw Mirror.notTheFolder("has another") }
        self.marker = marker
    }

    private static func bind(
        _ replica: Replica, _ name: NamespaceName, _ folder: MirrorFolder, _ adopting: Bool
    ) async throws -> ID16 {
        let observer = MirrorRound.observer
        let (known, isEmpty) = try await replica.read { snapshot in
            (
                try snapshot.observedStorage(name, observer: observer),
                try snapshot.observedNotes(name, observer: observer).isEmpty
            )
        }
        let marker = try MirrorMarker(of: folder)
        let hasMarker = marker != nil
        let found = marker?.id
        if let known, found == known { return known }
        // A run that stopped before it made the marker has left bookkeeping of nothing.
        if let known, !hasMarker, isEmpty {
            try MirrorMarker.write(known, to: folder)
            return known
        }
        guard adopting || (known == nil && !hasMarker) else {
            throw notTheFolder(hasMarker ? "has another" : "has no")
        }
        if let marker { try marker.lock() }
        var random = SystemRandomNumberGenerator()
        let id = ID16.random(using: &random)
        try await replica.write {
            try $0.resetObserver(name, storage: id, observer: observer)
        }
        try MirrorMarker.write(id, to: folder)
        return id
    }

    private static func notTheFolder(_ what: String) -> Failure {
        Failure(
            .unreadable,
            "the folder \(what) marker .cenotaph-mirror: it was emptied, is not mounted, or is "
                + "another one; nothing was deleted. --adopt makes it the mirror")
    }
}
