internal import FoundationEssentials

/// The other side of adapter protocol 1: answers requests with an implementation until the input ends.
struct AdapterServer<Served: Implementation> {
    var implementation: Served

    private struct Reply: Encodable {
        let id: String
        var ok: [String: String]?
        var reject: String?
        var unsupported: String?
        var error: String?
    }

    /// The line that answers a request; `nil` for a line that is no request.
    mutating func reply(to line: String) throws(Stop) -> String? {
        let decoded = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        guard var fields = decoded, let id = fields.removeValue(forKey: "id"),
            let op = fields.removeValue(forKey: "op")
        else { return nil }
        var reply = Reply(id: id)
        if op == "hello" {
            reply.ok = [
                "protocol": "1", "name": implementation.name, "version": Version.text,
                "language": "swift", "features": "",
                "ops": BuiltIn.operations.keys.sorted().joined(separator: " "),
            ]
        } else {
            switch try implementation.answer(op, fields) {
            case .accepted(let out): reply.ok = out
            case .rejected(let name, _): reply.reject = name
            case .unsupported(let text): reply.unsupported = text
            case .failed(let text), .crashed(let text): reply.error = text
            case .timedOut: reply.error = "timeout"
            }
        }
        guard let data = try? JSONEncoder().encode(reply) else {
            throw Stop(code: .bug, message: "an answer cannot be written as JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
