import FoundationEssentials
import Testing

@testable import cenotaph_conformance

/// Values of vector files that hold long runs as parts (Spec 11).
@Suite struct FilledTextTests {
    private static func decode(_ json: String) -> String? {
        try? JSONDecoder().decode([FilledText].self, from: Data("[\(json)]".utf8)).first?.text
    }

    @Test func partsAreJoined() {
        #expect(Self.decode(#""0a0b""#) == "0a0b")
        #expect(Self.decode(#"["0a",{"fill":"00","n":3},"0b"]"#) == "0a0000000b")
        #expect(Self.decode(#"[{"fill":"ff","n":1}]"#) == "ff")
        #expect(Self.decode("[]")?.isEmpty == true)
    }

    @Test func brokenPartsAreRefused() {
        for json in [
            "1", "{}", "[1]", #"[{"fill":"00"}]"#, #"[{"fill":"00","n":0}]"#,
            #"[{"fill":"00","n":-1}]"#, #"[{"fill":"0","n":1}]"#, #"[{"fill":"0000","n":1}]"#,
            #"[{"fill":"00","n":16777217}]"#,
            #"[{"fill":"00","n":16777216},{"fill":"00","n":1}]"#,
        ] {
            #expect(Self.decode(json) == nil, "\(json)")
        }
    }

    @Test func theCorpusHoldsThem() throws {
        let large = try Loaded.corpus.first {
            $0.op == "seal.open" && $0.reject?.class == "too-large"
        }
        #expect(large.in["bytes"]?.utf8.count == 2 * 1_048_626)
        let ins = try #require(large.twin?.edits.first?.ins)
        #expect(ins.utf8.count > 2_000_000 && ins.utf8.allSatisfy { $0 == 48 })
    }
}
