import Cenotaph
import CenotaphRelay

/// A relay's numbers, as JSON and for a person.
struct RelayStatusReport: Codable, Equatable {
    let connections: Int
    let rooms: Int
    let heldBytes: Int
    let opened: UInt64
    let entered: UInt64
    let turnedAway: UInt64
    let refused: [String: UInt64]
    let ended: [String: UInt64]
    let frames: UInt64
    let frameBytes: UInt64
    let dropped: UInt64
    let stopping: Bool

    init(_ report: RelayReport) {
        connections = report.connections
        rooms = report.rooms
        heldBytes = report.held
        opened = report.opened
        entered = report.entered
        turnedAway = report.turnedAway
        refused = Dictionary(uniqueKeysWithValues: report.refused.map { ("\($0)", $1) })
        ended = Dictionary(uniqueKeysWithValues: report.ended.map { ("\($0)", $1) })
        frames = report.frames
        frameBytes = report.frameBytes
        dropped = report.dropped
        stopping = report.isStopping
    }

    /// Lines for a person.
    var lines: [String] {
        let refusals = refused.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }
        let endings = ended.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }
        return [
            "\(connections) connections in \(rooms) rooms, \(heldBytes) B held",
            "\(frames) frames passed, \(frameBytes) B; \(dropped) for nobody",
            "\(opened) came, \(entered) entered; \(turnedAway) turned away" + refusals.joined(),
            "ended by the relay: \(ended.values.reduce(0, +))" + endings.joined(),
        ] + (stopping ? ["being shut down"] : [])
    }

    /// The same in Prometheus text form.
    var metrics: String {
        var text = ""
        func metric(_ name: String, _ type: String, _ help: String, _ values: [(String, UInt64)]) {
            text += "# HELP cenotaph_relay_\(name) \(help)\n# TYPE cenotaph_relay_\(name) \(type)\n"
            for (label, value) in values { text += "cenotaph_relay_\(name)\(label) \(value)\n" }
        }
        func gauge(_ name: String, _ help: String, _ value: Int) {
            metric(name, "gauge", help, [("", UInt64(max(value, 0)))])
        }
        func counter(_ name: String, _ help: String, _ value: UInt64) {
            metric(name, "counter", help, [("", value)])
        }
        gauge("connections", "Connections that are open.", connections)
        gauge("rooms", "Rooms with a connection.", rooms)
        gauge(
            "held_bytes", "Bytes that wait to be sent or for the rest of their record.", heldBytes)
        counter("opened_total", "Connections that came.", opened)
        counter("entered_total", "Connections that came into a room.", entered)
        counter("turned_away_total", "Connections without a place.", turnedAway)
        metric(
            "refused_total", "counter", "Greetings that were refused.",
            RelayStatus.allCases.filter { $0 != .accepted }
                .map { ("{status=\"\($0)\"}", refused["\($0)"] ?? 0) })
        metric(
            "ended_total", "counter", "Connections that the relay ended.",
            RelayReason.allCases.map { ("{reason=\"\($0)\"}", ended["\($0)"] ?? 0) })
        counter("frames_total", "Frames passed on.", frames)
        counter("frame_bytes_total", "Bytes of the frames passed on.", frameBytes)
        counter("frames_dropped_total", "Frames for a number that nobody had.", dropped)
        return text
    }
}
