/// The statements that a store keeps prepared.
enum Query: Hashable {
    case beginReading, beginWriting, commit, rollback, format, dataVersion
    case record, putRecord, dropRecord
    case row, putRow, dropRow
    case leaves, leavesBelow, rows, rowsBelow
    case putMember, dropMember, members

    /// The statement's text.
    var sql: String {
        switch self {
        case .beginReading: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .format: "PRAGMA user_version"
        case .dataVersion: "PRAGMA data_version"
        case .record: "SELECT value FROM record WHERE name=?1"
        case .putRecord:
            """
            INSERT INTO record(name, value) VALUES(?1, ?2) \
            ON CONFLICT DO UPDATE SET value=excluded.value
            """
        case .dropRecord: "DELETE FROM record WHERE name=?1"
        case .row: "SELECT leaf, type, content FROM row WHERE \(Query.rowAt)"
        case .putRow:
            """
            INSERT INTO row(namespace, "set", key, leaf, type, content) \
            VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE \
            SET leaf=excluded.leaf, type=excluded.type, content=excluded.content
            """
        case .dropRow: "DELETE FROM row WHERE \(Query.rowAt)"
        case .leaves: "SELECT key, leaf FROM row WHERE \(Query.rowsFrom) ORDER BY key"
        case .leavesBelow:
            "SELECT key, leaf FROM row WHERE \(Query.rowsFrom) AND key<?4 ORDER BY key"
        case .rows: "SELECT key, leaf, type, content FROM row WHERE \(Query.rowsFrom) ORDER BY key"
        case .rowsBelow:
            """
            SELECT key, leaf, type, content FROM row \
            WHERE \(Query.rowsFrom) AND key<?4 ORDER BY key
            """
        case .putMember: "INSERT INTO member VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"
        case .dropMember: "DELETE FROM member WHERE namespace=?1 AND grp=?2 AND key=?3"
        case .members: "SELECT key FROM member WHERE namespace=?1 AND grp=?2 ORDER BY key"
        }
    }

    private static let rowAt = #"namespace=?1 AND "set"=?2 AND key=?3"#
    private static let rowsFrom = #"namespace=?1 AND "set"=?2 AND key>=?3"#
}
