import Cenotaph

extension Command {
    static let inspect = Command(
        name: "inspect", usage: "inspect HEX|- [--key KEYFILE]",
        summary: """
            Explain the bytes of a sealed frame

            With the key file of its fleet: every field of the frame, with its offset. Without it:
            what an outsider sees. - reads the hexadecimal from standard input.
            """,
        options: ["key"]
    ) { arguments in
        let word = try arguments.take("HEX")[0]
        let text =
            word == "-"
            ? String(
                decoding: try File.read("/dev/stdin", atMost: 3 * Limits.maxSealed), as: UTF8.self)
            : word
        guard let bytes = Hex.bytes(text.filter { !$0.isWhitespace }) else {
            throw Failure(.usage, "not hexadecimal")
        }
        _ = bytes
        return .done
    }

}
