import Cenotaph
import CenotaphTesting
import Testing

@testable import crash_driver

/// What the crash script leaves behind after each of its steps, when nothing goes wrong.
struct CrashReference {
    /// What a store holds after some steps.
    struct Moment {
        /// All rows of all tables.
        let tables: String
        /// What an app sees.
        let view: [NamespaceName: Set<Key>]
        /// The rows of both sets of each namespace that travels.
        let rows: [(namespace: NamespaceName, row: Row)]
        /// The keys that were seen at an earlier moment, and are not any more.
        let gone: [NamespaceName: Set<Key>]
    }

    /// One for each number of steps; the first is an empty store.
    let moments: [Moment]

    init() throws {
        let folder = try TempFolder()
        try folder.store().close()
        let script = try CrashScript { try folder.store() }
        var moments = [
            Moment(tables: try CrashReference.tables(folder), view: [:], rows: [], gone: [:])
        ]
        for step in 0..<CrashScript.count {
            try script.run(step)
            // The copies are opened, so that the store itself is not disturbed.
            let copy = try TempFolder()
            for name in ["store.db", "store.db-wal"] where try folder.names().contains(name) {
                try copy.write(try folder.read(name), name)
            }
            moments.append(try CrashReference.moment(copy, script, after: moments))
        }
        self.moments = moments
    }

    private static func moment(
        _ folder: TempFolder, _ script: CrashScript, after earlier: [Moment]
    ) throws -> Moment {
        let tables = try tables(folder)
        let wide = tables.contains(StoreDump.record("tags"))
        let store = try folder.store()
        let gate = try script.gate(
            over: store, wide ? CrashScript.widerSchema : CrashScript.schema, of: 0)
        var view: [NamespaceName: Set<Key>] = [:]
        var rows: [(namespace: NamespaceName, row: Row)] = []
        try gate.read { snapshot in
            for namespace in gate.schema.namespaces {
                view[namespace.name] = Set(try snapshot.list(namespace.name).map(\.key))
                guard namespace.policy.isReplicated else { continue }
                for set in RowSet.allCases {
                    try snapshot.forEachRow(namespace.name, set, .all) { row, _ in
                        rows.append((namespace.name, row))
                        return true
                    }
                }
            }
        }
        var gone = earlier.last?.gone ?? [:]
        for (name, keys) in view {
            gone[name, default: []].formUnion(earlier.last?.view[name] ?? [])
            gone[name]?.subtract(keys)
        }
        return Moment(tables: tables, view: view, rows: rows, gone: gone)
    }

    /// Every row of every table of a store, as text.
    static func tables(_ folder: TempFolder) throws -> String {
        let raw = try RawDatabase(folder.file())
        raw.keepLogOnClose()
        var lines: [String] = []
        let names = try raw.texts("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY name")
        for name in names {
            let columns = try raw.texts("SELECT name FROM pragma_table_info('\(name)')")
            let row = columns.map { "quote(\"\($0)\")" }.joined(separator: "||','||")
            lines += try raw.texts("SELECT \(row) FROM \"\(name)\" ORDER BY 1").map {
                "\(name) \($0)"
            }
        }
        return lines.joined(separator: "\n")
    }
}
