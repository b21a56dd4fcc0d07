/// `fuzz`: fresh cases against an adapter, for a time; each failure is made small and written as a vector.
enum FuzzCommand {
    /// Failures after which it ends; of one kind, one is enough.
    static let enough = 10

    static func run(_ words: [String]) throws(Stop) -> ExitCode {
        let arguments = try Arguments(
            words, flags: ["--strict-errors", "--trace"],
            options: ["--vectors", "--seed", "--for", "--cases", "--out", "--timeout"])
        try arguments.expectNoMore(adapter: true)
        guard !arguments.adapter.isEmpty else { throw .usage("fuzz needs -- CMD args...") }
        let corpus = try Corpus.find(arguments["--vectors"])
        let seed = try RunCommand.seed(arguments)
        let time = try RunCommand.duration(arguments, "--for", 0.1...86_400) ?? .seconds(60)
        let most = try RunCommand.number(arguments, "--cases", 1...1_000_000_000) ?? .max
        var adapter = try Adapter(
            arguments.adapter, spec: corpus.manifest.spec,
            timeout: try RunCommand.timeout(arguments))
        adapter.isTraced = arguments.has("--trace")
        let maker = CaseMaker(corpus: corpus)
        var fuzzer = Fuzzer(
            maker: maker, judge: Judge(isStrict: arguments.has("--strict-errors")), seed: seed)
        let deadline = ContinuousClock.now + time
        let lines = try fuzzer.run(&adapter, most) { ContinuousClock.now < deadline }
        if let path = arguments["--out"] {
            try Console.save(lines.map { $0 + "\n" }.joined(), to: path)
        } else {
            for line in lines { Console.print(line) }
        }
        for note in fuzzer.notes { Console.complain(note) }
        Console.complain(
            "\(adapter.name): \(fuzzer.asked) cases, \(lines.count) kinds of failure; seed \(seed)")
        if adapter.isHopeless { return .adapter }
        return lines.isEmpty ? .ok : .failure
    }
}

/// Asks an adapter what it has not been asked, and makes what fails small.
struct Fuzzer {
    /// Smaller requests that are tried for one failure.
    static let attempts = 400

    let maker: CaseMaker
    let judge: Judge
    let seed: UInt64
    /// Requests made, without those for making a failure small.
    private(set) var asked = 0
    /// A line about each failure.
    private(set) var notes: [String] = []
    private var kinds: Set<String> = []

    init(maker: CaseMaker, judge: Judge, seed: UInt64) {
        self.maker = maker
        self.judge = judge
        self.seed = seed
    }

    /// Runs through the areas in turn; returns a vector line for each kind of failure.
    mutating func run(
        _ adapter: inout some Implementation, _ most: Int, while goesOn: () -> Bool
    ) throws(Stop) -> [String] {
        var lines: [String] = []
        var number = 0
        while asked < most, number < most, kinds.count < FuzzCommand.enough, goesOn() {
            for area in CaseMaker.areas.indices where asked < most {
                guard let member = maker.member(area, seed: seed, number) else { continue }
                let verdict = try self.verdict(&adapter, member.value)
                asked += 1
                guard verdict.outcome.isFailure, kinds.insert(kind(member.value, verdict)).inserted
                else { continue }
                let (small, why) = try shrink(&adapter, member.value, verdict, while: goesOn)
                notes.append("\(why.label) \(small.id) (\(small.op)): \(why.difference)")
                lines.append(try VectorLine.text(small, why))
            }
            number += 1
            if (adapter as? Adapter)?.isHopeless ?? false { break }
        }
        return lines
    }

    private func verdict(
        _ adapter: inout some Implementation, _ value: VectorCase
    ) throws(Stop) -> Verdict {
        judge.verdict(try adapter.answer(value.op, value.in), on: value)
    }

    /// Failures that are taken for one: of an operation, with the same outcome and the same class expected.
    private func kind(_ value: VectorCase, _ verdict: Verdict) -> String {
        "\(value.op) \(verdict.label) \(value.reject?.class ?? "")"
    }

