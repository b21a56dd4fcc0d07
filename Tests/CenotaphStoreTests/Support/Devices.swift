import CenotaphMerge
import CenotaphSeal
import CenotaphStore
import CenotaphWire

/// A device of a fleet: a gate over a store, and a clock that a test moves.
final class Device {
    let gate: Gate
    private let clock: Clock

    private final class Clock {
        var milliseconds: UInt64 = 1_764_547_200_000
    }

    init(_ store: any Store, _ keys: FleetKeys) throws {
        let clock = Clock()
        self.clock = clock
        var random = SystemRandomNumberGenerator()
        gate = try Gate(
            store: store, schema: Device.schema, keys: keys,
            milliseconds: { clock.milliseconds }, random: &random)
    }

    static let schema = Schema {
        Namespace("chat", .messages)
        Namespace("notes", .causal)
    }

    /// Lets days pass.
    func wait(days: UInt64) { clock.milliseconds += days * 86_400_000 }

    /// Runs a writing transaction and returns what it returned.
    @discardableResult
    func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        try gate.write(body).result
    }

    /// Runs a writing transaction and returns the whole rows that it would send.
    func rows(of body: (WriteTransaction) throws -> Void) throws -> [Row] {
        try gate.write(body).localRows.map(\.row)
    }

    /// Merges rows of `chat` as if they had come in a frame.
    func take(_ rows: [Row]) throws {
        try write { tx in for row in rows { _ = try tx.merge("chat", row) } }
    }

    /// Takes every row of another device.
    func pull(_ other: Device) throws { try take(other.rows()) }

    /// Every row of `chat`.
    func rows() throws -> [Row] {
        var rows: [Row] = []
        try gate.read { snapshot in
            for set in RowSet.allCases {
                try snapshot.forEachRow("chat", set, .all) { row, _ in
                    rows.append(row)
                    return true
                }
            }
        }
        return rows
    }

    /// What an app sees of a message.
    func seen(_ key: Key) throws -> [UInt8]? { try gate.read { try $0.get("chat", key)?.body } }

    func message(_ key: Key) throws -> MessageRow? {
        try gate.read { try $0.message("chat", key) }
    }

    func outbox() throws -> [DeliveryDuty] { try gate.read { try $0.outbox("chat") } }

    func root() throws -> Hash256 { try gate.read { try $0.root("chat") } }
}

/// Lends three devices of one fleet, each with a store of the kind.
func withFleet(
    _ kind: StoreKind, _ keys: FleetKeys = .generate(),
    _ body: (Device, Device, Device, FleetKeys) throws -> Void
) throws {
    try kind.with { a in
        try kind.with { b in
            try kind.with { c in
                try body(try Device(a, keys), try Device(b, keys), try Device(c, keys), keys)
            }
        }
    }
}
