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
        let sealed = try frameBytes(try arguments.take("HEX")[0])
        let header = try EnvelopeHeader(of: sealed)
        guard let keyPath = arguments.value("key") else {
            System.print(
                "a sealed frame of \(sealed.count) bytes; without its key, this is all there is to see"
            )
            ByteDump(envelope: sealed).lines().forEach(System.print)
            return .done
        }
        let plain = try Envelope.open(sealed, with: try FleetKeyFile.load(keyPath))
        System.print(
            "sealed under key \(header.keyID), \(sealed.count) bytes; inside, \(plain.count) bytes:"
        )
        do throws(WireError) {
            _ = try Frame.decode(plain)
            ByteDump(frame: plain).lines().forEach(System.print)
            return .done
        } catch {
            ByteDump(frame: plain).lines(verdict: error).forEach(System.print)
            return .rejected
        }
    }

    /// The bytes that hexadecimal digits spell, white space between them left out.
    private static func frameBytes(_ word: String) throws -> [UInt8] {
        let text =
            word == "-"
            ? String(
                decoding: try File.read("/dev/stdin", atMost: 4 * Limits.maxSealed), as: UTF8.self)
            : word
        guard let bytes = Hex.bytes(text.filter { !$0.isWhitespace }) else {
            throw Failure(.usage, "not hexadecimal")
        }
        return bytes
    }
}