    /// The smallest request found in the time that fails in the same way.
    private func shrink(
        _ adapter: inout some Implementation, _ value: VectorCase, _ verdict: Verdict,
        while goesOn: () -> Bool
    ) throws(Stop) -> (VectorCase, Verdict) {
        var best = (value, verdict)
        // Each request that hangs costs its whole time.
        var left = verdict.outcome == .timeout ? 20 : Fuzzer.attempts
        var hasShrunk = true
        while hasShrunk, left > 0 {
            hasShrunk = false
            for fields in Shrinking.smaller(best.0.in) {
                guard left > 0, goesOn() else { return best }
                let request = FreshRequest(op: value.op, fields: fields, req: value.req)
                guard let smaller = maker.expected(request, id: value.id) else { continue }
                left -= 1
                let found = try self.verdict(&adapter, smaller)
                guard kind(smaller, found) == kind(value, verdict) else { continue }
                best = (smaller, found)
                hasShrunk = true
                break
            }
        }
        return best
    }
}

/// Smaller requests.
enum Shrinking {
    /// Requests in which one field is shorter, or has zeros; the greatest steps first.
    static func smaller(_ fields: [String: String]) -> [[String: String]] {
        var requests: [[String: String]] = []
        for name in fields.keys.sorted() {
            guard let text = fields[name] else { continue }
            let pieces = text.contains(" ") ? words(text) : bytes(text)
            requests += pieces.map { piece in fields.merging([name: piece]) { $1 } }
        }
        return requests
    }

    /// The list without some of its words.
    private static func words(_ text: String) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        return cuts(words.count).map { cut in
            (words[..<cut.lowerBound] + words[cut.upperBound...]).joined(separator: " ")
        }
    }

    /// The hexadecimal text without some of its bytes, and with some of them zero.
    private static func bytes(_ text: String) -> [String] {
        guard text.utf8.count.isMultiple(of: 2), text.utf8.count > 2 else { return [] }
        let digits = Array(text.utf8)
        func string(_ digits: some Sequence<UInt8>) -> String {
            String(decoding: Array(digits), as: UTF8.self)
        }
        let cuts = cuts(digits.count / 2)
        let shorter = cuts.map { cut in
            string(digits[..<(2 * cut.lowerBound)] + digits[(2 * cut.upperBound)...])
        }
        let zeroed = cuts.compactMap { cut -> String? in
            let zeros = [UInt8](repeating: 48, count: 2 * cut.count)
            let range = 2 * cut.lowerBound..<2 * cut.upperBound
            return digits[range].elementsEqual(zeros)
                ? nil : string(digits[..<range.lowerBound] + zeros + digits[range.upperBound...])
        }
        return shorter + zeroed
    }

    /// Places to cut from a list: halves, quarters and so on, down to single elements of short ones.
    private static func cuts(_ count: Int) -> [Range<Int>] {
        var cuts: [Range<Int>] = []
        var size = count / 2
        while size > 0, cuts.count < 128 {
            for start in stride(from: 0, to: count, by: size) {
                cuts.append(start..<min(count, start + size))
            }
            size /= 2
        }
        return cuts
    }
}

/// A case as a line of a vector file.
enum VectorLine {
    static func text(_ value: VectorCase, _ verdict: Verdict) throws(Stop) -> String {
        var members = [
            ("id", try JSON.line(value.id)), ("op", try JSON.line(value.op)),
            ("in", try JSON.line(value.in)),
        ]
        if let out = value.out { members.append(("out", try JSON.line(out))) }
        if let reject = value.reject {
            members.append(
                ("reject", try JSON.line(["class": reject.class, "layer": reject.layer])))
        }
        if let why = value.twinless { members.append(("twinless", try JSON.line(why))) }
        members += [
            ("req", try JSON.line(value.req)), ("flags", "[]"),
            ("comment", try JSON.line("found by fuzz: \(verdict.label)")), ("source", "\"fuzz\""),
            ("added", "\"1.0\""),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
