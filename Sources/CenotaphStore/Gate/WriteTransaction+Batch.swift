public import CenotaphMerge
public import CenotaphWire

extension WriteTransaction {
    /// Merges rows that a peer sent, in the order of their keys, which is the order that a store writes fastest in.
    ///
    /// As `merge(_:_:)` for each. Returns the outcomes in the order of `rows`. O(n log n).
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func merge(_ name: NamespaceName, _ rows: [Row]) throws(GateError) -> [MergeOutcome] {
        let table = try table(name)
        table.expect(rows.count)
        var outcomes = [MergeOutcome](repeating: .unchanged, count: rows.count)
        for index in rows.map(\.key).ascending {
            outcomes[index] = try merge(name, rows[index], into: table)
        }
        return outcomes
    }
}

extension [Key] {
    /// The indices in the order of the keys; equal keys keep theirs.
    var ascending: [Int] {
        let places = indices.map { (prefix: self[$0].prefix, index: $0) }
        return places.sorted { a, b in
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            let (first, second) = (self[a.index], self[b.index])
            return first == second ? a.index < b.index : first < second
        }.map(\.index)
    }
}
