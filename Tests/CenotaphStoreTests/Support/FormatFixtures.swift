import CenotaphStore
import Foundation

/// The stores of every format that was ever released, as the statements that make them.
///
/// `format-N.sql` was dumped from a store that a program of format N wrote and filled with `FormatSample`;
/// `contents.txt` is what each of them shows, whatever its format.
enum FormatFixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Formats")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Makes the store of a format.
    static func make(_ format: Int64, at path: String) throws {
        let statements = try text("format-\(format).sql").split(separator: "\n").map(String.init)
        let raw = try RawDatabase(path)
        try raw.run("BEGIN")
        for statement in statements { try raw.run(statement) }
        try raw.run("COMMIT")
    }

    /// The statements that make a store.
    static func dump(_ path: String) throws -> String {
        let raw = try RawDatabase(path)
        var lines: [String] = []
        for pragma in ["application_id", "user_version"] {
            lines += try raw.texts("PRAGMA \(pragma)").map { "PRAGMA \(pragma)=\($0);" }
        }
        lines += try schema(raw).map { $0 + ";" }
        for table in try raw.texts("SELECT name FROM sqlite_schema WHERE type='table'") {
            let names = try raw.texts("SELECT name FROM pragma_table_info('\(table)')")
            let values = names.map { "quote(\"\($0)\")" }.joined(separator: "||','||")
            lines += try raw.texts(
                "SELECT 'INSERT INTO \"\(table)\" VALUES('||\(values)||');' FROM \"\(table)\"")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The statements of all tables and indexes.
    static func schema(_ raw: RawDatabase) throws -> [String] {
        try raw.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    }
}
