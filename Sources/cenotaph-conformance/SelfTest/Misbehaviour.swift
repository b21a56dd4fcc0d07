internal import CenotaphWire

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Adapters that a checker must not be taken in by: what the command `double NAME` does.
///
/// Each greets as it should.
enum Misbehaviour: String, CaseIterable {
    case acceptAll = "accept-all"
    case rejectAll = "reject-all"
    case echo
    /// Knows the files of the corpus by heart, and nothing else.
    case answerKey = "answer-key"
    case crashOnThird = "crash-on-third"
    case hang
    /// Writes to the standard output what is no answer.
    case chatter
    case wrongID = "wrong-id"
    /// Answers each request twice.
    case twice
    /// Fails by its own account, with the class that is expected of a rejection.
    case errors
    /// Gives a rejection and a result at once.
    case both
    /// Rejects what it should, with names that are no classes.
    case ownClasses = "own-classes"
    /// Claims the features that canaries need.
    case claimsAll = "claims-all"

    /// Whether it reads the files of the corpus, which takes a while.
    private var knowsCorpus: Bool { [.answerKey, .claimsAll, .errors].contains(self) }

    /// Answers the standard input until it ends.
    func serve(_ folder: String?) throws(Stop) {
        let corpus = knowsCorpus ? try Corpus.find(folder) : nil
        let canaries = corpus?.canaries ?? []
        var server = AdapterServer(
            implementation: Double(self, corpus?.members ?? []))
        var asked = 0
        while let line = readLine() {
            guard let reply = try server.reply(to: line) else { continue }
            if line.contains(#""op":"hello""#) {
                let features = canaries.flatMap { $0.value.requires ?? [] }
                let claim = "\"features\":\"\(Set(features).sorted().joined(separator: " "))\""
                Console.print(
                    self == .claimsAll
                        ? reply.replacing(#""features":"""#, with: claim) : reply)
                continue
            }
            asked += 1
            speak(reply, asked)
        }
    }

    private func speak(_ reply: String, _ asked: Int) {
        switch self {
        case .crashOnThird where asked == 3: exit(7)
        case .hang: while true { sleep(3_600) }
        case .chatter:
            Console.print("request \(asked)")
            Console.print(reply)
        case .wrongID: Console.print(reply.replacing(#""id":"q"#, with: #""id":"p"#))
        case .twice:
            Console.print(reply)
            Console.print(reply)
        case .both: Console.print(reply.dropLast() + #","error":"","reject":"range","ok":{}}"#)
        default: Console.print(reply)
        }
    }
}

/// What a misbehaving adapter takes its answers from.
private struct Double: Implementation {
    private struct Question: Hashable {
        let op: String
        let fields: [String: String]
    }

    let name: String
    private let kind: Misbehaviour
    private var key: [Question: Answer] = [:]
    private let library = BuiltIn()

    init(_ kind: Misbehaviour, _ members: [Corpus.Member]) {
        self.kind = kind
        name = kind.rawValue
        for value in members.map(\.value) {
            key[Question(op: value.op, fields: value.in)] =
                value.out.map { .accepted($0) } ?? .rejected(value.reject?.class ?? "")
        }
    }

    func answer(_ op: String, _ fields: [String: String]) -> Answer {
        switch kind {
        case .acceptAll: return .accepted([:])
        case .rejectAll: return .rejected("range")
        case .echo: return .accepted(fields)
        case .answerKey:
            return key[Question(op: op, fields: fields)] ?? .rejected("truncated")
        case .errors:
            guard case .rejected(let name, _)? = key[Question(op: op, fields: fields)] else {
                return .failed("none")
            }
            return .failed(name)
        case .ownClasses:
            let answer = library.answer(op, fields)
            guard case .rejected(let name, _) = answer else { return answer }
            return .rejected("E_\(name)")
        case .claimsAll, .crashOnThird, .hang, .chatter, .wrongID, .twice, .both:
            return library.answer(op, fields)
        }
    }
}
