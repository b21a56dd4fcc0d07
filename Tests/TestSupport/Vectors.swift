public import FoundationEssentials

/// The golden vectors of `TestVectors/v1`, as tests need them.
public enum Vectors {
    /// One case, without what only the checker looks at.
    public struct Case: Decodable, Sendable {
        /// What is expected of a rejection.
        public struct Rejection: Decodable, Sendable {
            /// The class of Spec 09.
            public let `class`: String
        }

        /// The name of the case.
        public let id: String
        /// The operation of Spec 11.
        public let op: String
        /// What the operation is given.
        public let `in`: [String: String]
        /// What an accepted case gives.
        public let out: [String: String]?
        /// How a rejected case ends.
        public let reject: Rejection?

        /// A field of the input, read as hexadecimal.
        public func bytes(_ field: String) -> [UInt8] { Vectors.bytes(`in`[field] ?? "") }
    }

    private struct File: Decodable {
        let cases: [Entry]
    }

    /// A case; nothing where its input has runs that the file spells as parts (Spec 11).
    ///
    /// Those are about a megabyte long. Tests that try each byte leave them to the checker's run.
    private struct Entry: Decodable {
        private enum Key: CodingKey { case `in` }

        let value: Case?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let isPlain = (try? container.decode([String: String].self, forKey: .in)) != nil
            value = isPlain ? try Case(from: decoder) : nil
        }
    }

    /// The root of the package, found from this source file.
    public static let root = String(
        #filePath.dropLast("/Tests/TestSupport/Vectors.swift".utf8.count))

    /// Every case of every file, but for those that hold parts.
    public static let all: [Case] = {
        let folder = "\(root)/TestVectors/v1"
        var cases: [Case] = []
        for name in ["primitives", "frame", "leaf", "digest", "seal", "merge"] {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name).json"),
                let file = try? JSONDecoder().decode(File.self, from: data)
            else { preconditionFailure("\(folder)/\(name).json is not there or not a vector file") }
            cases += file.cases.compactMap(\.value)
        }
        return cases
    }()

    /// The cases of one operation.
    public static func cases(_ op: String) -> [Case] { all.filter { $0.op == op } }

    /// The accepted frames of described kinds.
    public static let goldenFrames = cases("frame.decode").filter {
        $0.out != nil && $0.out?["kind"] != "skip"
    }

    /// A file of the repository.
    public static func file(_ path: String) -> Data? {
        FileManager.default.contents(atPath: "\(root)/\(path)")
    }

    /// The bytes of a hexadecimal text in lower case; anything else stops the test.
    public static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { digit -> UInt8 in
            switch digit {
            case 48...57: digit - 48
            case 97...102: digit - 87
            default: preconditionFailure("not lower-case hexadecimal")
            }
        }
        precondition(digits.count.isMultiple(of: 2), "half a byte")
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
