/// The normative sentences of `Spec/*.md`, by their ids.
struct Specification {
    /// The text of each sentence that has an id.
    private(set) var sentences: [String: String] = [:]
    /// The number of the section, such as `05`, that holds each sentence.
    private(set) var sections: [String: String] = [:]
    /// The ids that `untestable.md` names, with every id that its ranges span.
    private(set) var untestable: Set<String> = []

    /// Reads a folder; one that is not there holds no sentence.
    init(_ folder: String) {
        for name in Folder.names(folder) where name.hasSuffix(".md") {
            guard let bytes = Folder.bytes("\(folder)/\(name)") else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            if name == "untestable.md" {
                readUntestable(text)
            } else {
                let known = Set(sentences.keys)
                Specification.blocks(of: text).forEach { readBlock($0) }
                for id in sentences.keys where !known.contains(id) {
                    sections[id] = String(name.prefix(2))
                }
            }
        }
    }

    /// Whether anything was read.
    var isEmpty: Bool { sentences.isEmpty }

    /// Paragraphs, list items and table rows, each as one line.
    private static func blocks(of text: String) -> [String] {
        var blocks: [String] = []
        var current = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            let begins = ["* ", "|", "#"].contains { trimmed.hasPrefix($0) } || trimmed.isEmpty
            if begins || isNumbered(trimmed) || current.hasPrefix("#") {
                blocks.append(current)
                current = String(trimmed)
            } else {
                current += current.isEmpty ? String(trimmed) : " " + trimmed
            }
        }
        return blocks + [current]
    }

    private static func isNumbered(_ line: Substring) -> Bool {
        let digits = line.prefix { $0.isNumber }
        return !digits.isEmpty && line.dropFirst(digits.count).hasPrefix(". ")
    }

    private mutating func readBlock(_ block: String) {
        var sentence = ""
        var rest = block[...]
        while let open = rest.firstIndex(of: "[") {
            sentence += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "]"), Specification.isID(rest[..<close]) else {
                sentence += "["
                continue
            }
            // The mark of a list item or of a table's cell is no part; a bold word begins with two stars.
            var text = sentence.drop { " |.".contains($0) }
            if text.hasPrefix("* ") { text = text.dropFirst(2) }
            sentences[String(rest[..<close])] = String(
                text.reversed().drop { $0 == " " }.reversed())
            sentence = ""
            rest = rest[rest.index(after: close)...]
        }
    }

    private mutating func readUntestable(_ text: String) {
        let words = text.split { " ,|\n".contains($0) }
        for (index, word) in words.enumerated() where Specification.isID(word) {
            untestable.insert(String(word))
            guard index >= 2, words[index - 1] == "to", Specification.isID(words[index - 2]),
                let from = Int(words[index - 2].suffix(3)), let to = Int(word.suffix(3)), from < to
            else { continue }
            for number in from...to {
                let digits = String(number)
                let zeros = String(repeating: "0", count: 3 - min(3, digits.count))
                untestable.insert(word.dropLast(3) + zeros + digits)
            }
        }
    }

    /// Whether the text is an id such as `WIRE-014`.
    static func isID(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 3, !parts[0].isEmpty else { return false }
        return parts[0].utf8.allSatisfy { (65...90).contains($0) }
            && parts[1].utf8.allSatisfy { (48...57).contains($0) }
    }
}
