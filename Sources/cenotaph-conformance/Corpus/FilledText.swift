/// A hexadecimal value, or a text, whose long runs of one byte a vector file may spell as parts (Spec 11, "Shape of a vector file").
struct FilledText: Decodable {
    /// Runs in one value are no longer than this many bytes together, so that a broken file cannot fill the memory.
    private static let limit = 16 << 20

    /// The value in one piece.
    let text: String

    private struct Fill: Decodable {
        let fill: String
        let n: Int

        /// All of it, made by doubling.
        var text: Substring {
            var text = fill
            while text.utf8.count < 2 * n { text += text }
            return Substring(text.utf8.prefix(2 * n))
        }
    }

    private enum Part: Decodable {
        case hex(String)
        case run(Fill)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let hex = try? container.decode(String.self) {
                self = .hex(hex)
            } else {
                self = .run(try container.decode(Fill.self))
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
            return
        }
        var text = ""
        var filled = 0
        for part in try container.decode([Part].self) {
            switch part {
            case .hex(let hex): text += hex
            case .run(let run):
                guard run.n >= 1, run.n <= FilledText.limit - filled, run.fill.utf8.count == 2
                else {
                    throw DecodingError.dataCorruptedError(
                        in: container, debugDescription: "a run is one byte, 1 to 16 Mi times")
                }
                filled += run.n
                text += run.text
            }
        }
        self.text = text
    }
}

extension KeyedDecodingContainer {
    /// The values of a field that holds texts by name, each in one piece.
    func texts(_ key: Key) throws -> [String: String] {
        try decode([String: FilledText].self, forKey: key).mapValues(\.text)
    }
}
