import CenotaphWire
import TestSupport
import Testing

/// The bytes of a relay's stream (Spec 13).
@Suite struct RelayWireTests {
    @Test(arguments: [0, 1, 63, 64]) func greetingsRoundTrip(_ tokenSize: Int) throws {
        let token = [UInt8](repeating: 9, count: tokenSize)
        let greeting = try #require(RelayGreeting(room: ID16(high: 1, low: 2), token: token))
        let bytes = greeting.encoded
        #expect(bytes.count == 22 + tokenSize)
        #expect(try RelayGreeting.read(bytes + [5]) == .whole(greeting, size: bytes.count))
        for count in 0..<bytes.count {
            #expect(try RelayGreeting.read(bytes.prefix(count)) == .unfinished)
        }
        // The first wrong byte is enough (Spec RELAY-003).
        for index in 0..<4 {
            var wrong = Array(bytes.prefix(index + 1))
            wrong[index] ^= 1
            #expect(throws: WireError(.unexpected, .relayGreeting)) {
                try RelayGreeting.read(wrong)
            }
        }
        var other = Array(bytes.prefix(5))
        other[4] = 2
        #expect(try RelayGreeting.read(other) == .otherVersion)
    }

    @Test func aTokenIsAtMost64Bytes() throws {
        #expect(RelayGreeting(room: .zero, token: [UInt8](repeating: 1, count: 65)) == nil)
        let bytes = RelayGreeting.magic + [1] + [UInt8](repeating: 0, count: 16)
        for length in UInt8(65)...255 {
            #expect(throws: WireError(.range, .relayGreeting, at: 21)) {
                try RelayGreeting.read(bytes + [length])
            }
        }
    }

    @Test func noticesRoundTrip() throws {
        let notices: [RelayNotice] = [
            .members([]), .members([1, 2, .max]), .arrived(1), .departed(.max), .ping, .pong,
            .closing(.slow), .taken(3, bytes: 4),
        ]
        for notice in notices {
            #expect(try RelayNotice(notice.payload) == notice)
            #expect(notice.record.number == 0)
            if case .members = notice { continue }
            #expect(throws: WireError.self) { try RelayNotice(notice.payload + [0]) }
            #expect(throws: WireError.self) { try RelayNotice(notice.payload.dropLast()) }
        }
        #expect(try RelayNotice([6, 200]) == .closing(nil))
        for bad: [UInt8] in [
            [], [0], [8], [255, 1], [1, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 2, 0, 0, 0, 1],
            [1, 0, 0, 0, 2, 0, 0, 0, 2], [7, 0, 0, 0, 1, 0, 0, 0, 0],
        ] {
            #expect(throws: WireError.self, "\(bad)") { try RelayNotice(bad) }
        }
    }

    @Test func recordsDripIn() throws {
        let records = [
            RelayNotice.ping.record, RelayRecord(number: 5, payload: RelayBox.frame()),
            RelayNotice.taken(1, bytes: 2).record,
            RelayRecord(number: .max, payload: RelayBox.frame(7, size: 1_000)),
        ]
        var deframer = RelayDeframer(longestNotice: RelayNotice.longestToRelay)
        var found: [RelayRecord] = []
        for byte in records.flatMap(\.bytes) {
            deframer.append([byte])
            while let record = try deframer.next() { found.append(record) }
        }
        #expect(found == records)
        #expect(deframer.held == 0)
    }

    /// A length is judged before anything is kept for it (Spec RELAY-009).
    @Test func impossibleLengths() throws {
        func read(_ length: UInt32, _ number: UInt32) throws -> RelayRecord? {
            var deframer = RelayDeframer(longestNotice: RelayNotice.longestToRelay)
            let header = [length, number].flatMap { value in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
            }
            deframer.append(header)
            return try deframer.next()
        }
        for length: UInt32 in [1, 9] { #expect(try read(length, 0) == nil) }
        for length: UInt32 in [305, 1_048_625] { #expect(try read(length, 1) == nil) }
        for (length, number): (UInt32, UInt32) in [(0, 0), (0, 1), (304, 1), (1, 9)] {
            #expect(throws: WireError(.truncated, .relayLength)) { try read(length, number) }
        }
        for (length, number): (UInt32, UInt32) in [
            (10, 0), (305, 0), (.max, 0), (1_048_626, 1), (0x8000_0000, 1), (.max, .max),
        ] {
            #expect(throws: WireError(.tooLarge, .relayLength)) { try read(length, number) }
        }
    }
}
