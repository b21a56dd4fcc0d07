@testable import Cenotaph
import CenotaphRelay
import CenotaphTesting
import Testing

/// A relay that does what it wants: the devices' state stays right, and comes together once it behaves.
@Suite(.timeLimit(.minutes(10))) struct HostileRelayTests {
    let fleet = RelayFleet()

    @Test(arguments: [0.0, 0.2]) func devicesOutliveIt(_ misroute: Double) async throws {
        let relay = try RunningRelay()
        let hostile = try await HostileRelay(relay)
        hostile.behave(
            LinkFaults(drop: 0.05, duplicate: 0.1, reorder: 0.1, corrupt: 0.05, cut: 0.02),
            misroute: misroute)
        let devices = try (0..<3).map { _ in try fleet.replica() }
        let staying = devices.map { fleet.staying($0, hostile.address) }
        var expected: [Key: [UInt8]] = [:]
        for round in 0..<30 {
            for (index, device) in devices.enumerated() {
                let key = try Key("of \(index), \(round % 7)")
                let body = [UInt8](repeating: UInt8(round), count: 10 + 500 * index)
                if try await device.get("notes", key) != nil, round % 5 == 0 {
                    try await device.delete("notes", key)
                    expected[key] = nil
                } else {
                    try await device.write { try $0.revive("notes", key, body) }
                    expected[key] = body
                }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        // Each key has one writer, whose last word it holds itself whatever the relay does.
        for (index, device) in devices.enumerated() {
            for row in try await device.list("notes") where "\(row.key)".contains("of \(index),") {
                #expect(row.body == expected[row.key])
            }
        }
        hostile.behave(.none, misroute: 0)
        try await waitUntilEqual(devices)
        for device in devices {
            let rows = try await device.list("notes")
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.body) }) == expected)
        }
        for one in staying { await one.stop() }
        hostile.stop()
    }
}
