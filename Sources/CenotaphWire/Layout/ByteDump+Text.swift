extension ByteDump {
    /// The dump as lines of offset, hexadecimal and `path = value`; a long field shows its first bytes and its length.
    ///
    /// `verdict` is what the decoder says of the bytes; it is shown before the first field that ends beyond its
    /// offset. Without it the dump's own end is shown.
    public func lines(verdict: WireError? = nil) -> [String] {
        let shown = verdict ?? error
        var lines: [String] = []
        var isPending = shown != nil
        let width = min(entries.map(\.path.count).max() ?? 0, ByteDump.pathWidth)
        for entry in entries {
            if isPending, let shown, shown.offset < entry.offset + entry.length {
                lines.append(ByteDump.mark(shown))
                isPending = false
            }
            let path = ByteDump.padded(entry.path, width)
            lines.append(
                "\(ByteDump.offset(entry.offset))  \(ByteDump.padded(hex(of: entry), ByteDump.hexWidth))"
                    + "  \(path) = \(ByteDump.shortened(entry.value))")
        }
        if consumed < bytes.count {
            let rest = Entry(
                offset: consumed, length: bytes.count - consumed, path: "", type: "", value: "")
            if isPending, let shown, shown.offset <= consumed {
                lines.append(ByteDump.mark(shown))
                isPending = false
            }
            lines.append(
                "\(ByteDump.offset(consumed))  \(ByteDump.padded(hex(of: rest), ByteDump.hexWidth))"
                    + "  \(rest.length) bytes not read\(verdict == nil ? "" : stopped)")
        }
        if isPending, let shown { lines.append(ByteDump.mark(shown)) }
        return lines
    }

    private var stopped: String { error.map { ": \($0)" } ?? "" }

    private static let hexBytes = 16
    private static let hexWidth = 2 * hexBytes
    private static let pathWidth = 32
    private static let valueWidth = 100

    private func hex(of entry: Entry) -> String {
        guard entry.length > ByteDump.hexBytes else {
            return Hex.string(bytes[entry.offset..<entry.offset + entry.length])
        }
        let kept = ByteDump.hexBytes - 2
        return Hex.string(bytes[entry.offset..<entry.offset + kept]) + "..."
    }

    private static func mark(_ error: WireError) -> String {
        "\(offset(error.offset))  ^^ \(error.errorClass.name) [\(error.rule.rawValue)]"
    }

    private static func offset(_ offset: Int) -> String {
        let text = "\(offset)"
        return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func shortened(_ text: String) -> String {
        text.count <= valueWidth ? text : "\(text.prefix(valueWidth))... (\(text.count) characters)"
    }
}
