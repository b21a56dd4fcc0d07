internal import CenotaphWire

/// A request that nobody has asked before, and the sentences that it has to do with.
struct FreshRequest {
    let op: String
    var fields: [String: String]
    let req: [String]
}

/// Makes cases that are in no file; what they expect is what the library of this package answers.
///
/// The same seed, area and number make the same case.
struct CaseMaker {
    /// Requests tried until one makes sense and is taken or rejected as was asked for.
    private static let attempts = 40
    /// Characters in the inputs of a golden case that others are made from.
    private static let longest = 4_096

    /// Accepted cases of the corpus by operation.
    let golden: [String: [VectorCase]]
    private let files: Set<String>
    private let library = BuiltIn()

    init(corpus: Corpus) {
        files = Set(corpus.manifest.files.keys)
        golden = Dictionary(
            grouping: corpus.members.map(\.value).filter { value in
                value.out != nil
                    && value.in.values.reduce(0) { $0 + $1.utf8.count } <= CaseMaker.longest
            }, by: \.op)
    }

    /// The areas of the corpus and how a request of each is made.
    static let areas: [(name: String, make: @Sendable (CaseMaker, inout Dice) -> FreshRequest?)] = [
        ("primitives", { $0.primitive(&$1) }), ("frame", { $0.frame(&$1) }),
        ("leaf", { $0.leaf(&$1) }), ("digest", { $0.digest(&$1) }),
        ("sketch", { $0.sketch(&$1) }), ("seal", { $0.seal(&$1) }), ("merge", { $0.merge(&$1) }),
    ]

    /// Some cases of each area that the corpus has.
    func members(seed: UInt64, perArea count: Int) -> [Corpus.Member] {
        CaseMaker.areas.indices.flatMap { area in
            (0..<count).compactMap { member(area, seed: seed, $0) }
        }
    }

    /// One case; `nil` if the corpus lacks the area, or nothing that makes sense came up.
    func member(_ area: Int, seed: UInt64, _ number: Int) -> Corpus.Member? {
        let (name, make) = CaseMaker.areas[area]
        guard files.contains("\(name).json") else { return nil }
        var mixer = SeededGenerator(seed: seed ^ UInt64(area) << 56 ^ UInt64(number) << 32)
        var dice = Dice(seed: mixer.next())
        let wantsAcceptance = dice.chance(60)
        var last: VectorCase?
        for _ in 0..<CaseMaker.attempts {
            guard let request = make(self, &dice),
                let value = expected(request, id: "gen-\(seed)-\(name)-\(number)")
            else { continue }
            last = value
            if (value.out != nil) == wantsAcceptance { break }
        }
        return last.map { Corpus.Member(file: "\(name).json", value: $0, isGenerated: true) }
    }

    /// The case of an id that `member` gave.
    func member(id: String) -> Corpus.Member? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "gen", let seed = UInt64(parts[1]),
            let area = CaseMaker.areas.firstIndex(where: { $0.name == parts[2] }),
            let number = Int(parts[3]), number >= 0
        else { return nil }
        return member(area, seed: seed, number)
    }

    /// The request with the library's answer; `nil` if it makes no sense.
    func expected(_ request: FreshRequest, id: String) -> VectorCase? {
        var out: [String: String]?
        var reject: VectorCase.Rejection?
        switch library.answer(request.op, request.fields) {
        case .accepted(let fields): out = fields
        case .rejected(let name, _):
            reject = .init(class: name, layer: Judge.layer(of: name) ?? "", also: nil)
        case .unsupported, .failed, .crashed, .timedOut: return nil
        }
        return VectorCase(
            id: id, op: request.op, in: request.fields, out: out, reject: reject, twin: nil,
            twinless: reject == nil ? nil : "made at random", decoys: nil, req: request.req,
            flags: [], requires: nil, comment: nil)
    }

    /// The fields that the library accepts with, for building on.
    func answer(_ op: String, _ fields: [String: String]) -> [String: String]? {
        guard case .accepted(let out) = library.answer(op, fields) else { return nil }
        return out
    }

    /// A request with the sentences of the operation's first golden case.
    func request(_ op: String, _ fields: [String: String]) -> FreshRequest {
        FreshRequest(op: op, fields: fields, req: golden[op]?.first?.req ?? [])
    }

    /// A golden case with `change` made to some of its fields, one time in ten to none.
    func varied(
        _ ops: [String], _ dice: inout Dice, _ change: (String, String, inout Dice) -> String?
    ) -> FreshRequest? {
        guard let op = dice.pick(ops), let value = dice.pick(golden[op] ?? []) else { return nil }
        var fields = value.in
        for _ in 0..<dice.below(10) {
            guard let name = dice.pick(fields.keys.sorted()), let old = fields[name] else { break }
            if let new = change(name, old, &dice) { fields[name] = new }
        }
        return FreshRequest(op: op, fields: fields, req: value.req)
    }
}
