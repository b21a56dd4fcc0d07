package import CenotaphWire

extension RowID {
    /// Word `index` of the id (Spec SKETCH-003).
    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        var z = number &+ UInt64(truncatingIfNeeded: index + 1) &* 0x9e37_79b9_7f4a_7c15
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// What word 0 says (Spec SKETCH-004).
    @inline(__always)
    package var traits: Traits { Traits(word: word(0)) }

    /// The check, the counter and the density of an id.
    package struct Traits {
        let word: UInt64

        /// The check, 24 bits.
        package var check: UInt32 { UInt32(truncatingIfNeeded: word >> 40) }
        /// The number of the counter, 0 to 127.
        package var counter: Int { Int(truncatingIfNeeded: word >> 33 & 127) }
        /// Whether the id counts up.
        package var isUp: Bool { word >> 32 & 1 == 1 }
        /// Whether the id is dense.
        package var isDense: Bool { word >> 28 & 15 < 3 }
    }
}

extension RowID {
    /// Visits the cells below `size` that the id is in, ascending (Spec SKETCH-005).
    ///
    /// About 28 cells at most, each at the cost of one multiplication of 64 bits or two.
    @inline(__always)
    package func forEachCell(below size: Int, _ traits: Traits, _ visit: (Int) -> Void) {
        let isDense = traits.isDense
        let thresholds = isDense ? SketchBlocks.dense : SketchBlocks.sparse
        var chances = word(1)
        for cell in 0..<min(SketchBlocks.first, size) {
            if cell == 8 { chances = word(2) }
            let chance = UInt16(truncatingIfNeeded: chances >> UInt64(56 &- 8 &* (cell & 7)) & 0xff)
            if chance < thresholds[cell] { visit(cell) }
        }
        var group = 0
        while group < 2, SketchBlocks.bounds[64 &* group] < size {
            let (a, b) = (word(3 &* group &+ 3), word(3 &* group &+ 4))
            var mask = isDense ? a | b : a & b & word(3 &* group &+ 5)
            while mask != 0 {
                let block = 64 &* group &+ mask.trailingZeroBitCount
                guard block < SketchBlocks.count else { return }
                let low = SketchBlocks.bounds[block]
                guard low < size else { return }
                let width = UInt64(truncatingIfNeeded: SketchBlocks.bounds[block &+ 1] &- low)
                let offset = ((word(16 &+ block) >> 32) &* width) >> 32
                let cell = low &+ Int(truncatingIfNeeded: offset)
                if cell < size { visit(cell) }
                mask &= mask &- 1
            }
            group &+= 1
        }
    }
}

/// The blocks that the cells from 16 on are cut into, and the chances of the cells before them.
enum SketchBlocks {
    /// Cells that have a threshold each.
    static let first = 16
    /// The number of blocks.
    static let count = 96
    /// Where each block begins, and the end of the last one.
    static let bounds: [Int] = (0...count).map { block in
        let steps = [
            1_048_576, 1_143_480, 1_246_974, 1_359_835, 1_482_910, 1_617_125, 1_763_488, 1_923_097,
        ]
        return (steps[block % 8] << (block / 8)) >> 16
    }
    static let sparse: [UInt16] = [
        256, 152, 108, 84, 68, 58, 50, 44, 40, 36, 33, 30, 28, 26, 24, 23,
    ]
    static let dense: [UInt16] = [
        256, 230, 208, 191, 176, 163, 152, 142, 134, 126, 119, 113, 108, 103, 98, 94,
    ]
}
