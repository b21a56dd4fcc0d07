import Cenotaph

/// A key as a path below a folder: components that can only lead downwards.
struct MirrorPath: Sendable {
    /// The components, at least one.
    let components: [[UInt8]]

    /// Names that begin so are the mirror's own.
    static let reserved = Array(".cenotaph-".utf8)
    static let marker = Array(".cenotaph-mirror".utf8)
    static let temporary = Array(".cenotaph-tmp-".utf8)

    /// Why a key can be no file.
    enum Refusal: String, Error {
        case empty = "has an empty component"
        case upwards = "has a component . or .."
        case zero = "has a zero byte"
        case long = "has a component over 255 bytes"
        case reserved = "has a name that is reserved for the mirror"
    }

    /// Splits a key.
    /// - Throws: `Refusal` for a key that must not, or cannot, name a file below the folder.
    init(_ key: Key) throws(Refusal) {
        let parts = key.bytes.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty { throw .empty }
            if part.allSatisfy({ $0 == UInt8(ascii: ".") }), part.count <= 2 { throw .upwards }
            if part.contains(0) { throw .zero }
            if part.count > 255 { throw .long }
            if part.starts(with: MirrorPath.reserved) { throw .reserved }
        }
        components = parts.map(Array.init)
    }

    var name: [UInt8] { components[components.count - 1] }
    var folders: ArraySlice<[UInt8]> { components.dropLast() }
    var bytes: [UInt8] { Array(components.joined(separator: [UInt8(ascii: "/")])) }
}
