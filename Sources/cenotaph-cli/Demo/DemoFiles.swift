import Cenotaph
import Glibc

/// Real text files of this machine, copied into a folder of the demo's own.
struct DemoFiles {
    /// Places with text files on most machines, small ones first.
    static let places = [
        "/usr/share/common-licenses", "/usr/share/doc", "/usr/include", "/usr/share", "/usr/lib",
        "/etc",
    ]
    private static let largest = 65_536

    /// The folder with the copies.
    let folder: String
    /// Number of copies and of their bytes.
    private(set) var count = 0
    private(set) var bytes = 0

    /// Copies `wanted` text files; where the machine has fewer, the rest are pieces of the ones it has.
    /// - Throws: `Failure` if no text can be read at all.
    init(_ wanted: Int, from place: String?, into folder: String) throws {
        self.folder = folder
        try File.makeFolder(folder)
        let trees = (place.map { [$0] } ?? DemoFiles.places).lazy.compactMap { path in
            try? FileTree(path, limit: 40 * wanted)
        }
        for tree in trees where count < wanted {
            for file in tree.files where count < wanted { try copy(file) }
        }
        guard count > 0 else { throw Failure(.unreadable, "no readable text files were found") }
        try fill(to: wanted)
    }

    private mutating func copy(_ file: FileTree.Entry) throws {
        guard (1...DemoFiles.largest).contains(file.size),
            let text = try? File.read(file.path, atMost: DemoFiles.largest), !text.isEmpty,
            !text.contains(0), String(validating: text, as: UTF8.self) != nil
        else { return }
        try add(text)
    }

    /// Cuts the copies into pieces until there are enough.
    private mutating func fill(to wanted: Int) throws {
        let originals = count
        var index = 0
        while count < wanted {
            let text = try File.read(path(of: index % originals), atMost: DemoFiles.largest)
            let round = index / originals + 1
            try add(
                Array("piece \(round) of file \(index % originals)\n".utf8)
                    + text.prefix(64 * round))
            index += 1
        }
    }

    private mutating func add(_ text: [UInt8]) throws {
        try File.write(text, to: path(of: count))
        count += 1
        bytes += text.count
    }

    private func path(of index: Int) -> String { folder + "/" + DemoFiles.key(index) }

    /// The key of a copy: `note-00042.txt`.
    static func key(_ index: Int) -> String {
        let digits = String(index)
        return "note-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".txt"
    }
}
