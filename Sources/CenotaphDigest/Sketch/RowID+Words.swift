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
        var early = firstCells(isDense) & (size < SketchBlocks.first ? 1 << size - 1 : 0xffff)
        while early != 0 {
            visit(early.trailingZeroBitCount)
            early &= early &- 1
        }
        let bounds = SketchBlocks.bounds.span
        var group = 0
        while group < 2, bounds[64 &* group] < size {
            let (a, b) = (word(3 &* group &+ 3), word(3 &* group &+ 4))
            var mask = isDense ? a | b : a & b & word(3 &* group &+ 5)
            while mask != 0 {
                let block = 64 &* group &+ mask.trailingZeroBitCount
                guard block < SketchBlocks.count else { return }
                let low = bounds[block]
                guard low < size else { return }
                let width = UInt64(truncatingIfNeeded: bounds[block &+ 1] &- low)
                let offset = ((word(16 &+ block) >> 32) &* width) >> 32
                let cell = low &+ Int(truncatingIfNeeded: offset)
                if cell < size { visit(cell) }
                mask &= mask &- 1
            }
            group &+= 1
        }
    }

    /// The cells below 16 that the id is in, a bit each.
    @inline(__always)
    private func firstCells(_ isDense: Bool) -> UInt64 {
        let limits = isDense ? SketchBlocks.dense : SketchBlocks.sparse
        return RowID.bytes(of: word(1), notAbove: limits.0)
            | RowID.bytes(of: word(2), notAbove: limits.1) << 8
    }

    /// Which bytes of a word, the highest first, are not above those of another one; a bit each, the lowest first.
    ///
    /// Without a branch: which cells an id is in cannot be guessed. The bytes are compared four at a time in lanes of
    /// 16 bits, of which bit 8 stays set where nothing was borrowed; the product gathers one bit of each byte.
    @inline(__always)
    private static func bytes(of word: UInt64, notAbove limits: UInt64) -> UInt64 {
        let lanes: UInt64 = 0x00ff_00ff_00ff_00ff
        let carries: UInt64 = 0x0100_0100_0100_0100
        let (a, b) = (word.byteSwapped, limits.byteSwapped)
        let even = ((b & lanes | carries) &- (a & lanes)) & carries
        let odd = ((b >> 8 & lanes | carries) &- (a >> 8 & lanes)) & carries
        return ((even >> 8 | odd) &* 0x0102_0408_1020_4080) >> 56
    }
}

/// The blocks that the cells from 16 on are cut into, and the chances of the cells before them.
enum SketchBlocks {
    /// Cells that have a chance each.
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
    /// The numbers of Spec SKETCH-005 less one, a byte each, cells 0 to 7 and 8 to 15: an id is in a cell if its byte
    /// is not above.
    static let sparse: (UInt64, UInt64) = (0xff97_6b53_4339_312b, 0x2723_201d_1b19_1716)
    static let dense: (UInt64, UInt64) = (0xffe5_cfbe_afa2_978d, 0x857d_7670_6b66_615d)
}
