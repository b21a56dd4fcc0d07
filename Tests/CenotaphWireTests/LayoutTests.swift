import CenotaphWire
import FoundationEssentials
import TestSupport
import Testing

/// The tables of `Layout` against `Spec/layout.json`, and the dump against the vectors.
@Suite struct LayoutTests {
    @Test func theTablesEqualLayoutJSON() throws {
        let data = try #require(Vectors.file("Spec/layout.json"))
        let file = try JSONDecoder().decode(LayoutFile.self, from: data)
        #expect(Layout.header == file.header)
        #expect(Layout.envelope == file.envelope)
        #expect(Set(Layout.structs.keys) == Set(file.structs.keys))
        for (name, fields) in file.structs where Layout.structs[name] != fields {
            // The text limits the part to 1,023 (Spec 03); a file that does not yet say so is known.
            let isKnown =
                name == "rowsBody" && Layout.structs[name] == LayoutTests.partLimited(fields)
            withKnownIssue("layout.json has an older limit of the part") {
                Issue.record("struct \(name): \(Layout.structs[name] as Any) is not \(fields)")
            } when: {
                isKnown
            }
        }
        #expect(Set(Layout.kinds.keys.map { "\($0.rawValue)" }) == Set(file.kinds.keys))
        for (kind, fields) in Layout.kinds {
            let other = file.kinds["\(kind.rawValue)"]
            #expect(other?.name == kind.name)
            if other?.fields != fields { Issue.record("kind \(kind): \(other?.fields as Any)") }
        }
        #expect(Layout.skipped.lowerBound == file.skip["from"])
        #expect(Layout.skipped.upperBound == file.skip["to"])
        for kind in FrameKind.allCases where !kind.isDescribed {
            #expect(file.reserved["\(kind.rawValue)"] == kind.name)
        }
        for type in LayoutFixed.allCases { #expect(file.types[type.rawValue]?.size == type.size) }
    }

    private static func partLimited(_ fields: [LayoutField]) -> [LayoutField] {
        let limited = LayoutField("part", .uvarint(max: UInt64(Limits.maxParts - 1)))
        return fields.map {
            $0 == LayoutField("part", .uvarint(max: Limits.maxRequest)) ? limited : $0
        }
    }

    @Test func theWalkTakesEveryByteOfEveryAcceptedFrame() {
        for accepted in Vectors.cases("frame.decode") where accepted.out != nil {
            let dump = ByteDump(frame: accepted.bytes("bytes"))
            if let error = dump.error { Issue.record("\(accepted.id): \(error)") }
            var end = 0
            for entry in dump.entries {
                if entry.offset != end { Issue.record("\(accepted.id): a gap at \(end)") }
                end += entry.length
            }
            if end != dump.bytes.count || dump.consumed != end {
                Issue.record("\(accepted.id): \(end) of \(dump.bytes.count) bytes")
            }
        }
    }

    @Test func theWalkNamesEveryFieldAsFrameDecodeDoes() {
        for golden in Vectors.goldenFrames {
            guard let out = golden.out else { continue }
            let dump = ByteDump(frame: golden.bytes("bytes"))
            var seen: Set<String> = []
            for entry in dump.entries where !entry.path.hasSuffix(".length") {
                let path = LayoutTests.resolved(entry.path)
                seen.insert(path)
                if LayoutTests.value(entry, dump.bytes) != out[path] {
                    Issue.record("\(golden.id), \(path): \(entry.value), \(out[path] as Any)")
                }
            }
            if seen != Set(out.keys) {
                Issue.record("\(golden.id): \(seen.symmetricDifference(out.keys))")
            }
        }
    }

    /// The name that `frame.decode` gives: a resolved replica in the place of its index.
    private static func resolved(_ path: String) -> String {
        path.hasSuffix(".ref") ? path.dropLast(3) + "replica" : path
    }

    private static func value(_ entry: ByteDump.Entry, _ bytes: [UInt8]) -> String? {
        let name = entry.path.split(separator: ".").last ?? ""
        if ["kind", "mode", "class", "ref"].contains(name) {
            return entry.value.split(separator: " ").last.map { String($0.dropFirst().dropLast()) }
        }
        switch entry.type {
        case "u8", "uvarint", "time":
            return entry.value.split(separator: " ").first.map(String.init)
        default: return Hex.string(bytes[entry.offset..<entry.offset + entry.length])
        }
    }

    @Test func theWalkStopsNoEarlierThanTheDecoder() {
        for bad in Vectors.cases("frame.decode") where bad.reject != nil {
            if let problem = RandomBytesTests.problem(bad.bytes("bytes")) {
                Issue.record("\(bad.id): \(problem)")
            }
        }
    }

    @Test func aClaimBeyondTheBytesEndsTheWalk() {
        let golden = Vectors.goldenFrames.first { $0.out?["form"] == "1" }
        guard var bytes = golden?.bytes("bytes") else { return }
        bytes = Array(bytes[..<50]) + [40]
        let dump = ByteDump(frame: bytes)
        #expect(dump.error == WireError(.truncated, .countFitsInput, at: 50))
        #expect(dump.consumed == 50)
        #expect(dump.lines().last?.contains("1 bytes not read") == true)
    }

    @Test func theLinesShowTheVerdictWhereItBelongs() {
        guard let golden = Vectors.goldenFrames.first else { return }
        let dump = ByteDump(frame: golden.bytes("bytes"))
        #expect(dump.lines().count == dump.entries.count)
        let lines = dump.lines(verdict: WireError(.range, .replicaNotZero, at: 1))
        #expect(lines.count == dump.entries.count + 1)
        #expect(lines[1].contains("^^ range [PRIM-007]"))
        #expect(lines[0].contains("kind"))
    }

    @Test func anEnvelopeIsWalkedFromOutside() {
        for sealed in Vectors.cases("seal.open") where sealed.out != nil {
            let dump = ByteDump(envelope: sealed.bytes("bytes"))
            guard dump.error == nil, dump.consumed == dump.bytes.count else {
                Issue.record("\(sealed.id): \(dump.error as Any)")
                continue
            }
            let paths = dump.entries.map(\.path)
            if paths != ["version", "keyID", "nonce", "tag", "ciphertext"] {
                Issue.record("\(sealed.id): \(paths)")
            }
        }
        #expect(ByteDump(envelope: []).error?.errorClass == .truncated)
        #expect(ByteDump(envelope: [2]).error?.offset == 0)
    }
}
