@testable import CenotaphRelay
import CenotaphWire
import Testing

/// A relay without sockets, a clock that a test moves, and clients that a test speaks for.
final class RelayBox {
    let relay: Relay
    var now: UInt64 = 1_000

    init(tokens: [[UInt8]] = [], _ change: (inout RelayBounds) -> Void = { _ in }) {
        var bounds = RelayBounds()
        change(&bounds)
        relay = Relay(bounds, tokens: tokens)
    }

    /// What a client hears.
    struct Heard: Equatable {
        var status: RelayStatus?
        var records: [RelayRecord] = []

        var notices: [RelayNotice] {
            records.compactMap { $0.number == 0 ? try? RelayNotice($0.payload) : nil }
        }

        /// Frames with the number they came from.
        var frames: [RelayRecord] { records.filter { $0.number != 0 } }
    }

    /// A client: the bytes that the relay sent it, cut into records.
    final class Client {
        let id: ConnectionID
        private var status: RelayStatus?
        private var deframer = RelayDeframer(longestNotice: RelayNotice.longestToClient)
        private let box: RelayBox

        fileprivate init(_ id: ConnectionID, _ box: RelayBox) {
            self.id = id
            self.box = box
        }

        func send(_ bytes: [UInt8]) { box.relay.receive(bytes, from: id, at: box.now) }

        func send(_ notice: RelayNotice) { send(notice.record.bytes) }

        func send(_ frame: [UInt8], to number: UInt32) {
            send(RelayRecord(number: number, payload: frame).bytes)
        }

        /// Reads what waits.
        func hear() throws -> Heard {
            var bytes = Array(box.relay.waiting(for: id))
            box.relay.sent(bytes.count, to: id, at: box.now)
            if status == nil, let first = bytes.first {
                status = RelayStatus(rawValue: first)
                bytes.removeFirst()
            }
            deframer.append(bytes)
            var records: [RelayRecord] = []
            while let record = try deframer.next() { records.append(record) }
            return Heard(status: status, records: records)
        }

        /// Whether the relay has ended it, and has nothing more to say.
        var isOver: Bool { box.relay.isDone(id) }

        func close() { box.relay.closed(id, at: box.now) }
    }

    func connect() throws -> Client { Client(try #require(relay.open(at: now)), self) }

    /// Connects and greets.
    func enter(_ room: UInt64 = 1, token: [UInt8] = []) throws -> Client {
        let client = try connect()
        client.send(try RelayBox.greeting(room, token: token))
        return client
    }

    static func greeting(_ room: UInt64 = 1, token: [UInt8] = []) throws -> [UInt8] {
        try #require(RelayGreeting(room: ID16(high: room, low: 7), token: token)).encoded
    }

    /// Bytes of a frame's size; a relay cannot tell them from one.
    static func frame(_ fill: UInt8 = 1, size: Int = Limits.minSealed) -> [UInt8] {
        [UInt8](repeating: fill, count: size)
    }

    /// What the relay says that it holds is what it holds, and rooms hold members only.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let held = relay.connections.values.reduce(0) { $0 + $1.held }
        #expect(relay.currentReport.held == held, sourceLocation: sourceLocation)
        for (name, room) in relay.rooms {
            #expect(!room.members.isEmpty, sourceLocation: sourceLocation)
            for (number, id) in room.members {
                guard case .member(name, number) = relay.connections[id]?.phase else {
                    Issue.record("\(id) is no member", sourceLocation: sourceLocation)
                    return
                }
            }
        }
    }
}
