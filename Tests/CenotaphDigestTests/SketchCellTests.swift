import CenotaphDigest
import CenotaphWire
import TestSupport
import Testing

/// The cells of an id, against Spec SKETCH-003 to SKETCH-005 written down as they stand there.
@Suite struct SketchCellTests {
    /// The page of the specification, slow and without a trick.
    private enum Page {
        static let sparse = [
            256, 152, 108, 84, 68, 58, 50, 44, 40, 36, 33, 30, 28, 26, 24, 23,
        ]
        static let dense = [
            256, 230, 208, 191, 176, 163, 152, 142, 134, 126, 119, 113, 108, 103, 98, 94,
        ]
        static let steps: [UInt64] = [
            1_048_576, 1_143_480, 1_246_974, 1_359_835, 1_482_910, 1_617_125, 1_763_488, 1_923_097,
        ]

        static func word(_ id: UInt64, _ index: UInt64) -> UInt64 {
            var z = id &+ (index &+ 1) &* 0x9e37_79b9_7f4a_7c15
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }

        static func bound(_ block: Int) -> UInt64 {
            var power: UInt64 = 1
            for _ in 0..<(block / 8) { power *= 2 }
            return steps[block % 8] * power / 65_536
        }

        static func isDense(_ id: UInt64) -> Bool { (word(id, 0) >> 28) & 15 < 3 }

        /// SKETCH-011 to SKETCH-013, the last pure cell first; `nil` where the difference is not decoded.
        static func difference(
            _ cells: [SketchCell], excess: Int
        ) -> (a: [RowID], b: [RowID])? {
            func isPure(_ cell: SketchCell) -> Bool {
                (cell.number == 1 || cell.number == 255)
                    && word(cell.ids, 0) >> 40 == UInt64(cell.checks)
            }
            var (cells, noted) = (cells, [RowID: Bool]())
            var pure = cells.indices.filter { isPure(cells[$0]) }
            while let index = pure.popLast() {
                let cell = cells[index]
                guard isPure(cell) else { continue }
                guard noted.count < cells.count else { return nil }
                guard noted.updateValue(cell.number == 1, forKey: RowID(cell.ids)) == nil else {
                    return nil
                }
                for other in Page.cells(cell.ids) where other < cells.count {
                    cells[other] = SketchCell(
                        ids: cells[other].ids ^ cell.ids, checks: cells[other].checks ^ cell.checks,
                        number: cells[other].number &- cell.number)
                    if isPure(cells[other]) { pure.append(other) }
                }
            }
            let a = noted.filter(\.value).keys.sorted()
            let b = noted.filter { !$0.value }.keys.sorted()
            guard cells.allSatisfy({ $0 == .zero }), a.count - b.count == excess else { return nil }
            return (a, b)
        }

        /// All cells of an id, up to cell 65,535.
        static func cells(_ id: UInt64) -> [Int] {
            var cells: [Int] = []
            let isDense = isDense(id)
            for cell in 0..<16 {
                let word = word(id, cell < 8 ? 1 : 2)
                let byte = Int((word >> UInt64(8 * (7 - cell % 8))) & 255)
                if byte < (isDense ? dense : sparse)[cell] { cells.append(cell) }
            }
            for block in 0..<96 {
                let group = UInt64(block / 64)
                let words = (0..<3).map { word(id, 3 * group + 3 + $0) }
                let mask = isDense ? words[0] | words[1] : words[0] & words[1] & words[2]
                guard (mask >> UInt64(block % 64)) & 1 == 1 else { continue }
                let (low, high) = (bound(block), bound(block + 1))
                let high32 = word(id, 16 + UInt64(block)) >> 32
                cells.append(Int(low + ((high32 * (high - low)) >> 32)))
            }
            return cells
        }
    }

    @Test func cellsOfRandomIDs() {
        var random = SeededGenerator("cellsOfRandomIDs")
        // Ids whose words are odd ones, and then any.
        let edges = [0, 1, 0xffff_ffff_ffff, 0xffff_ffff_fffe, 0x8000_0000_0000, 0xff_ffff]
        var dense = 0
        for number in 0..<100_000 {
            let id = RowID(number < edges.count ? UInt64(edges[number]) : random.next() >> 16)
            let expected = Page.cells(id.number)
            let traits = id.traits
            if traits.isDense { dense += 1 }
            for size in [1, 15, 16, 17, 1_000, 65_536] {
                var cells: [Int] = []
                id.forEachCell(below: size, traits) { cells.append($0) }
                if cells == expected.filter({ $0 < size }) { continue }
                Issue.record("id \(id), size \(size): \(cells), not \(expected)")
                return
            }
            guard traits.check == UInt32(Page.word(id.number, 0) >> 40),
                traits.counter == Int((Page.word(id.number, 0) >> 33) & 127),
                traits.isDense == Page.isDense(id.number), expected.first == 0
            else {
                Issue.record("id \(id)")
                return
            }
        }
        #expect((17_000..<20_500).contains(dense), "three ids of sixteen are dense")
    }

