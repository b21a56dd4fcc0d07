/// One case of a vector file (Spec 11, "Shape of a vector file").
struct VectorCase: Decodable {
    /// A rejection that is expected.
    struct Rejection: Decodable {
        let `class`: String
        let layer: String
        let also: [String]?
    }

    /// How the case was made from an accepted one.
    struct Twin: Decodable {
        let of: String
        let field: String
        let edits: [Edit]
        let layer: String?
    }

    /// At byte `at`, `del` bytes are taken out and the bytes `ins` put in.
    struct Edit: Decodable {
        let at: Int
        let del: Int
        let ins: String
    }

    let id: String
    let op: String
    let `in`: [String: String]
    let out: [String: String]?
    let reject: Rejection?
    let twin: Twin?
    let twinless: String?
    let decoys: [String: String]?
    let req: [String]
    let flags: [String]?
    let requires: [String]?
    let comment: String?
}

/// One vector file.
struct VectorFile: Decodable {
    let schema: String
    let spec: String
    let corpus: String
    let area: String
    let cases: [VectorCase]
}

/// What the corpus consists of.
struct Manifest: Decodable {
    /// What is known of a file.
    struct File: Decodable {
        let sha256: String
        let cases: Int
        let accepted: Int
        let rejected: Int
    }

    /// What a level asks for.
    struct Level: Decodable {
        let files: [String]
        let cases: Int
    }

    let corpus: String
    let spec: String
    let files: [String: File]
    let schema: [String: String]?
    let levels: [String: Level]
    let cases: Int
}
