import TestSupport
import Testing

@testable import cenotaph_conformance

/// What an implementation written by others found in this one, against the text.
@Suite struct FindingTests {
    static let base = [
        "digestKey": String(repeating: "00", count: 32), "namespace": "6e", "key": "6b",
    ]

    private func expect(
        _ op: String, _ fields: [String: String], _ name: String, _ text: Comment
    ) {
        guard case .rejected(name, _) = BuiltIn().answer(op, fields) else {
            Issue.record("\(text): \(BuiltIn().answer(op, fields)), not \(name)")
            return
        }
    }

    private static func replica(_ byte: Int) -> String {
        String(
            repeating: byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16),
            count: 16)
    }

    /// Events with these replicas, where a name ending in one of `wrong` is taken instead.
    private static func events(_ replicas: [Int], _ wrong: [String: String]) -> [String: String] {
        var fields = base
        fields["count"] = "\(replicas.count)"
        for (index, byte) in replicas.enumerated() {
            fields["\(index).time"] = "1"
            fields["\(index).replica"] = replica(byte)
            fields["\(index).group"] = "67"
            fields["\(index).body"] = ""
        }
        return fields.merging(wrong) { $1 }
    }

    private static func entries(_ replicas: [Int], _ wrong: [String: String]) -> [String: String] {
        var fields = events(replicas, [:])
        for index in replicas.indices { fields["\(index).state"] = "0" }
        return fields.merging(wrong) { $1 }
    }

    /// CONV-005: the list's order is met before a fault of a later element.
    @Test func theFirstFaultNamesTheError() {
        for wrong in [["2.group": ""], ["2.replica": "aa"], ["2.replica": ""]] {
            expect("leaf.event", Self.events([2, 1, 3], wrong), "order", "\(wrong)")
            expect("leaf.event", Self.events([1, 1, 3], wrong), "duplicate", "\(wrong)")
            expect("leaf.event", Self.events([1, 2, 3], wrong), "range", "\(wrong)")
        }
        for wrong in [["2.state": "256"], ["2.state": "2"], ["2.replica": "aa"]] {
            expect("leaf.causal", Self.entries([2, 1, 3], wrong), "order", "\(wrong)")
            expect("leaf.causal", Self.entries([1, 1, 3], wrong), "duplicate", "\(wrong)")
            expect("leaf.causal", Self.entries([1, 2, 3], wrong), "range", "\(wrong)")
        }
        // A fault of an element is met before its place in the list is judged.
        expect("leaf.causal", Self.entries([2, 1], ["1.state": "256"]), "range", "in the element")
    }

    /// PRIM-008: 256 and 257 are no choices, whatever their last eight bits are.
    @Test func aChoiceIsNotCutToAByte() {
        for choice in ["256", "257", "18446744073709551615"] {
            expect("leaf.causal", Self.entries([1], ["0.state": choice]), "range", "causal")
            let writer = Self.base.merging(
                ["time": "1", "replica": Self.replica(1), "state": choice, "body": ""]
            ) { $1 }
            expect("leaf.lastWriter", writer, "range", "last writer")
            for name in ["scope", "delivered", "hasBase", "hasEdit", "direction"] {
                var fields = Self.base.merging(
                    [
                        "scope": "0", "delivered": "0", "hasBase": "1", "hasEdit": "0",
                        "direction": "1", "postedAt": "1", "body": "",
                    ]
                ) { $1 }
                fields["key"] = Self.replica(1) + "6b"
                guard case .accepted = BuiltIn().answer("leaf.message", fields) else {
                    Issue.record("the message itself is not taken")
                    return
                }
                fields[name] = choice
                expect("leaf.message", fields, "range", "\(name)")
            }
        }
    }

    /// CONV-009: too many entries are `range`, too large a content is `too-large`.
    @Test func aRefusedMergeNamesItsLimit() throws {
        func content(_ first: Int) -> String {
            var text = "016b" + "8008"
            for number in first..<first + 1_024 {
                let digits = String(number + 1, radix: 16)
                text += String(repeating: "0", count: 32 - digits.count) + digits
                text += "0000000000000001" + "00"
            }
            return text
        }
        expect("merge.causal", ["a": content(0), "b": content(1_024)], "range", "2,048 entries")
        guard case .accepted = BuiltIn().answer("merge.causal", ["a": content(0), "b": content(0)])
        else {
            Issue.record("1,024 entries are not taken")
            return
        }
    }

    /// Spec 11: other spellings are no values.
    @Test func otherSpellingsAreErrors() {
        let cases: [(String, [String: String])] = [
            ("uvarint.decode", ["bytes": "AC02"]), ("uvarint.decode", ["bytes": "aC02"]),
            ("bytes.decode", ["bytes": "0141", "min": "+0", "max": "9"]),
            ("bytes.decode", ["bytes": "0141", "min": "00", "max": "9"]),
            ("sketch.indexes", ["row": "0123456789AB", "size": "8"]),
            ("sketch.indexes", ["row": "+12345678901", "size": "8"]),
            ("leaf.event", Self.events([1], ["count": "+1"])),
        ]
        for (op, fields) in cases {
            guard case .failed = BuiltIn().answer(op, fields) else {
                Issue.record("\(op) \(fields): \(BuiltIn().answer(op, fields))")
                continue
            }
        }
    }
}
