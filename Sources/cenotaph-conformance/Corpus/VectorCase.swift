/// One case of a vector file (Spec 11, "Shape of a vector file").
struct VectorCase {
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
    struct Edit {
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

extension VectorCase.Edit: Decodable {
    private enum Key: CodingKey { case at, del, ins }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        at = try container.decode(Int.self, forKey: .at)
        del = try container.decode(Int.self, forKey: .del)
        ins = try container.decode(FilledText.self, forKey: .ins).text
    }
}

extension VectorCase: Decodable {
    private enum Key: CodingKey {
        case id, op, `in`, out, reject, twin, twinless, decoys, req, flags, requires, comment
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        op = try container.decode(String.self, forKey: .op)
        `in` = try container.texts(.in)
        out = container.contains(.out) ? try container.texts(.out) : nil
        reject = try container.decodeIfPresent(Rejection.self, forKey: .reject)
        twin = try container.decodeIfPresent(Twin.self, forKey: .twin)
        twinless = try container.decodeIfPresent(String.self, forKey: .twinless)
        decoys = try container.decodeIfPresent([String: String].self, forKey: .decoys)
        req = try container.decode([String].self, forKey: .req)
        flags = try container.decodeIfPresent([String].self, forKey: .flags)
        requires = try container.decodeIfPresent([String].self, forKey: .requires)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
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

    /// What is known of a file of canaries.
    struct Future: Decodable {
        let sha256: String
        let cases: Int
    }

    let corpus: String
    let spec: String
    let files: [String: File]
    /// Files of cases that need a feature that nobody has.
    let future: [String: Future]?
    /// Files that list something about the corpus and hold no cases to run; their hashes.
    let lists: [String: String]?
    let schema: [String: String]?
    let levels: [String: Level]
    let cases: Int
}
