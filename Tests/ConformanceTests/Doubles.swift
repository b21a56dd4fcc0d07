import CenotaphWire
import TestSupport
import Testing

@testable import cenotaph_conformance

/// The corpus of this repository, loaded once.
enum Loaded {
    static let corpus: Corpus = {
        do throws(Stop) {
            return try Corpus("\(Vectors.root)/TestVectors/v1")
        } catch {
            preconditionFailure(error.message)
        }
    }()

    /// The corpus without its largest cases, which take most of the time of a run.
    static let small = Corpus(
        folder: corpus.folder, manifest: corpus.manifest, manifestHash: corpus.manifestHash,
        members: corpus.members.filter { member in
            let size = member.value.in.values.reduce(0) { $0 + $1.utf8.count }
            return size < 100_000
                && (member.value.out?.values.allSatisfy { $0.utf8.count < 100_000 } ?? true)
        },
        canaries: corpus.canaries, specification: corpus.specification)

    static let whole = Selection()
}

/// Takes everything.
struct AcceptAll: Implementation {
    let name = "accept-all"
    func answer(_ op: String, _ fields: [String: String]) -> Answer { .accepted([:]) }
}

/// Rejects everything with one class.
struct RejectAll: Implementation {
    let name = "reject-all"
    let reason: String
    func answer(_ op: String, _ fields: [String: String]) -> Answer { .rejected(reason) }
}

/// Gives back what it was given.
struct Echo: Implementation {
    let name = "echo"
    func answer(_ op: String, _ fields: [String: String]) -> Answer { .accepted(fields) }
}

/// The library, but for what `change` does to its answers.
struct Changed: Implementation {
    let name = "changed"
    let change: @Sendable (String, Answer) -> Answer
    func answer(_ op: String, _ fields: [String: String]) -> Answer {
        change(op, BuiltIn().answer(op, fields))
    }
}

extension Runner {
    /// A run of one implementation over a corpus, the small one unless told otherwise.
    static func report<Asked: Implementation>(
        _ implementation: Asked, _ corpus: Corpus = Loaded.small, isStrict: Bool = true,
        _ selection: Selection = Loaded.whole
    ) throws -> RunReport {
        var implementation = implementation
        let runner = Runner(
            corpus: corpus, selection: selection, judge: Judge(isStrict: isStrict),
            seed: SeededGenerator.seed)
        return try runner.run(&implementation)
    }
}

extension Corpus {
    /// The same corpus with one case in another form.
    func replacing(_ id: String, _ change: (VectorCase) -> VectorCase) -> Corpus {
        Corpus(
            folder: folder, manifest: manifest, manifestHash: manifestHash,
            members: members.map { member in
                member.value.id != id
                    ? member : Member(file: member.file, value: change(member.value))
            },
            specification: specification)
    }

    /// The first case that satisfies `condition`.
    func first(_ condition: (VectorCase) -> Bool) throws -> VectorCase {
        let found = members.map(\.value).first(where: condition)
        return try #require(found)
    }
}

extension VectorCase {
    /// The case with some parts changed.
    func with(
        `in`: [String: String]? = nil, out: [String: String]?? = nil,
        reject: Rejection?? = nil, twin: Twin?? = nil, req: [String]? = nil,
        requires: [String]? = nil
    ) -> VectorCase {
        VectorCase(
            id: id, op: op, in: `in` ?? self.in, out: out ?? self.out,
            reject: reject ?? self.reject, twin: twin ?? self.twin, twinless: twinless,
            decoys: decoys, req: req ?? self.req, flags: flags,
            requires: requires ?? self.requires, comment: comment)
    }
}
