import CenotaphStore
import Glibc

/// A folder for the stores of a benchmark, which goes with its owner.
final class BenchFolder {
    private let path: String
    private var names: Set<String> = []

    init() throws {
        path = "/tmp/cenotaph-bench-\(getpid())"
        guard unsafe mkdir(path, 0o700) == 0 else { throw StoreError.notFound }
    }

    /// The path of a file in the folder; what was there is removed.
    func freshPath(_ name: String) -> String {
        names.insert(name)
        remove(name)
        return "\(path)/\(name)"
    }

    private func remove(_ name: String) {
        for ending in ["", "-wal", "-shm"] { unsafe _ = unlink("\(path)/\(name)\(ending)") }
    }

    deinit {
        for name in names { remove(name) }
        unsafe _ = rmdir(path)
    }
}
