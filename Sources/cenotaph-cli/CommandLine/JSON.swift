import FoundationEssentials

/// Prints one line of JSON.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    System.write(Array(try encoder.encode(value)) + [10], to: 1)
}
