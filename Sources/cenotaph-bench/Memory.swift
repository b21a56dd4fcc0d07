import Glibc

/// The most memory that this program ever had resident, in bytes.
///
/// Not from `getrusage`, which also counts what the process was before it became this program.
func peakMemory() -> Double {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return .infinity }
    defer { unsafe _ = fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("VmHWM:") else { continue }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count > 1 ? (Double(words[1]) ?? .infinity) * 1_024 : .infinity
    }
    return .infinity
}
