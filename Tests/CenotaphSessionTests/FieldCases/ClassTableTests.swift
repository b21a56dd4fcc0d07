import Foundation
import Testing

/// Each class of fault has three cases of our own at least, beside the twenty that were found in the wild.
///
/// A case is a test whose name begins with its class and a number, in a folder `FieldCases` of any test target.
@Suite struct ClassTableTests {
    /// The classes, and the names of the cases from the wild that this version can have.
    private static let classes = "ADGSUCROMTKIBPEN"
    private static let cases = [
        1, 8, 17, 20, 28, 33, 35, 37, 40, 49, 56, 64, 70, 72, 81, 87, 90, 100, 109, 117,
    ]

    /// The names of all tests in folders `FieldCases`.
    private func names() throws -> [String] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        return try paths.filter { $0.contains("/FieldCases/") && $0.hasSuffix(".swift") }
            .flatMap { path in
                try String(contentsOf: tests.appending(path: path), encoding: .utf8)
                    .split(separator: "func ").dropFirst()
                    .map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
            }
    }

    @Test func everyClassHasThreeCasesOfOurOwn() throws {
        let names = try names()
        for letter in ClassTableTests.classes {
            let own = names.filter { name in
                name.first == letter && name.dropFirst().first?.isNumber == true
            }
            #expect(own.count >= 3, "class \(letter): \(own)")
            #expect(Set(own).count == own.count, "class \(letter): \(own)")
        }
    }

    @Test func everyCaseFromTheWildIsThere() throws {
        let names = try names()
        for number in ClassTableTests.cases {
            let prefix = number < 10 ? "b0\(number)_" : "b\(number)_"
            #expect(names.contains { $0.hasPrefix(prefix) }, "B\(number)")
        }
    }
}
