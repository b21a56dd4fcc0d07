internal import CSodium
internal import CenotaphWire

/// The cases of `TestVectors/v1`, with the manifest and the text that they test.
struct Corpus {
    /// A case and the file that holds it.
    struct Member {
        let file: String
        let value: VectorCase
        /// Whether it is in no file.
        var isGenerated = false
    }

    let folder: String
    let manifest: Manifest
    let manifestHash: String
    let members: [Member]
    /// Cases that need a feature that nobody has, with wrong answers: a run that takes one goes red.
    let canaries: [Member]
    let specification: Specification
    private let places: [String: Int]

    /// Loads every file that the manifest names.
    init(_ folder: String) throws(Stop) {
        guard let manifestBytes = Folder.bytes("\(folder)/MANIFEST.json") else {
            throw .corpus("no MANIFEST.json in \(folder)")
        }
        let manifest = try Folder.decode(Manifest.self, manifestBytes, "MANIFEST.json")
        let members = try Corpus.members(folder, manifest.files.keys)
        guard !members.isEmpty else { throw .corpus("the corpus has no case") }
        self.init(
            folder: folder, manifest: manifest, manifestHash: Corpus.sha256(manifestBytes),
            members: members,
            canaries: try Corpus.members(folder, (manifest.future ?? [:]).keys),
            specification: Specification("\(folder)/../../Spec"))
    }

    private static func members(
        _ folder: String, _ names: some Collection<String>
    ) throws(Stop) -> [Member] {
        var members: [Member] = []
        for name in names.sorted() {
            guard let bytes = Folder.bytes("\(folder)/\(name)") else {
                throw .corpus("the manifest names \(name), which cannot be read")
            }
            let file = try Folder.decode(VectorFile.self, bytes, name)
            members += file.cases.map { Member(file: name, value: $0) }
        }
        return members
    }

    /// Takes cases that are in memory.
    init(
        folder: String, manifest: Manifest, manifestHash: String, members: [Member],
        canaries: [Member] = [], specification: Specification
    ) {
        self.folder = folder
        self.manifest = manifest
        self.manifestHash = manifestHash
        self.members = members
        self.canaries = canaries
        self.specification = specification
        places = Dictionary(
            members.enumerated().map { ($1.value.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The case of that id.
    subscript(id: String) -> VectorCase? { place(of: id).map { members[$0].value } }

    /// Where the case of that id stands among the members.
    func place(of id: String) -> Int? { places[id] }

    /// The folder asked for, or the one below the working directory or a package above it.
    static func find(_ asked: String?) throws(Stop) -> Corpus {
        if let asked { return try Corpus(asked) }
        var up = "."
        for _ in 0..<8 {
            if Folder.exists("\(up)/TestVectors/v1/MANIFEST.json") {
                return try Corpus("\(up)/TestVectors/v1")
            }
            up = up == "." ? ".." : "\(up)/.."
        }
        throw .corpus("no TestVectors/v1 here or above; name it with --vectors")
    }

    /// SHA-256, as in the manifest.
    static func sha256(_ bytes: [UInt8]) -> String {
        let hash = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            // Safety: the buffer holds the 32 bytes of the result; the input is a whole array.
            guard let base = buffer.baseAddress else { return }
            unsafe _ = crypto_hash_sha256(base, bytes, UInt64(bytes.count))
            count = 32
        }
        return Hex.string(hash)
    }
}
