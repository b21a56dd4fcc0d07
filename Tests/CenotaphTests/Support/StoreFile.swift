#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A path for a store, in a folder of its own.
struct StoreFile {
    private let folder: String
    var path: String { folder + "/store.sqlite" }

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.path + "/cenotaph-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
