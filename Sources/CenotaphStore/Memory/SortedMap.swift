internal import CenotaphWire

/// A map from keys to values in key order, in chunks: a change moves at most one chunk and the list of chunks.
final class SortedMap<Value> {
    /// A place between or at the entries: a chunk, and an entry in it.
    struct Position {
        var chunk: Int
        var entry: Int
    }

    private struct Chunk {
        var keys: [Key]
        var values: [Value]
    }

    /// A chunk splits when it holds more, and joins its neighbour when both together hold half of it.
    private static var capacity: Int { 256 }

    /// No chunk is empty, and keys ascend in and across chunks.
    private var chunks: [Chunk] = []

    /// Counts changes: positions found before one are void after it.
    private(set) var changes: UInt64 = 0

    /// Whether there is nothing in it.
    var isEmpty: Bool { chunks.isEmpty }

    /// The value under a key.
    subscript(key: Key) -> Value? {
        let position = lowerBound(of: key)
        guard let entry = entry(at: position), entry.key == key else { return nil }
        return entry.value
    }

    /// The first position whose key is not below `key`; the first one of all for `nil`.
    func lowerBound(of key: Key?) -> Position {
        guard let key else { return Position(chunk: 0, entry: 0) }
        // The first chunk whose last key is not below: chunks before it hold lesser keys only.
        let chunk = SortedMap.partition(chunks.count) { index in
            chunks[index].keys[chunks[index].keys.count - 1] < key
        }
        guard chunk < chunks.count else { return Position(chunk: chunk, entry: 0) }
        let entry = SortedMap.partition(chunks[chunk].keys.count) { chunks[chunk].keys[$0] < key }
        return Position(chunk: chunk, entry: entry)
    }

    /// The entry at a position, or `nil` behind the last one.
    func entry(at position: Position) -> (key: Key, value: Value)? {
        guard position.chunk < chunks.count else { return nil }
        let chunk = chunks[position.chunk]
        return (chunk.keys[position.entry], chunk.values[position.entry])
    }

    /// The position behind that of an entry.
    func position(after position: Position) -> Position {
        guard position.entry + 1 < chunks[position.chunk].keys.count else {
            return Position(chunk: position.chunk + 1, entry: 0)
        }
        return Position(chunk: position.chunk, entry: position.entry + 1)
    }

    /// Every key, ascending.
    var keys: [Key] { chunks.flatMap(\.keys) }

    /// Writes or, with `nil`, removes the value under a key.
    ///
    /// Returns the value that was there.
    @discardableResult
    func set(_ key: Key, _ value: Value?) -> Value? {
        changes &+= 1
        let position = lowerBound(of: key)
        guard let entry = entry(at: position), entry.key == key else {
            if let value { insert(key, value, at: position) }
            return nil
        }
        if let value {
            chunks[position.chunk].values[position.entry] = value
        } else {
            remove(at: position)
        }
        return entry.value
    }

    private func insert(_ key: Key, _ value: Value, at position: Position) {
        var position = position
        if position.chunk == chunks.count {
            guard let last = chunks.indices.last else {
                chunks.append(Chunk(keys: [key], values: [value]))
                return
            }
            position = Position(chunk: last, entry: chunks[last].keys.count)
        }
        chunks[position.chunk].keys.insert(key, at: position.entry)
        chunks[position.chunk].values.insert(value, at: position.entry)
        let count = chunks[position.chunk].keys.count
        guard count > SortedMap.capacity else { return }
        let upper = Chunk(
            keys: Array(chunks[position.chunk].keys[(count / 2)...]),
            values: Array(chunks[position.chunk].values[(count / 2)...]))
        chunks[position.chunk].keys.removeLast(count - count / 2)
        chunks[position.chunk].values.removeLast(count - count / 2)
        chunks.insert(upper, at: position.chunk + 1)
    }

    private func remove(at position: Position) {
        chunks[position.chunk].keys.remove(at: position.entry)
        chunks[position.chunk].values.remove(at: position.entry)
        if chunks[position.chunk].keys.isEmpty {
            chunks.remove(at: position.chunk)
        } else if !join(position.chunk) {
            _ = join(position.chunk - 1)
        }
    }

    /// Joins a chunk and the one behind it, if there are two and they are small.
    private func join(_ index: Int) -> Bool {
        guard index >= 0, index + 1 < chunks.count else { return false }
        let count = chunks[index].keys.count + chunks[index + 1].keys.count
        guard count <= SortedMap.capacity / 2 else { return false }
        let upper = chunks.remove(at: index + 1)
        chunks[index].keys += upper.keys
        chunks[index].values += upper.values
        return true
    }

    /// The first index for which `isBelow` is false; it is true for all before.
    private static func partition(_ count: Int, _ isBelow: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A walk over a map in key order that goes on from the last key that was passed, whatever changed meanwhile.
struct SortedWalk<Value> {
    private let map: SortedMap<Value>
    private var position: SortedMap<Value>.Position
    private var changes: UInt64
    private var passed: Key?

    /// Begins at the first key that is not below `low`.
    init(_ map: SortedMap<Value>, from low: Key?) {
        self.map = map
        position = map.lowerBound(of: low)
        changes = map.changes
    }

    /// The entry that comes next.
    mutating func next() -> (key: Key, value: Value)? {
        if changes != map.changes, let passed {
            changes = map.changes
            position = map.lowerBound(of: passed)
            if map.entry(at: position)?.key == passed { position = map.position(after: position) }
        }
        return map.entry(at: position)
    }

    /// Goes beyond a key that was visited, here or in another map.
    mutating func pass(_ key: Key) {
        if changes == map.changes, map.entry(at: position)?.key == key {
            position = map.position(after: position)
        }
        passed = key
    }
}
