/// Which cases a run takes.
struct Selection {
    /// Patterns over id, operation and requirement; none takes all.
    var only: [String] = []
    /// Patterns of what is left out.
    var skip: [String] = []
    /// The numbers of the sections, such as `05`, of which a case tests a sentence; none takes all.
    var sections: [String] = []
    /// The files of a level, or all.
    var files: Set<String>?

    func takes(_ member: Corpus.Member, _ specification: Specification) -> Bool {
        let value = member.value
        if let files, !files.contains(member.file) { return false }
        let names = [value.id, value.op] + value.req
        if !only.isEmpty, !Selection.matches(only, names) { return false }
        if Selection.matches(skip, names) { return false }
        return sections.isEmpty
            || value.req.contains { id in
                specification.sections[id].map(sections.contains) ?? false
            }
    }

    private static func matches(_ patterns: [String], _ names: [String]) -> Bool {
        patterns.contains { pattern in names.contains { Glob.matches(pattern[...], $0[...]) } }
    }

    /// The patterns of an option: separated by commas; `@FILE` stands for the lines of a file, where `#` begins a comment.
    static func patterns(_ text: String?) throws(Stop) -> [String] {
        var patterns: [String] = []
        for word in (text ?? "").split(separator: ",") {
            guard word.hasPrefix("@") else {
                patterns.append(String(word))
                continue
            }
            guard let bytes = Folder.bytes(String(word.dropFirst())) else {
                throw .usage("cannot read \(word.dropFirst())")
            }
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                let words = line.prefix { $0 != "#" }.split(separator: " ")
                patterns += words.map(String.init)
            }
        }
        if text != nil, patterns.isEmpty { throw .usage("a list of patterns is empty") }
        return patterns
    }
}

/// Patterns in which `*` stands for any text and `?` for one character.
enum Glob {
    static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        var pattern = pattern
        var text = text
        var retry: (pattern: Substring, text: Substring)?
        while !text.isEmpty {
            if pattern.first == "*" {
                retry = (pattern.dropFirst(), text)
                pattern = pattern.dropFirst()
            } else if pattern.first == "?" || (pattern.first != nil && pattern.first == text.first)
            {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let last = retry {
                pattern = last.pattern
                text = last.text.dropFirst()
                retry = (pattern, text)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}
