internal import CenotaphWire
internal import FoundationEssentials

/// An implementation in another process that speaks adapter protocol 1: one JSON object a line, every value a string.
struct Adapter: Implementation {
    /// Crashes and timeouts in a row after which the run ends.
    static let patience = 5

    private(set) var name: String
    private(set) var greeting: [String: String] = [:]
    /// The adapter's own names of classes, and the classes of 09 that they stand for.
    private var aliases: [String: String] = [:]
    /// Whether requests and answers are shown on the standard error.
    var isTraced = false
    private let command: [String]
    private let spec: String
    private let timeout: Duration
    private let link: Link
    private var mishaps = 0

    /// The running child, if there is one.
    ///
    /// A class, so that the adapter stays copyable.
    private final class Link {
        var child: ChildProcess?
        init() { child = nil }
    }

    private struct Reply: Decodable {
        let id: String
        let ok: [String: String]?
        let reject: String?
        let unsupported: String?
        let error: String?
    }

    /// Starts the command and greets it.
    init(_ command: [String], spec: String, timeout: Duration) throws(Stop) {
        self.command = command
        self.spec = spec
        self.timeout = timeout
        name = command.joined(separator: " ")
        link = Link()
        try start()
    }

    private mutating func start() throws(Stop) {
        link.child = ChildProcess(command)
        guard link.child != nil else {
            throw Stop(code: .adapter, message: "cannot start \(command[0])")
        }
        let fields = ["op": "hello", "protocol": "1", "spec": spec]
        switch try exchange(fields) {
        case .accepted(let hello):
            guard hello["protocol"] == "1" else {
                throw Stop(code: .adapter, message: "the adapter does not speak protocol 1")
            }
            greeting = hello
            aliases = try Adapter.aliases(hello["aliases"] ?? "")
            let parts = ["name", "version", "language"].compactMap { hello[$0] }
            if !parts.isEmpty { name = parts.joined(separator: " ") }
        case .timedOut: throw Stop(code: .adapter, message: "the adapter does not answer hello")
        default: throw Stop(code: .adapter, message: "the adapter's answer to hello is no greeting")
        }
    }

    /// Pairs `OWN=CLASS`, separated by spaces.
    ///
    /// A class of 09 keeps its meaning, and an own name has one.
    private static func aliases(_ text: String) throws(Stop) -> [String: String] {
        var aliases: [String: String] = [:]
        for pair in text.split(separator: " ") {
            let halves = pair.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            guard halves.count == 2, Judge.layer(of: halves[0]) == nil,
                Judge.layer(of: halves[1]) != nil,
                aliases.updateValue(halves[1], forKey: halves[0]) == nil
            else { throw Stop(code: .adapter, message: "the alias \(pair) makes no sense") }
        }
        return aliases
    }

    mutating func answer(_ op: String, _ fields: [String: String]) throws(Stop) -> Answer {
        if link.child == nil {
            do throws(Stop) {
                try start()
            } catch {
                guard error.code == .adapter else { throw error }
                link.child = nil
                mishaps += 1
                return .crashed("it does not start again: \(error.message)")
            }
        }
        var request = fields
        request["op"] = op
        let answer = try exchange(request)
        switch answer {
        case .crashed, .timedOut:
            link.child = nil
            mishaps += 1
        case .rejected(let own, let note):
            mishaps = 0
            if let name = aliases[own] {
                return .rejected(name, note: "the adapter said \(own)\(note)")
            }
        default: mishaps = 0
        }
        return answer
    }

    /// Whether so many cases in a row crashed or timed out that the run should end.
    var isHopeless: Bool { mishaps >= Adapter.patience }

    private func exchange(_ fields: [String: String]) throws(Stop) -> Answer {
        var generator = SystemRandomNumberGenerator()
        let id = "q\(ID16.random(using: &generator))"
        var request = fields
        request["id"] = id
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(request) else {
            throw Stop(code: .bug, message: "a request cannot be written as JSON")
        }
        if isTraced { Console.complain("> \(String(decoding: line, as: UTF8.self))") }
        let deadline = ContinuousClock.now + timeout
        guard link.child?.send(String(decoding: line, as: UTF8.self), until: deadline) ?? false
        else { return ContinuousClock.now < deadline ? .crashed("it does not read") : .timedOut }
        switch link.child?.receive(until: deadline) ?? .ended {
        case .ended: return .crashed("it ended")
        case .timedOut: return .timedOut
        case .line(let line):
            if isTraced { Console.complain("< \(String(decoding: line, as: UTF8.self))") }
            return Adapter.answer(line, to: id)
        }
    }

    private static func answer(_ line: [UInt8], to id: String) -> Answer {
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(line)) else {
            let start = String(decoding: line.prefix(80), as: UTF8.self)
            return .crashed("a line that is no answer: \(start)")
        }
        guard reply.id == id else { return .crashed("the answer to another request") }
        switch (reply.ok, reply.reject, reply.unsupported, reply.error) {
        case (let out?, nil, nil, nil): return .accepted(out)
        case (nil, let name?, nil, nil): return .rejected(name)
        case (nil, nil, let text?, nil): return .unsupported(text)
        case (nil, nil, nil, let text?): return .failed(text)
        default: return .crashed("an answer that is not one of ok, reject, unsupported, error")
        }
    }
}
