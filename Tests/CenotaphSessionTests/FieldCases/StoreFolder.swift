import Cenotaph
import CenotaphTesting
import Foundation

/// Store files of a simulated fleet, in a folder that is removed with its last reference.
final class StoreFolder {
    private let url: URL
    /// The copy that takes the place of a replica's file when it is opened next.
    private var restoring: [Int: Data] = [:]

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "cenotaph-fleet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a replica's file.
    func path(_ replica: Int) -> String { url.appending(path: "\(replica).db").path }

    /// Opens the file of a replica, after closing the one that was open.
    func makeStore(_ replica: Int, _ old: (any Store)?) throws -> any Store {
        (old as? SQLiteStore)?.close()
        if let bytes = restoring.removeValue(forKey: replica) {
            for end in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path(replica) + end)
            }
            try bytes.write(to: URL(filePath: path(replica)))
        }
        return try SQLiteStore(path: path(replica), mode: .create)
    }

    /// A copy of a replica's file, as a backup makes it.
    func backUp(_ replica: Int, of fleet: SimulatedFleet) throws -> Data {
        // Closing moves the log into the file.
        try fleet.crash(replica)
        return try Data(contentsOf: URL(filePath: path(replica)))
    }

    /// Puts a copy in the place of a replica's file, and opens it.
    func restore(_ replica: Int, from copy: Data, in fleet: SimulatedFleet) throws {
        restoring[replica] = copy
        try fleet.crash(replica)
    }
}
