import CenotaphWire

/// `Spec/layout.json`, read into the same values as `Layout`.
struct LayoutFile: Decodable {
    struct Kind: Decodable {
        let name: String
        let fields: [LayoutField]

        enum CodingKeys: String, CodingKey { case name, fields }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            fields = try container.decode([FieldFile].self, forKey: .fields).map { try $0.field() }
        }
    }

    struct Width: Decodable {
        let size: Int?
    }

    let types: [String: Width]
    let envelope, header: [LayoutField]
    let skip: [String: UInt8]
    let reserved: [String: String]
    let kinds: [String: Kind]
    let structs: [String: [LayoutField]]

    enum CodingKeys: String, CodingKey {
        case types, envelope, header, skip, reserved, kinds, structs
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        types = try container.decode([String: Width].self, forKey: .types)
        skip = try container.decode([String: UInt8].self, forKey: .skip)
        reserved = try container.decode([String: String].self, forKey: .reserved)
        kinds = try container.decode([String: Kind].self, forKey: .kinds)
        envelope = try container.decode([FieldFile].self, forKey: .envelope).map { try $0.field() }
        header = try container.decode([FieldFile].self, forKey: .header).map { try $0.field() }
        structs = try container.decode([String: [FieldFile]].self, forKey: .structs)
            .mapValues { fields in try fields.map { try $0.field() } }
    }
}

/// One field of the file.
///
/// A class, since the element of a list is a field again.
final class FieldFile: Decodable {
    struct Count: Decodable {
        let min: String?
        let max: String?
    }

    struct Unknown: Error {
        let what: String
    }

    let name: String?
    let type: String
    let min, max: String?
    let values: [String: String]?
    let index, charset, on: String?
    let count: Count?
    let smallest: Int?
    let of: FieldFile?
    let ascending: [String]?
    let modes: [UInt8]?
    let `struct`: String?
    let cases: [String: [FieldFile]]?

    func field() throws -> LayoutField { LayoutField(name ?? "", try layoutType()) }

    private func layoutType() throws -> LayoutType {
        if let type = LayoutFixed(rawValue: type) { return .fixed(type) }
        switch type {
        case "u8": return .u8(min: bound(), values: try byCode(values ?? [:]))
        case "uvarint":
            return .uvarint(
                min: min.flatMap { UInt64($0) }, max: max.flatMap { UInt64($0) }, index: index)
        case "bytes": return .bytes(min: try int(min), max: try int(max), charset: charset)
        case "rest": return .rest(min: min.flatMap { Int($0) }, max: max.flatMap { Int($0) })
        case "struct": return .structure(`struct` ?? "")
        case "choice":
            let cases = try (cases ?? [:]).mapValues { fields in try fields.map { try $0.field() } }
            return .choice(on: on ?? "", cases: try byCode(cases))
        case "list":
            guard let of, let smallest else { throw Unknown(what: "a list without elements") }
            return .list(
                LayoutList(
                    try int(count?.min), count?.max.flatMap { Int($0) }, smallest: smallest,
                    of: try of.layoutType(), ascending: ascending ?? [], modes: modes))
        default: throw Unknown(what: type)
        }
    }

    private func bound() -> LayoutBound? {
        min.map { text in UInt8(text).map { .number($0) } ?? .field(text) }
    }

    private func int(_ text: String?) throws -> Int {
        guard let number = text.flatMap({ Int($0) }) else { throw Unknown(what: text ?? "nothing") }
        return number
    }

    private func byCode<Value>(_ values: [String: Value]) throws -> [UInt8: Value] {
        var result: [UInt8: Value] = [:]
        for (key, value) in values {
            guard let code = UInt8(key) else { throw Unknown(what: key) }
            result[code] = value
        }
        return result
    }
}
