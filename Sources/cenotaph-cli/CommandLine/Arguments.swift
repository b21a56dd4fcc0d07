/// The words after the command: options by name, the rest in order.
struct Arguments {
    /// The words that are no options.
    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// Sorts the words.
    ///
    /// `--` ends the options.
    /// - Throws: `usage` for an option that the command does not have or that lacks its value.
    init(_ all: [String], options: Set<String>, flags known: Set<String>) throws {
        var rest = all[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
            let name = parts.first.map(String.init) ?? ""
            if known.contains(name), parts.count == 1 {
                flags.insert(name)
            } else if options.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw Failure(.usage, "--\(name) takes a value")
                }
                values[name, default: []].append(value)
            } else {
                throw Failure(.usage, "no such option: \(word)")
            }
        }
    }

    /// Whether the flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The last value of an option, or `nil`.
    func value(_ option: String) -> String? { values[option]?.last }

    /// All values of an option.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// A whole number of at least `least`.
    /// - Throws: `usage` for another value.
    func number(_ option: String, default fallback: Int, least: Int) throws -> Int {
        guard let text = value(option) else { return fallback }
        guard let number = Int(text), number >= least else {
            throw Failure(.usage, "--\(option) takes a whole number, \(least) or more")
        }
        return number
    }

    /// Exactly as many words as there are names.
    /// - Throws: `usage` otherwise.
    func take(_ names: String...) throws -> [String] {
        guard words.count == names.count else {
            throw Failure(
                .usage, "expected: " + (names.isEmpty ? "no words" : names.joined(separator: " ")))
        }
        return words
    }
}
