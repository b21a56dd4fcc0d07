public import CenotaphWire

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why a key file was not taken or not written.
public enum KeyFileError: Error, Hashable, Sendable {
    /// No file is at the path.
    case notFound
    /// A file is at the path already; it was left alone.
    case exists
    /// The group or others may read or write the file (Spec SEAL-031).
    case openToOthers
    /// The text breaks a rule (Spec SEAL-003, SEAL-030).
    case malformed(WireError)
    /// The system refused, with its error number.
    case failed(errno: Int32)
}

/// The fleet key file: the one place where keys are written down (Spec 05, "Fleet key file").
public enum FleetKeyFile {
    private static let heading = "cenotaph-fleet 1"
    private static let maxSealKeys = 64
    private static let maxSize = 8_192

    /// Reads the keys of a fleet.
    /// - Throws: `notFound`, `openToOthers`, `malformed`, `failed`.
    public static func load(_ path: String) throws(KeyFileError) -> FleetKeys {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .failed(errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .failed(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .failed(errno: EINVAL) }
        guard status.st_mode & 0o077 == 0 else { throw .openToOthers }
        var text = [UInt8](repeating: 0, count: maxSize + 1)
        defer { wipe(&text) }
        var count = 0
        while count < text.count {
            // Safety: reads into this array's own storage, at most what is left of it.
            let got = unsafe text.withUnsafeMutableBytes { buffer in
                unsafe read(
                    descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            guard got >= 0 else { throw .failed(errno: errno) }
            if got == 0 { break }
            count += got
        }
        do {
            return try parse(text[..<count])
        } catch {
            throw .malformed(error)
        }
    }

    /// Writes the keys to a new file that only its owner may read, and syncs it.
    /// - Throws: `exists`, `failed`.
    public static func save(_ keys: FleetKeys, to path: String) throws(KeyFileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? .exists : .failed(errno: errno) }
        defer { close(descriptor) }
        var text = text(of: keys)
        defer { wipe(&text) }
        var written = 0
        while written < text.count {
            // Safety: writes from this array's own storage, at most what is left of it.
            let count = unsafe text.withUnsafeBytes { buffer in
                unsafe write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            guard count > 0 else { throw .failed(errno: errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw .failed(errno: errno) }
    }

    /// Parses the text of a key file.
    /// - Throws: `text` or `range` for a line out of place, `duplicate` for a repeated key (Spec SEAL-030).
    static func parse(_ text: ArraySlice<UInt8>) throws(WireError) -> FleetKeys {
        let bad = { (offset: Int) in WireError(.text, .keyFileForm, at: offset) }
        guard text.count <= maxSize, text.last == 10 else { throw bad(text.count) }
        let lines = text.dropLast().split(separator: 10, omittingEmptySubsequences: false)
        guard lines.count >= 4, lines.count <= 3 + maxSealKeys else { throw bad(text.count) }
        guard lines[0].elementsEqual(heading.utf8) else { throw bad(0) }
        var fleetBytes = try field("fleet ", 16, lines[1])
        let fleet = try decodeWhole(fleetBytes) { (reader) throws(WireError) in try reader.id16() }
        wipe(&fleetBytes)
        var sealKeys: [SealKey] = []
        for line in lines[3...] {
            sealKeys.append(SealKey(try key("seal ", line), fleet: fleet))
        }
        return try FleetKeys(
            fleet: fleet, digestKey: try key("digest ", lines[2]), sealKeys: sealKeys)
    }

    private static func key(
        _ name: String, _ line: ArraySlice<UInt8>
    ) throws(WireError) -> SecretKey {
        var bytes = try field(name, SecretKey.size, line)
        defer { wipe(&bytes) }
        guard let key = SecretKey(copying: bytes) else {
            throw WireError(.range, .keyFileForm, at: line.startIndex)
        }
        return key
    }

    private static func field(
        _ name: String, _ size: Int, _ line: ArraySlice<UInt8>
    ) throws(WireError) -> [UInt8] {
        let bad = WireError(.text, .keyFileForm, at: line.startIndex)
        guard line.starts(with: name.utf8) else { throw bad }
        let digits = line.dropFirst(name.utf8.count)
        guard digits.count == 2 * size else { throw bad }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var isHigh = true
        for digit in digits {
            let nibble: UInt8
            switch digit {
            case 48...57: nibble = digit - 48
            case 97...102: nibble = digit - 87
            default: throw bad
            }
            if isHigh { bytes.append(nibble << 4) } else { bytes[bytes.count - 1] |= nibble }
            isHigh.toggle()
        }
        return bytes
    }

    private static func text(of keys: FleetKeys) -> [UInt8] {
        var text = Array("\(heading)\nfleet \(keys.fleet)\n".utf8)
        text.reserveCapacity(maxSize)
        func append(_ name: String, _ key: borrowing SecretKey) {
            text += Array("\(name) ".utf8)
            unsafe key.withBytes { bytes in
                for index in 0..<SecretKey.size {
                    let byte = unsafe bytes[index]
                    for nibble in [byte >> 4, byte & 15] {
                        text.append(nibble < 10 ? 48 + nibble : 87 + nibble)
                    }
                }
            }
            text.append(10)
        }
        keys.withSecrets { digestKey, sealKeys in
            append("digest", digestKey)
            for key in sealKeys { append("seal", key.secret) }
        }
        return text
    }
}
