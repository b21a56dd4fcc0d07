/// Lower-case hexadecimal, both ways.
public enum Hex {
    /// Two lower-case digits a byte.
    public static func string(_ bytes: some Sequence<UInt8>) -> String {
        // One concrete array: unspecialised code reads any other sequence ten times as slowly.
        let bytes = Array(bytes)
        var digits = [UInt8](repeating: 0, count: 2 * bytes.count)
        var at = 0
        for byte in bytes {
            digits[at] = Hex.digits[Int(byte >> 4)]
            digits[at + 1] = Hex.digits[Int(byte & 15)]
            at += 2
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes of an even number of digits in either case; `nil` for anything else.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(String(text).utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: digits.count / 2)
        for index in bytes.indices {
            let high = Hex.values[Int(digits[2 * index])]
            let low = Hex.values[Int(digits[2 * index + 1])]
            guard high | low < 16 else { return nil }
            bytes[index] = high << 4 | low
        }
        return bytes
    }

    /// Text if the bytes are printable UTF-8, else hexadecimal after `0x`.
    public static func readable(_ bytes: [UInt8]) -> String {
        let text = String(validating: bytes, as: UTF8.self)
        guard let text, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { return "0x" + string(bytes) }
        return text
    }

    /// The digits in order.
    private static let digits = Array("0123456789abcdef".utf8)

    /// What each byte stands for as a digit; 255 if it is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        for (value, digit) in "ABCDEF".utf8.enumerated() { values[Int(digit)] = UInt8(10 + value) }
        return values
    }()
}
