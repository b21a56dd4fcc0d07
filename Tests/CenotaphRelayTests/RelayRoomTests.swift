@testable import CenotaphRelay
import CenotaphWire
import Testing

/// Rooms, numbers and what is passed on.
@Suite struct RelayRoomTests {
    @Test func framesArePassedUnchangedUnderTheSendersNumber() throws {
        let box = RelayBox()
        let (a, b, c) = (try box.enter(), try box.enter(), try box.enter())
        #expect(try a.hear().notices == [.members([]), .arrived(2), .arrived(3)])
        #expect(try b.hear().notices == [.members([1]), .arrived(3)])
        #expect(
            try c.hear()
                == .init(
                    status: .accepted, records: [RelayNotice.members([1, 2]).record]))
        let frames = (UInt8(1)...5).map { RelayBox.frame($0, size: 305 + Int($0)) }
        for frame in frames { a.send(frame, to: 2) }
        #expect(try b.hear().records == frames.map { RelayRecord(number: 1, payload: $0) })
        #expect(try c.hear().records.isEmpty)
        #expect(try a.hear().records.isEmpty)
        box.check()
    }

    @Test func numbersOfNobodyAndOfOneselfAreDropped() throws {
        let box = RelayBox()
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        for number: UInt32 in [1, 3, 77, .max] { a.send(RelayBox.frame(), to: number) }
        a.send(.taken(77, bytes: 5))
        #expect(try a.hear().records.isEmpty)
        #expect(try b.hear().records.isEmpty)
        #expect(box.relay.currentReport.dropped == 4)
        a.send(RelayBox.frame(), to: 2)
        #expect(try b.hear().frames.count == 1)
    }

    @Test func roomsDoNotReachEachOther() throws {
        let box = RelayBox()
        let (a, b) = (try box.enter(1), try box.enter(1))
        let (x, y) = (try box.enter(2), try box.enter(2))
        for client in [a, b, x, y] { _ = try client.hear() }
        for number in UInt32(0)...8 where number != 0 { x.send(RelayBox.frame(9), to: number) }
        #expect(try a.hear().records.isEmpty)
        #expect(try b.hear().records.isEmpty)
        #expect(try y.hear().frames.count == 1)
        x.close()
        #expect(try y.hear().notices == [.departed(1)])
        #expect(try a.hear().records.isEmpty)
        #expect(box.relay.currentReport.rooms == 2)
    }

    @Test func aNumberIsGivenOnce() throws {
        let box = RelayBox()
        let a = try box.enter()
        for number in UInt32(2)...50 {
            let b = try box.enter()
            b.close()
            #expect(try a.hear().notices.suffix(2) == [.arrived(number), .departed(number)])
        }
        // An empty room is forgotten, and so are its numbers.
        a.close()
        #expect(box.relay.rooms.isEmpty && box.relay.connections.isEmpty)
        let late = try box.enter()
        #expect(try late.hear().notices == [.members([])])
        #expect(box.relay.currentReport.held == 0)
    }

    @Test func aDepartureComesAfterWhatWasSent() throws {
        let box = RelayBox()
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        a.send(RelayBox.frame(), to: 2)
        a.close()
        let heard = try b.hear()
        #expect(heard.records.map(\.number) == [1, 0])
        #expect(heard.notices == [.departed(1)])
    }

    @Test func theGreatestFrameFitsAndPingsAreAnswered() throws {
        let box = RelayBox()
        let (a, b) = (try box.enter(), try box.enter())
        _ = (try a.hear(), try b.hear())
        let frame = RelayBox.frame(3, size: Limits.maxSealed)
        let record = RelayRecord(number: 2, payload: frame).bytes
        for start in stride(from: 0, to: record.count, by: 50_000) {
            a.send(Array(record[start..<min(start + 50_000, record.count)]))
            box.check()
        }
        #expect(try b.hear().frames == [RelayRecord(number: 1, payload: frame)])
        a.send(.ping)
        #expect(try a.hear().notices == [.pong])
    }

    @Test func stoppingSendsWhatWaitsAndSaysSo() throws {
        let box = RelayBox()
        let (a, b, stranger) = (try box.enter(), try box.enter(), try box.connect())
        _ = try a.hear()
        a.send(RelayBox.frame(), to: 2)
        box.relay.stop(at: box.now)
        let heard = try b.hear()
        #expect(heard.frames.count == 1)
        #expect(heard.notices.last == .closing(.stopping))
        #expect(try a.hear().notices.last == .closing(.stopping))
        #expect(try stranger.hear().status == .stopping)
        #expect(a.isOver && b.isOver && stranger.isOver)
        #expect(box.relay.open(at: box.now) == nil)
        box.check()
    }
}
