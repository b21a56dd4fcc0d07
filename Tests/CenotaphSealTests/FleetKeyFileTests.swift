import CenotaphSeal
import CenotaphWire
import FoundationEssentials
import TestSupport
import Testing

/// The fleet key file (Spec 05).
@Suite struct FleetKeyFileTests {
    static let fleet = "fleet 00112233445566778899aabbccddeeff"
    static let digest = "digest 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    static let seal = "seal 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
    static let heading = "cenotaph-fleet 1"

    static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// A path in a folder of its own that is removed afterwards.
    static func withFolder(_ body: (String) throws -> Void) throws {
        var random = SystemRandomNumberGenerator()
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.path + "/keys-\(ID16.random(using: &random))"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        try body(folder)
    }

    static func write(_ text: String, _ path: String, permissions: Int = 0o600) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw KeyFileError.failed(errno: 0)
        }
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    static func load(_ text: String) throws -> KeyFileError? {
        var outcome: KeyFileError?
        try withFolder { folder in
            try write(text, "\(folder)/keys")
            do throws(KeyFileError) {
                _ = try FleetKeyFile.load("\(folder)/keys")
            } catch {
                outcome = error
            }
        }
        return outcome
    }

    @Test func theExampleOfTheTextIsReadAndWrittenBackAsItWas() throws {
        let text = Self.lines([Self.heading, Self.fleet, Self.digest, Self.seal])
        try Self.withFolder { folder in
            try Self.write(text, "\(folder)/a")
            let keys = try FleetKeyFile.load("\(folder)/a")
            #expect("\(keys.fleet)" == "00112233445566778899aabbccddeeff")
            try FleetKeyFile.save(keys, to: "\(folder)/b")
            #expect(FileManager.default.contents(atPath: "\(folder)/b") == Data(text.utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/b")
            let permissions = attributes[.posixPermissions] as? Int
            #expect(permissions.map { $0 & 0o777 } == 0o600)
        }
    }

    @Test func generatedKeysComeBack() throws {
        let keys = FleetKeys.generate()
        try Self.withFolder { folder in
            try FleetKeyFile.save(keys, to: "\(folder)/keys")
            let again = try FleetKeyFile.load("\(folder)/keys")
            #expect(again.fleet == keys.fleet)
            #expect(again.sealKeys.map(\.id) == keys.sealKeys.map(\.id))
            #expect(again.digestHash([1, 2, 3]) == keys.digestHash([1, 2, 3]))
            let sealed = try Envelope.seal(Raw(bytes: [5]), with: again)
            #expect(try Envelope.open(sealed, with: keys) == [5])
            #expect(throws: KeyFileError.exists) {
                try FleetKeyFile.save(keys, to: "\(folder)/keys")
            }
        }
    }

    @Test func severalSealKeysKeepTheirOrder() throws {
        let keys = try Samples.keys(96, 32, 160)
        try Self.withFolder { folder in
            try FleetKeyFile.save(keys, to: "\(folder)/keys")
            let again = try FleetKeyFile.load("\(folder)/keys")
            #expect(again.sealKeys.map(\.id) == keys.sealKeys.map(\.id))
        }
    }

    @Test func aFileThatOthersMayReadIsRefused() throws {
        let text = Self.lines([Self.heading, Self.fleet, Self.digest, Self.seal])
        for permissions in [0o644, 0o640, 0o604, 0o620, 0o602, 0o660, 0o666] {
            try Self.withFolder { folder in
                try Self.write(text, "\(folder)/keys", permissions: permissions)
                #expect(throws: KeyFileError.openToOthers) {
                    try FleetKeyFile.load("\(folder)/keys")
                }
            }
        }
        for permissions in [0o600, 0o400, 0o700] {
            try Self.withFolder { folder in
                try Self.write(text, "\(folder)/keys", permissions: permissions)
                #expect(throws: Never.self) { _ = try FleetKeyFile.load("\(folder)/keys") }
            }
        }
    }

    @Test func aFileThatIsNotThereIsNotFound() throws {
        try Self.withFolder { folder in
            #expect(throws: KeyFileError.notFound) { try FleetKeyFile.load("\(folder)/none") }
        }
    }

    @Test func malformedTextsAreRefused() throws {
        let good = [Self.heading, Self.fleet, Self.digest, Self.seal]
        var texts = [
            "", "\n", Self.lines(Array(good.dropLast())), String(Self.lines(good).dropLast()),
            Self.lines(good) + "\n", "\n" + Self.lines(good), Self.lines(good.reversed()),
            Self.lines(good).replacing("\n", with: "\r\n"), Self.lines(good).uppercased(),
            Self.lines(["cenotaph-fleet 2"] + good.dropFirst()), "\u{feff}" + Self.lines(good),
            Self.lines([good[0], good[2], good[1], good[3]]), Self.lines(good + ["# note"]),
            Self.lines(good + [Self.seal.replacing("seal 20", with: "seal  20")]),
            Self.lines(good) + String(repeating: "0", count: 9_000) + "\n",
        ]
        for index in good.indices {
            var shorter = good
            shorter[index].removeLast()
            var longer = good
            longer[index] += "0"
            var spaced = good
            spaced[index] += " "
            var odd = good
            odd[index] = String(odd[index].dropLast()) + "g"
            var capital = good
            capital[index] = String(capital[index].dropLast()) + "F"
            texts += [shorter, longer, spaced, odd, capital].map(Self.lines)
        }
        let many = (0..<65).map { number in
            let digits = String(number, radix: 16)
            return "seal " + String(repeating: "0", count: 64 - digits.count) + digits
        }
        texts.append(Self.lines(good.dropLast() + many))
        for text in texts {
            guard case .malformed = try Self.load(text) else {
                Issue.record("taken: \(text.debugDescription)")
                continue
            }
        }
        #expect(try Self.load(Self.lines(good)) == nil)
        #expect(try Self.load(Self.lines(good.dropLast() + many.dropLast())) == nil)
    }

    @Test func everyChangedByteIsRefusedOrGivesOtherKeys() throws {
        let text = Array(Self.lines([Self.heading, Self.fleet, Self.digest, Self.seal]).utf8)
        let manager = FileManager.default
        try Self.withFolder { folder in
            for index in text.indices {
                for bit: UInt8 in [1, 0x20, 0x80] {
                    var changed = text
                    changed[index] ^= bit
                    let attributes = [FileAttributeKey.posixPermissions: 0o600]
                    guard
                        manager.createFile(
                            atPath: "\(folder)/a", contents: Data(changed), attributes: attributes)
                    else { throw KeyFileError.failed(errno: 0) }
                    guard let keys = try? FleetKeyFile.load("\(folder)/a") else { continue }
                    try FleetKeyFile.save(keys, to: "\(folder)/b")
                    let written = manager.contents(atPath: "\(folder)/b")
                    if written != Data(changed) { Issue.record("byte \(index): a second spelling") }
                    try manager.removeItem(atPath: "\(folder)/b")
                }
            }
        }
    }

    @Test func twoSealKeysOfOneIDAreRefused() throws {
        let text = Self.lines([Self.heading, Self.fleet, Self.digest, Self.seal, Self.seal])
        #expect(try Self.load(text) == .malformed(WireError(.duplicate, .keyIDsDiffer)))
        #expect(throws: WireError(.duplicate, .keyIDsDiffer)) { try Samples.keys(1, 1) }
        #expect(throws: WireError(.range, .keyFileForm)) { try Samples.keys() }
    }
}
