/// A hexadecimal value, or a text, whose long runs of one byte a vector file may spell as parts (Spec 11, "Shape of a vector file").
struct FilledText: Decodable {
    /// Runs in one value are no longer than this many bytes together, so that a broken file cannot fill the memory.
    private static let limit = 16 << 20

    /// The value in one piece.
    let text: String

    private struct Fill: Decodable {
        let fill: String
        let n: Int
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
        var text: [UInt8] = []
        var filled = 0
        for part in try container.decode([Part].self) {
            switch part {
            case .hex(let hex): text += hex.utf8
            case .run(let run):
                guard run.n >= 1, run.n <= FilledText.limit - filled, run.fill.utf8.count == 2
                else {
                    throw DecodingError.dataCorruptedError(
                        in: container, debugDescription: "a run is one byte, 1 to 16 Mi times")
                }
                filled += run.n
                let digits = Array(run.fill.utf8)
                text.reserveCapacity(text.count + 2 * run.n)
                for _ in 0..<run.n { text += digits }
            }
        }
        self.text = String(decoding: text, as: UTF8.self)
    }
}

extension KeyedDecodingContainer {
    /// The values of a field that holds texts by name, each in one piece.
    func texts(_ key: Key) throws -> [String: String] {
        try decode([String: FilledText].self, forKey: key).mapValues(\.text)
    }
}
