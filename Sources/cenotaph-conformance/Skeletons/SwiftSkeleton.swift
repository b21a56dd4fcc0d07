extension Skeleton {
    /// An adapter in Swift.
    static let swift = Skeleton(
        name: "swift", build: "swiftc -O adapter.swift -o adapter", command: "./adapter",
        files: [
            (
                "adapter.swift",
                ##"""
                // An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line.
                import Foundation

                /// The input is no value; the name is a class of Spec/09-errors.md.
                struct Reject: Error {
                    let name: String
                    init(_ name: String) { self.name = name }
                }

                /// The request makes no sense.
                struct Failure: Error {
                    let text: String
                    init(_ text: String) { self.text = text }
                }

                typealias Fields = [String: String]

                func bytes(_ fields: Fields, _ name: String) throws -> [UInt8] {
                    let digits = Array((fields[name] ?? "").utf8)
                    guard digits.count.isMultiple(of: 2) else { throw Failure("half a byte in \(name)") }
                    let values = try digits.map { digit -> UInt8 in
                        switch digit {
                        case 48...57: return digit - 48
                        case 97...102: return digit - 87
                        default: throw Failure("\(name) is not lower-case hexadecimal")
                        }
                    }
                    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
                }

                /// Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end.
                func uvarintDecode(_ fields: Fields) throws -> Fields {
                    let data = try bytes(fields, "bytes")
                    var value: UInt64 = 0
                    for (place, byte) in data.enumerated() {
                        if place == 9, byte > 1 { throw Reject("range") }
                        value |= UInt64(byte & 0x7f) << UInt64(7 * place)
                        if byte < 0x80 {
                            if byte == 0, place > 0 { throw Reject("noncanonical") }
                            if place + 1 < data.count { throw Reject("trailing") }
                            return ["value": "\(value)"]
                        }
                    }
                    throw Reject("truncated")
                }

                let ops: [String: (Fields) throws -> Fields] = ["uvarint.decode": uvarintDecode]
                let hello = [
                    "protocol": "1", "name": "skeleton", "version": "0.1", "language": "swift",
                    "ops": ops.keys.joined(separator: " "), "features": "",
                ]

                func answer(_ request: Fields) -> (String, Any) {
                    let op = request["op"] ?? ""
                    if op == "hello" { return ("ok", hello) }
                    guard let operation = ops[op] else { return ("unsupported", "no operation \(op)") }
                    do {
                        return ("ok", try operation(request))
                    } catch let rejection as Reject {
                        return ("reject", rejection.name)
                    } catch {
                        return ("error", "\(error)")
                    }
                }

                while let line = readLine() {
                    guard let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Fields else { exit(1) }
                    let (member, value) = answer(request)
                    let reply: [String: Any] = ["id": request["id"] ?? "", member: value]
                    FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: reply) + Data([10]))
                }

                """##
            )
        ])
}
