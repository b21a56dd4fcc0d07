import CSQLite

/// A second, plain connection to a database file, which knows nothing of stores.
final class RawDatabase {
    private var handle: OpaquePointer?

    struct Failure: Error {
        var sql: String
        var message: String
    }

    init(_ path: String) throws {
        let code = sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else { throw Failure(sql: "open", message: "\(code)") }
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String...) throws {
        for statement in sql where sqlite3_exec(handle, statement, nil, nil, nil) != SQLITE_OK {
            throw Failure(sql: statement, message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Leaves the log in place when the connection closes, as a crash does.
    func keepLogOnClose() {
        _ = cenotaph_set_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    /// The first column of an answer, as text.
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(sql: sql, message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return texts
    }
}
