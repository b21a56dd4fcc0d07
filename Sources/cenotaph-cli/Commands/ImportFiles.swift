import Cenotaph

extension Command {
    static let importFiles = Command(
        name: "import", usage: "import NAMESPACE DIR [--revive]",
        summary: """
            Make each file below a folder a row, its path the key

            Files that equal their rows are left alone. A file whose row was deleted is skipped, so
            that an old copy of a folder undeletes nothing; --revive brings it back as a new write.
            A row without a file is left alone too: an import never deletes. The replica's own folder is
            left out.
            """,
        flags: ["revive"]
    ) { arguments in
        let words = try arguments.take("NAMESPACE", "DIR")
        let name = try namespace(words[0])
        let tree: FileTree
        do {
            tree = try FileTree(words[1], leavingOut: Home(arguments).path)
        } catch {
            throw Failure(.unreadable, "\(error)")
        }
        let replica = try await Home(arguments).open()
        var report = ImportReport(unreadable: tree.unreadable.map(\.description))
        var rest = tree.files[...]
        while !rest.isEmpty {
            let batch = report.load(&rest)
            let done = try await replica.write { tx in
                try ImportReport.write(batch, to: name, tx, reviving: arguments.has("revive"))
            }
            report.add(done)
        }
        try report.print(asJSON: arguments.has("json"))
        return report.unreadable.isEmpty && report.tooLarge.isEmpty ? .done : .unreadable
    }
}

/// What an import did.
struct ImportReport: Encodable, Sendable {
    private(set) var written = 0
    private(set) var unchanged = 0
    private(set) var deleted: [String] = []
    private(set) var tooLarge: [String] = []
    private(set) var unreadable: [String]

    init(unreadable: [String] = []) { self.unreadable = unreadable }

    /// Most files, and about the most bytes, of one transaction.
    private static let batchFiles = 1_000
    private static let batchBytes = 16 * 1_048_576

    /// Reads the next files.
    mutating func load(
        _ rest: inout ArraySlice<FileTree.Entry>
    ) -> [(key: Key, body: [UInt8])] {
        var batch: [(key: Key, body: [UInt8])] = []
        var bytes = 0
        while let file = rest.first, batch.count < ImportReport.batchFiles,
            bytes < ImportReport.batchBytes
        {
            rest.removeFirst()
            let name = Hex.readable(file.relative)
            guard let key = try? Key(file.relative), file.size <= Limits.maxBody else {
                tooLarge.append(name)
                continue
            }
            do {
                let body = try file.read(atMost: Limits.maxBody)
                bytes += body.count
                batch.append((key, body))
            } catch {
                unreadable.append(error.description)
            }
        }
        return batch
    }

    /// Writes a batch.
    static func write(
        _ batch: [(key: Key, body: [UInt8])], to name: NamespaceName, _ tx: WriteTransaction,
        reviving: Bool
    ) throws -> ImportReport {
        var report = ImportReport()
        for (key, body) in batch {
            if let row = try tx.get(name, key), row.values.count == 1, row.body == body {
                report.unchanged += 1
                continue
            }
            do {
                if reviving {
                    try tx.revive(name, key, body)
                } else {
                    try tx.put(name, key, body)
                }
                report.written += 1
            } catch GateError.refused(.rowDeleted) {
                report.deleted.append("\(key)")
            }
        }
        return report
    }

    mutating func add(_ other: ImportReport) {
        written += other.written
        unchanged += other.unchanged
        deleted += other.deleted
        tooLarge += other.tooLarge
        unreadable += other.unreadable
    }

    func print(asJSON: Bool) throws {
        if asJSON { return try printJSON(self) }
        System.print("\(written) written, \(unchanged) unchanged")
        for key in deleted { System.print("skipped, deleted: \(key)") }
        for name in tooLarge { System.printError("skipped, over a limit: \(name)") }
        for words in unreadable { System.printError("skipped: \(words)") }
    }
}
