import CenotaphStore
import CenotaphWire
import Testing

/// The two stores do the same thing, whatever is asked of them.
@Suite struct RandomisedTests {
    /// One transaction's worth of operations, drawn at random from a small world so that they meet.
    private struct World {
        var numbers: SeededGenerator
        let namespaces: [Int64] = [1, 2]

        mutating func key() throws -> Key {
            let letters: [UInt8] = [0, 1, 0x61, 0x62, 0xfe, 0xff]
            let count = 1 + numbers.below(4)
            return try Key((0..<count).map { _ in letters[numbers.below(letters.count)] })
        }

        mutating func bound() throws -> Key? { numbers.below(4) == 0 ? nil : try key() }

        mutating func address() throws -> RowAddress {
            let shelf = Shelf.allCases[numbers.below(3)]
            return RowAddress(namespaces[numbers.below(2)], shelf, try key())
        }
    }

    /// What a call answered, in a form that can be compared.
    private enum Answer: Equatable {
        case nothing
        case flag(Bool)
        case bytes([UInt8]?)
        case row(StoredRow?)
        case rows([Key], [StoredRow])
        case leaves([Key], [Hash256])
        case keys([Key])
    }

    @Test func storesAgree() throws {
        var world = World(numbers: SeededGenerator(for: "storesAgree"))
        let folder = try TempFolder()
        let sqlite = try folder.store()
        let memory = MemoryStore()
        let stores: [any Store] = [sqlite, memory]
        var operations = 0
        while operations < 12_000 {
            let writing = world.numbers.below(4) != 0
            for store in stores { try store.begin(writing: writing) }
            for _ in 0..<world.numbers.below(80) {
                operations += 1
                let call = try RandomisedTests.call(&world, writing)
                let answers = try stores.map(call)
                guard answers[0] != answers[1] else { continue }
                Issue.record("seed \(world.numbers.seed), operation \(operations): \(answers)")
                return
            }
            let isKept = world.numbers.below(3) != 0
            for store in stores { if isKept { try store.commit() } else { store.rollback() } }
        }
        var total = 0
        for namespace in world.namespaces {
            for shelf in Shelf.allCases {
                let keys = try stores.map { store in
                    try store.read { try store.keys(namespace: namespace, shelf: shelf) }
                }
                #expect(keys[0] == keys[1])
                total += keys[0].count
            }
        }
        #expect(total > 0)
    }

    /// Draws an operation; what it returns may be run on any number of stores.
    private static func call(
        _ world: inout World, _ writing: Bool
    ) throws -> (any Store) throws -> Answer {
        let address = try world.address()
        let other = try world.key()
        let number = world.numbers.next() % 1_000
        let size = world.numbers.below(20) == 0 ? 5_000 : world.numbers.below(60)
        let row = StoredRow.sample(number, size: size)
        let range = KeyRange(from: try world.bound(), to: try world.bound())
        let limit = world.numbers.below(3) == 0 ? world.numbers.below(20) : .max
        let name = "record \(number % 7)"
        let place = UInt32(world.numbers.below(5))
        let choice = world.numbers.below(writing ? 15 : 7)
        return { store in
            switch choice {
            case 0: return .bytes(try store.record(name))
            case 1: return .row(try store.row(at: address))
            case 2: return .keys(try store.members(address.namespace, other))
            case 3: return try leaves(store, address, range, limit)
            case 4, 5: return try rows(store, address, range, limit) { _ in }
            case 6:
                let keys = try store.keys(address.namespace, places: [place, place + 2])
                return .keys(keys.map(\.key).sorted())
            case 12, 13: try store.setPlace(address.namespace, place, address.key, number % 3 != 0)
            case 14: try store.setRecord(name, number % 3 == 0 ? nil : row.content)
            case 7, 8: try store.setRow(at: address, row)
            case 9: try store.setRow(at: address, nil)
            case 11: return .flag(try store.insertRow(at: address, row))
            case 10: try store.setMember(address.namespace, other, address.key, number % 3 != 0)
            default:
                // A visitor that writes around the key that it is shown.
                let most = min(limit, 50)
                return try rows(store, address, range, most) { (visited) throws(StoreError) in
                    var near = address
                    near.key = number % 2 == 0 ? other : visited
                    try store.setRow(at: near, number % 5 < 4 ? row : nil)
                }
            }
            return .nothing
        }
    }

    private static func leaves(
        _ store: any Store, _ address: RowAddress, _ range: KeyRange, _ limit: Int
    ) throws -> Answer {
        var keys: [Key] = []
        var leaves: [Hash256] = []
        let (namespace, shelf) = (address.namespace, address.shelf)
        try store.scanLeaves(namespace, shelf, range) { (key, leaf) throws(StoreError) in
            keys.append(key)
            leaves.append(leaf)
            return keys.count < limit
        }
        return .leaves(keys, leaves)
    }

    private static func rows(
        _ store: any Store, _ address: RowAddress, _ range: KeyRange, _ limit: Int,
        _ visit: (Key) throws(StoreError) -> Void
    ) throws -> Answer {
        var keys: [Key] = []
        var rows: [StoredRow] = []
        let (namespace, shelf) = (address.namespace, address.shelf)
        try store.scanRows(namespace, shelf, range) { (key, row) throws(StoreError) in
            keys.append(key)
            rows.append(row)
            try visit(key)
            return keys.count < limit
        }
        return .rows(keys, rows)
    }
}
