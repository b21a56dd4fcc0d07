/// What the command line says: flags, options with values, and the rest.
struct Arguments {
    private(set) var positional: [String] = []
    private(set) var adapter: [String] = []
    private var flags: Set<String> = []
    private var options: [String: String] = [:]

    /// Takes what follows the command's name.
    ///
    /// Flags and options that the command does not have are refused.
    init(_ words: [String], flags known: Set<String> = [], options named: Set<String> = [])
        throws(Stop)
    {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                adapter = Array(rest)
                guard !adapter.isEmpty else { throw .usage("nothing stands after --") }
                return
            }
            guard word.hasPrefix("--") else {
                positional.append(word)
                continue
            }
            let halves = word.split(separator: "=", maxSplits: 1).map(String.init)
            if named.contains(halves[0]) {
                guard let value = halves.count == 2 ? halves[1] : rest.popFirst() else {
                    throw .usage("\(word) needs a value")
                }
                options[halves[0]] = value
            } else if known.contains(word) {
                flags.insert(word)
            } else {
                throw .usage("no such option: \(word)")
            }
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { options[option] }

    /// The only word left, or none.
    func single(_ what: String) throws(Stop) -> String {
        guard positional.count == 1, adapter.isEmpty else { throw .usage("give one \(what)") }
        return positional[0]
    }

    /// Refuses words that the command does not take.
    func expectNoMore(adapter allowed: Bool = false) throws(Stop) {
        if let word = positional.first { throw .usage("what is \(word) for?") }
        guard allowed || adapter.isEmpty else { throw .usage("this command takes no adapter") }
    }
}
