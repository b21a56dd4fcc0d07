/// A step that brings a store's file from one format to the next one.
///
/// The first format is 1, and a file that went through all steps has the format after the last; so a new format is one
/// more step at the end of `Format.migrations`, the changed `Format.tables`, and a fixture of the format before it in
/// `Tests/CenotaphStoreTests/Formats`. A step that was ever released is never changed.
package struct Migration: Sendable {
    let run: @Sendable (Connection) throws(StoreError) -> Void

    /// Makes a step of code.
    init(_ run: @escaping @Sendable (Connection) throws(StoreError) -> Void) { self.run = run }

    /// Makes a step of statements.
    package init(_ statements: String...) {
        run = { (connection) throws(StoreError) in
            for statement in statements { try connection.run(statement) }
        }
    }

    /// The format after the last of these steps.
    package static func version(after migrations: [Migration]) -> Int64 {
        Int64(migrations.count) + 1
    }
}

extension Connection {
    /// Brings an older file to the newest format, each step in one transaction with the file's number.
    ///
    /// Whatever interrupts a step leaves the file as the step found it, for the next opening to go on from. A file that
    /// is of no older format is left alone.
    func migrate(_ migrations: [Migration]) throws(StoreError) {
        for (index, migration) in migrations.enumerated() {
            let format = Int64(index) + 1
            guard try formatNumber() == format else { continue }
            try transact("BEGIN IMMEDIATE") { () throws(StoreError) in
                // Another process may have been faster.
                guard try formatNumber() == format else { return }
                try migration.run(self)
                try run("PRAGMA user_version=\(format + 1)")
            }
        }
    }
}
