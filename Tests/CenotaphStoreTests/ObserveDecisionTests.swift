import CenotaphWire
import Testing

@testable import CenotaphStore

/// Every cell of the decision about one row.
@Suite struct ObserveDecisionTests {
    static let (old, handed, other) = (
        Hash256(1, 0, 0, 0), Hash256(2, 0, 0, 0), Hash256(3, 0, 0, 0)
    )
    static let version: RowVersion = {
        var seen = VersionVector()
        if let replica = ReplicaID(ID16(high: 1, low: 1)) { seen.raise(replica, to: 7) }
        return RowVersion(seen: seen)
    }()

    static func known(held: Bool, pending: Bool) -> ObservedRow {
        var row = ObservedRow()
        if held { row.held = .init(hash: old, leaf: .zero, version: version) }
        if pending { row.pending = .init(hash: handed, leaf: .zero, version: .nothing) }
        return row
    }

    @Test func equalBodiesAreAdopted() {
        for hash in [Self.old, Self.handed, Self.other] {
            for known in [nil, Self.known(held: true, pending: true)] {
                #expect(
                    ObserveDecision.listed(hash, known, .live(sameBody: true), keepsEdits: true)
                        == .adopt)
            }
        }
    }

    @Test func otherBodiesOverLiveRows() {
        let row = ObserveDecision.Held.live(sameBody: false)
        func decide(_ hash: Hash256, _ known: ObservedRow?) -> ObserveDecision {
            ObserveDecision.listed(hash, known, row, keepsEdits: true)
        }
        #expect(decide(Self.old, nil) == .write(basedOn: .nothing))
        let (held, both) = (
            Self.known(held: true, pending: false), Self.known(held: true, pending: true)
        )
        let pending = Self.known(held: false, pending: true)
        #expect(decide(Self.old, held) == .nothing)
        #expect(decide(Self.other, held) == .write(basedOn: Self.version))
        #expect(decide(Self.old, both) == .nothing)
        #expect(decide(Self.handed, both) == .settle)
        #expect(decide(Self.other, both) == .write(basedOn: Self.version))
        #expect(decide(Self.handed, pending) == .settle)
        #expect(decide(Self.other, pending) == .write(basedOn: .nothing))
    }

    @Test func noRowAndNoBookkeepingIsANewRow() {
        for keepsEdits in [true, false] {
            #expect(
                ObserveDecision.listed(Self.old, nil, .nothing, keepsEdits: keepsEdits)
                    == .write(basedOn: .nothing))
        }
    }

    @Test func deadRowsAreNeverRevivedByAccident() {
        let all =
            [nil]
            + [(true, false), (false, true), (true, true)].map { (held, pending) in
                Optional(Self.known(held: held, pending: pending))
            }
        for hash in [Self.old, Self.handed, Self.other] {
            for known in all {
                for row in [ObserveDecision.Held.dead, .nothing] where known != nil || row == .dead
                {
                    for keepsEdits in [true, false] {
                        let isEdit =
                            known?.held != nil && hash != Self.old
                            && !(hash == Self.handed && known?.pending != nil)
                        let expected: ObserveDecision =
                            isEdit && keepsEdits && row == .dead
                            ? .revive(basedOn: Self.version) : .reportDead
                        #expect(
                            ObserveDecision.listed(hash, known, row, keepsEdits: keepsEdits)
                                == expected)
                    }
                }
            }
        }
    }

    @Test func missingRows() {
        let (held, pending) = (
            Self.known(held: true, pending: false), Self.known(held: false, pending: true)
        )
        #expect(ObserveDecision.missing(held, isLive: true) == .delete(basedOn: Self.version))
        #expect(ObserveDecision.missing(held, isLive: false) == .forget)
        #expect(ObserveDecision.missing(pending, isLive: true) == .forget)
        #expect(ObserveDecision.missing(pending, isLive: false) == .forget)
    }

    @Test func bookkeepingRoundTrips() throws {
        for held in [true, false] {
            for pending in [true, false] {
                var row = Self.known(held: held, pending: pending)
                row.event = 9
                row.note = [1, 2, 3]
                let bytes = row.encoded()
                #expect(
                    try decodeWhole(bytes) { (reader) throws(WireError) in
                        try ObservedRow(from: &reader)
                    } == row)
                for count in 0..<bytes.count {
                    #expect(throws: WireError.self) {
                        try decodeWhole(Array(bytes[..<count])) { (reader) throws(WireError) in
                            try ObservedRow(from: &reader)
                        }
                    }
                }
            }
        }
    }
}
