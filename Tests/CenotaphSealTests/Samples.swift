import CenotaphSeal
import CenotaphWire
import TestSupport
import Testing

/// Fixed keys, and bytes that pass for a frame.
enum Samples {
    static let fleet = ID16(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
    static let nonce = (0..<24).map { UInt8($0 + 64) }

    static func secret(_ first: UInt8) throws -> SecretKey {
        guard let key = SecretKey(copying: (0..<32).map { first &+ UInt8($0) }) else {
            throw WireError(.range, .limits)
        }
        return key
    }

    static func keys(_ seals: UInt8...) throws -> FleetKeys {
        let sealKeys = try seals.map { SealKey(try secret($0), fleet: fleet) }
        return try FleetKeys(fleet: fleet, digestKey: try secret(0), sealKeys: sealKeys)
    }

    static func outcome(_ sealed: [UInt8], _ keys: FleetKeys) -> ErrorClass? {
        do throws(WireError) {
            _ = try Envelope.open(sealed, with: keys)
            return nil
        } catch {
            return error.errorClass
        }
    }
}

/// Bytes as they are.
struct Raw: WireEncodable {
    let bytes: [UInt8]
    var wireSize: Int { bytes.count }
    func write(to writer: inout WireWriter) { writer.raw(bytes) }
}