    /// What is added and taken out again leaves nothing, and the first part of a sketch is a sketch.
    @Test func sumsCancel() {
        var random = SeededGenerator("sumsCancel")
        let ids = (0..<2_000).map { _ in RowID(random.next() >> 16) }
        for size in [1, 15, 16, 17, 1_000, 65_536] {
            var sketch = Sketch(size: size)
            for id in ids { sketch.add(id) }
            #expect(sketch.cells[0].number == UInt8(2_000 % 256))
            var first = Sketch(size: max(1, size / 2))
            for id in ids.reversed() { first.add(id) }
            #expect(sketch.prefix(max(1, size / 2)) == first)
            for id in ids.shuffled(using: &random) { sketch.remove(id) }
            #expect(sketch == Sketch(size: size))
        }
    }

    /// Cells of nobody's sketch: what the page refuses is refused, at whatever point an id is noted twice.
    @Test func forgedCells() {
        var random = SeededGenerator("forgedCells")
        let pool = (0..<3).map { _ in RowID(random.next() >> 16) }
        var ends: [Bool: Int] = [:]
        for _ in 0..<50_000 {
            var cells = [SketchCell](repeating: .zero, count: Int(random.next() % 3) + 1)
            for _ in 0..<(random.next() % 5) {
                let id = pool[Int(random.next() % 3)]
                let isIn = random.next() % 2 == 0
                for index in cells.indices where random.next() % 3 > 0 {
                    let cell = cells[index]
                    cells[index] = SketchCell(
                        ids: cell.ids ^ id.number, checks: cell.checks ^ id.traits.check,
                        number: cell.number &+ (isIn ? 1 : 255))
                }
            }
            let none = [SketchCell](repeating: .zero, count: cells.count)
            for excess in [-1, 0, 1] {
                let found = SketchDifference(
                    cells[...], none[...], excess: UInt64(bitPattern: Int64(excess)))
                let expected = Page.difference(cells, excess: excess)
                ends[expected != nil, default: 0] += 1
                guard found?.onlyA != expected?.a || found?.onlyB != expected?.b else { continue }
                Issue.record("\(cells), excess \(excess): \(String(describing: found))")
                return
            }
        }
        #expect(ends[true, default: 0] > 100 && ends[false, default: 0] > 100)
    }

    /// Sketches of sets that differ in few rows tell which; too few cells do not, and cells of noise end.
    @Test func differences() throws {
        var random = SeededGenerator("differences")
        for count in [0, 1, 10, 200] {
            let size = 48 + 2 * count
            var (a, b) = (Sketch(size: size), Sketch(size: size))
            for _ in 0..<1_000 {
                let id = RowID(random.next() >> 16)
                a.add(id)
                b.add(id)
            }
            let onlyA = (0..<count).map { _ in RowID(random.next() >> 16) }.sorted()
            let onlyB = (0..<(count / 3)).map { _ in RowID(random.next() >> 16) }.sorted()
            for id in onlyA { a.add(id) }
            for id in onlyB { b.add(id) }
            let excess = UInt64(onlyA.count) &- UInt64(onlyB.count)
            let found = try #require(
                SketchDifference(a.cells[...], b.cells[...], excess: excess),
                "CENOTAPH_SEED=\(SeededGenerator.seed)")
            #expect(found.onlyA == onlyA)
            #expect(found.onlyB == onlyB)
            #expect(SketchDifference(a.cells[...], b.cells[...], excess: excess &+ 1) == nil)
            if count == 200 {
                #expect(
                    SketchDifference(a.cells[..<100], b.cells[..<100], excess: excess) == nil)
            }
            let noise = (0..<size).map { _ in
                SketchCell(
                    ids: random.next(), checks: UInt32(truncatingIfNeeded: random.next()),
                    number: UInt8(truncatingIfNeeded: random.next()))
            }
            #expect(SketchDifference(a.cells[...], noise[...], excess: 0) == nil)
            // A pure cell everywhere: the same id again and again.
            let cell = SketchCell(ids: 7, checks: RowID(7).traits.check, number: 1)
            let same = [SketchCell](repeating: cell, count: size)
            let none = [SketchCell](repeating: .zero, count: size)
            #expect(SketchDifference(same[...], none[...], excess: 1) == nil)
        }
    }
}
