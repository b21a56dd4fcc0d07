@testable import Cenotaph
import CenotaphRelay
import CenotaphTesting
import CenotaphWire
import Synchronization
import TestSupport

/// Stands between devices and an honest relay, and drops, repeats, reorders, corrupts and misroutes what the relay sends.
final class HostileRelay: Sendable {
    private let relay: RunningRelay
    private let listener: SocketListener
    private let place: Place
    private let faults = Mutex(LinkFaults.none)
    private let misroute = Mutex(0.0)
    private let serving = Mutex<Task<Void, any Error>?>(nil)

    /// A path beside the relay's.
    private struct Place { let path: String }

    init(_ relay: RunningRelay) async throws {
        self.relay = relay
        place = Place(path: relay.path + "h")
        listener = try await SocketListener(.unix(path: place.path))
        serving.withLock { $0 = Task { try await self.serve() } }
    }

    var address: PeerAddress { .relay(at: .unix(path: place.path), token: .none) }

    func behave(_ faults: LinkFaults, misroute: Double) {
        self.faults.withLock { $0 = faults }
        self.misroute.withLock { $0 = misroute }
    }

    func stop() { serving.withLock { $0?.cancel() } }

    private func serve() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let client = try await listener.acceptSocket()
                group.addTask {
                    guard let server = try? await SocketTransport(self.relay.socket).openSocket()
                    else {
                        client.shut()
                        return
                    }
                    await withTaskGroup(of: Void.self) { pair in
                        pair.addTask {
                            try? await self.pump(client, to: server)
                            client.shut()
                            server.shut()
                        }
                        pair.addTask {
                            try? await self.spoil(server, to: client)
                            client.shut()
                            server.shut()
                        }
                    }
                }
            }
        }
    }

    private func pump(_ from: Socket, to: Socket) async throws {
        while case let bytes = try await from.read(upTo: 65_536), !bytes.isEmpty {
            try await to.write(bytes)
        }
    }

    private func spoil(_ from: Socket, to: Socket) async throws {
        var deframer = RelayDeframer(longestNotice: RelayNotice.longestToClient)
        var random = SeededGenerator("hostile relay")
        var isFirst = true
        var waiting: RelayRecord?
        while true {
            var bytes = try await from.read(upTo: 65_536)
            guard !bytes.isEmpty else { return }
            if isFirst {
                try await to.write([bytes.removeFirst()])
                isFirst = false
            }
            deframer.append(bytes)
            while let record = try deframer.next() {
                // The list of members is left alone, or there would be nothing to spoil.
                if case .members? = record.number == 0 ? try? RelayNotice(record.payload) : nil {
                    try await to.write(record.bytes)
                    continue
                }
                let now = faults.withLock { $0 }
                let draw = Double.random(in: 0..<1, using: &random)
                if draw < now.cut { return }
                if Double.random(in: 0..<1, using: &random) < now.drop { continue }
                var changed = record
                if Double.random(in: 0..<1, using: &random) < now.corrupt {
                    var payload = Array(record.payload)
                    payload[.random(in: 0..<payload.count, using: &random)] ^= 1
                    changed = RelayRecord(number: record.number, payload: payload)
                }
                if record.number != 0,
                    Double.random(in: 0..<1, using: &random) < misroute.withLock({ $0 })
                {
                    changed.number = .random(in: 1...4, using: &random)
                }
                if waiting == nil, Double.random(in: 0..<1, using: &random) < now.reorder {
                    waiting = changed
                    continue
                }
                try await to.write(changed.bytes)
                if Double.random(in: 0..<1, using: &random) < now.duplicate {
                    try await to.write(changed.bytes)
                }
                if let held = waiting {
                    waiting = nil
                    try await to.write(held.bytes)
                }
            }
        }
    }
}
