/// The statements that a store keeps prepared.
enum Query: Int, CaseIterable {
    case beginReading, beginWriting, commit, rollback, format, dataVersion
    case record, putRecord, dropRecord
    case row, putRow, insertRow, dropRow
    case leaves, leavesBelow, leavesOfBoth, leavesOfBothBelow
    case rows, rowsBelow, rowsOfBoth, rowsOfBothBelow
    case putMember, dropMember, members
    case putPlace, dropPlace, keysOfPlace, freshKeys, anyFresh, sortFresh, dropFresh

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
        case .putRow: "REPLACE INTO \(Query.newRow)"
        case .insertRow: "INSERT INTO \(Query.newRow) ON CONFLICT DO NOTHING"
        case .dropRow: "DELETE FROM row WHERE \(Query.rowAt)"
        case .leaves: Query.scan("key, leaf")
        case .leavesBelow: Query.scan("key, leaf", isBounded: true)
        case .leavesOfBoth: Query.scan("key, leaf", ofBoth: true)
        case .leavesOfBothBelow: Query.scan("key, leaf", ofBoth: true, isBounded: true)
        case .rows: Query.scan("key, leaf, type, content")
        case .rowsBelow: Query.scan("key, leaf, type, content", isBounded: true)
        case .rowsOfBoth: Query.scan("key, leaf, type, content", ofBoth: true)
        case .rowsOfBothBelow:
            Query.scan("key, leaf, type, content", ofBoth: true, isBounded: true)
        case .putMember: "INSERT INTO member VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"
        case .dropMember: "DELETE FROM member WHERE namespace=?1 AND grp=?2 AND key=?3"
        case .members: "SELECT key FROM member WHERE namespace=?1 AND grp=?2 ORDER BY key"
        case .putPlace: "INSERT INTO fresh(namespace, place, key) VALUES(?1, ?2, ?3)"
        case .dropPlace: "DELETE FROM place WHERE namespace=?1 AND place=?2 AND key=?3"
        case .keysOfPlace: "SELECT key FROM place WHERE namespace=?1 AND place=?2 ORDER BY key"
        case .freshKeys: "SELECT key, place FROM fresh WHERE namespace=?1"
        case .anyFresh: "SELECT EXISTS(SELECT 1 FROM fresh)"
        case .sortFresh:
            """
            INSERT INTO place(place, namespace, key) SELECT place, namespace, key FROM fresh \
            WHERE true ORDER BY place, namespace, key ON CONFLICT DO NOTHING
            """
        case .dropFresh: "DELETE FROM fresh"
        }
    }

    private static let newRow =
        #"row(namespace, "set", key, leaf, type, content) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"#
    private static let rowAt = #"namespace=?1 AND "set"=?2 AND key=?3"#

    /// The statement that walks over one shelf, or merges two walks.
    private static func scan(
        _ columns: String, ofBoth: Bool = false, isBounded: Bool = false
    ) -> String {
        let bound = isBounded ? " AND key<?4" : ""
        let walks = (ofBoth ? ["?2", "?5"] : ["?2"]).map { shelf in
            #"SELECT \#(columns) FROM row WHERE namespace=?1 AND "set"=\#(shelf) AND key>=?3\#(bound)"#
        }
        return walks.joined(separator: " UNION ALL ") + " ORDER BY key"
    }

    /// The walk over the keys and leaves of one shelf, or of two.
    static func leaves(ofBoth: Bool, isBounded: Bool) -> Query {
        ofBoth
            ? (isBounded ? .leavesOfBothBelow : .leavesOfBoth)
            : (isBounded ? .leavesBelow : .leaves)
    }

    /// The walk over the rows of one shelf, or of two.
    static func rows(ofBoth: Bool, isBounded: Bool) -> Query {
        ofBoth
            ? (isBounded ? .rowsOfBothBelow : .rowsOfBoth) : (isBounded ? .rowsBelow : .rows)
    }
}
