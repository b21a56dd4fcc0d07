"""sketch.json: row ids, cells, sketches and differences of 12."""

import leaves
import sketch
from build import Area
from leaves import keyed, plain
from primitives import blob, u8
from samples import A, DIGEST_KEY, at, noise

FLAGS = {
    "Id": {"why": "the id of a row", "bugType": "CANONICAL", "effect": "nothing cancels: every row looks different"},
    "Words": {"why": "the words of an id", "bugType": "ARITHMETIC", "effect": "no sketch of another implementation decodes"},
    "Cells": {"why": "the cells of an id", "bugType": "ARITHMETIC", "effect": "no sketch of another implementation decodes"},
    "Boundary": {"why": "the ends of a sketch or of a block", "bugType": "OFF_BY_ONE", "effect": "a cell is missed or written twice"},
    "Wrap": {"why": "numbers modulo 256", "bugType": "ARITHMETIC", "effect": "large sets do not decode"},
    "Decode": {"why": "what two sketches tell", "bugType": "VALIDATION", "effect": "rows are asked for that are not there"},
    "Hostile": {"why": "cells that no set has", "bugType": "RESOURCE", "effect": "a peer keeps another one busy, or is believed"},
    "Answer": {"why": "what answers a peer's sketch", "bugType": "VALIDATION", "effect": "two peers do not go on in the same way"},
    "Estimate": {"why": "the number of differences", "bugType": "ARITHMETIC", "effect": "too few cells, or far too many"},
}
NAME = b"notes"
NS = leaves.namespace_key(DIGEST_KEY, NAME)
BASE = {"digestKey": DIGEST_KEY, "namespace": NAME}


def rows(label, n):
    return sorted({int.from_bytes(noise(f"sketch {label} {i}", 6), "big") for i in range(n)})


def hexes(ids):
    return " ".join(f"{row:012x}" for row in ids)


def make():
    a = Area("sketch", "sketch", "row ids, cells, sketches, differences", FLAGS)
    for part in (ids, indexes, cells, differences, hostile, estimates, bounds, far, answers):
        part(a)
    return a


def ids(a):
    def ok(key, leaf, comment):
        right = sketch.row_id(NS, key, leaf)
        tag = leaf[:3]
        wrong = {(plain(NS + u8(0x30) + key)[:3] + tag).hex(): "the key lacks its length (SKETCH-001)",
                 (plain(NS + blob(key))[:3] + tag).hex(): "the byte 30 is missing (SKETCH-001)",
                 (keyed(NS, u8(0x30) + blob(key))[:3] + tag).hex(): "keyed mode instead of a prefix (SKETCH-001)",
                 (tag + sketch.place(NS, key)).hex(): "leaf before place (SKETCH-002)",
                 (sketch.place(NS, key) + leaf[-3:]).hex(): "the end of the leaf (SKETCH-002)",
                 leaf[:6].hex(): "the leaf alone: an edited row has another place (SKETCH-002)"}
        wrong.pop(f"{right:012x}", None)
        a.ok("id", "sketch.id", {**BASE, "key": key, "leaf": leaf}, "SKETCH-001 SKETCH-002 SKETCH-004", comment, "Id", wrong)

    for body, comment in ((b"one", "a causal row"), (b"two", "the same row, edited: the same place"), (None, "and deleted")):
        ok(b"k", leaves.leaf(NS, 3, leaves.content_causal(b"k", [(A, at(1), body)])), comment)
    for n, comment in ((16, "a key of sixteen bytes"), (128, "a key whose length takes two bytes"), (512, "the longest key")):
        ok(noise("sketch key", n), noise("sketch leaf", 32), comment)
    ok(b"zero", bytes(32), "a leaf of zeros")
    for n in range(8):
        ok(noise(f"sketch key {n}", 16), noise(f"sketch leaf {n}", 32), "")


def indexes(a):
    def ok(row, size, comment="", flags="Cells"):
        a.ok("indexes", "sketch.indexes", {"row": f"{row:012x}", "size": size}, "SKETCH-003 SKETCH-005", comment, flags,
             mistakes(row, size))

    def mistakes(row, size):
        right, out = sketch.indexes(row, size), {}
        first = [i for i in right if i < 16]
        dense = sketch.is_dense(row)
        for other, diagnosis in ((lambda k: sketch.in_block(row, k, not dense), "dense and sparse are exchanged (SKETCH-004)"),
                                 (lambda k: sketch.in_block(row, k - k % 64 + 63 - k % 64, dense), "bits are counted from the highest")):
            got = first + [c for k in range(96) if other(k) for c in [sketch.BOUNDS[k] + (
                (sketch.word(row, 16 + k) >> 32) * (sketch.BOUNDS[k + 1] - sketch.BOUNDS[k]) >> 32)] if c < size]
            if got != right and got:
                out[" ".join(map(str, got))] = diagnosis
        return out

    ok(0, 65_536, "the id of zeros", "Cells Words")
    ok(2**48 - 1, 65_536, "the id of ones", "Cells Words")
    ok(1, 65_536)
    dense = [row for row in rows("dense", 60) if sketch.is_dense(row)][:3]
    for row in dense:
        ok(row, 65_536, "a dense id")
    for row in rows("sparse", 6):
        ok(row, 65_536, "" if sketch.is_dense(row) else "a sparse id")
    row = dense[0]
    for size in (1, 2, 15, 16, 17, 32, 1024, 2895, 2896, 2897):
        ok(row, size, f"{size} cells: what lies beyond is left out", "Boundary")
    last = sketch.indexes(row, 65_536)[-1]
    ok(row, last, "ends before its last cell", "Boundary")
    ok(row, last + 1, "ends after its last cell", "Boundary")
    ok(186, 65_536, "a sparse id of whose words for the blocks from 64 on no bit stands beyond the last block", "Boundary")


def cells(a):
    def ok(members, size, comment, flags="Cells"):
        a.ok("cells", "sketch.cells", {"rows": hexes(members), "size": size}, "SKETCH-006 SKETCH-007 SKETCH-008", comment, flags)

    ok([], 4, "nothing", "Boundary")
    ok(rows("one", 1), 24, "one row: every cell of it is the row")
    ok(rows("two", 2), 1, "the first cell holds every row", "Boundary")
    ok(rows("ten", 10), 24, "ten rows, 24 cells")
    ok(rows("hundred", 100), 64, "a hundred rows, 64 cells")
    ok(rows("many", 300), 24, "300 rows: the first cell's number is 44", "Wrap")
    ok(rows("wide", 20), 300, "twenty rows, 300 cells")


def differences(a):
    def ok(only_a, only_b, common, size, comment, flags="Decode", counts=None, expect="1"):
        left, right = common + only_a, common + only_b
        fields = {"a": sketch.spell(sketch.cells(left, size)), "b": sketch.spell(sketch.cells(right, size)),
                  "countA": len(left) if counts is None else counts[0], "countB": len(right) if counts is None else counts[1]}
        a.ok("difference", "sketch.difference", fields, "SKETCH-010 SKETCH-011 SKETCH-012", comment, flags,
             expect={"decoded": expect})

    common = rows("common", 200)
    ok([], [], common, 24, "equal sets")
    ok([], [], [], 1, "two empty sets", "Boundary")
    ok(rows("l1", 1), [], common, 24, "one row only in a")
    ok([], rows("r1", 1), common, 24, "one row only in b: its numbers are 255", "Decode Wrap")
    ok(rows("l1", 1), rows("r1", 1), common, 24, "an edited row is two differences")
    ok(rows("l5", 5), rows("r4", 4), common, 24, "nine differences in 24 cells")
    ok(rows("l9", 90), rows("r9", 60), common, 300, "150 differences in 300 cells")
    ok(rows("l2", 260), [], [], 600, "260 rows against none: numbers wrap around", "Wrap")
    ok(rows("l40", 40), rows("r40", 40), common, 24, "eighty differences in 24 cells: not decoded", expect="0")
    ok(rows("l1", 1), [], common, 24, "decoded, but the counts do not fit", counts=(200, 200), expect="0")
    ok(rows("l1", 1), [], common, 24, "decoded, but the counts say b", counts=(200, 201), expect="0")


def hostile(a):
    def ok(left, right, comment, counts=(1, 0)):
        a.ok("difference", "sketch.difference", {"a": sketch.spell(left), "b": sketch.spell(right), "countA": counts[0],
             "countB": counts[1]}, "SKETCH-011 SKETCH-012 SKETCH-013", comment, "Hostile", expect={"decoded": "0"})

    row = rows("one", 1)[0]
    none = [(0, 0, 0)] * 24
    good = sketch.cells([row], 24)
    ok([(row, sketch.check(row), 1)] * 24, none, "every cell claims the row: what it is not in stays")
    ok([(ids, checks ^ 1 if number else 0, number) for ids, checks, number in good], none, "no check is right")
    ok([(ids, checks, 2 * number) for ids, checks, number in good], none, "each number is 2: no cell is pure")
    ok([(row, sketch.check(row), 1)] + [(0, 0, 0)] * 23, none, "a row in the first cell alone: taken out of the others, it comes back")
    ok([(0, 0, 1)] * 24, none, "numbers without ids")
    ok([(0, sketch.check(0), 1)] * 24, none, "an id of zeros in every cell")


def estimates(a):
    def ok(left, right, comment):
        a.ok("estimate", "sketch.estimate", {"a": sketch.counters(left), "b": sketch.counters(right)}, "SKETCH-008 SKETCH-014",
             comment, "Estimate")

    common = rows("common", 200)
    ok(common, common, "equal sets")
    ok(common + rows("l1", 1), common, "one difference")
    ok(common + rows("l9", 30), common + rows("r9", 20), "fifty differences")
    ok(common, [], "everything differs")
    a.ok("estimate", "sketch.estimate", {"a": b"\x80" * 128, "b": bytes(128)}, "SKETCH-014", "the lowest of all: -128 each", "Estimate Wrap")
    a.ok("estimate", "sketch.estimate", {"a": b"\x7f" * 128, "b": bytes(128)}, "SKETCH-014", "the highest: 127 each", "Estimate Wrap")
    a.ok("estimate", "sketch.estimate", {"a": b"\x01" * 128, "b": b"\xff" * 128}, "SKETCH-014", "1 less 255 is 2", "Estimate Wrap")


# Five ids (found by search) that have, below cell 4, the cells named; of the last four, ids and checks cancel. So once x, which
# alone looks pure, is taken out, cell 0 is zero, and a decoder that looks at the cells of an id from the highest down (the first
# five), or at all cells in turn (the others), finds the other four in the four cells as well.
FROM_ABOVE = (0x0EB848707FE5, 0x6C8C4A683AE2, 0x4BB3432E69F1, 0x8940DAAEB341, 0xAE7FD3E8E052)   # 0123 023 012 01 0
IN_TURN = (0xD2B1B0F3495B, 0x1301683168F1, 0xD8EC26605882, 0x5512EECF6A0B, 0x9EFFA09E5A78)      # 0123 03 02 01 0


def bounds(a):
    def ok(only_a, only_b, size, comment, expect):
        a.ok("difference", "sketch.difference", {"a": sketch.spell(sketch.cells(only_a, size)), "b": sketch.spell(sketch.cells(only_b, size)),
             "countA": len(only_a), "countB": len(only_b)}, "SKETCH-012 SKETCH-013", comment, "Hostile Boundary", expect={"decoded": expect})

    inside = {n: next(row for row in rows("bounds", 40) if len(sketch.indexes(row, 2)) == n) for n in (1, 2)}
    ok([inside[1]], [], 1, "as many ids as cells: one", "1")
    ok([inside[1], inside[2]], [], 2, "as many ids as cells: two", "1")
    ok([inside[2]], [inside[1]], 2, "as many ids as cells: one on each side", "1")
    for x, p, q, r, s in (FROM_ABOVE, IN_TURN):
        ok([x, p, q], [r, s], 4, "five ids in four cells, made so that they cancel: whatever is taken out first, an id comes a second time or a fifth one comes", "0")


def far(a):
    """Sizes that are far apart, or great, and sketches with many blocks."""
    def ok(only_a, only_b, count_a, count_b, comment, expect):
        a.ok("difference", "sketch.difference", {"a": sketch.spell(sketch.cells(only_a, 24)), "b": sketch.spell(sketch.cells(only_b, 24)),
             "countA": count_a, "countB": count_b}, "SKETCH-012", comment, "Hostile Boundary", expect={"decoded": expect})

    most, some = 2**64 - 1, rows("far", 3)
    ok(some[:2], some[2:], most, most - 1, "the greatest size of all", "1")
    ok([], some, most - 3, most, "the greatest size, of the other", "1")
    ok(some[:1], [], 0, most, "0 - (2^64 - 1) is not 1", "0")
    ok([], some[:1], most, 0, "2^64 - 1 is not -1", "0")
    ok(some[:1], [], 2**63, 2**63 - 1, "sizes on both sides of 2^63", "1")
    ok([], [], 2**63, 2**63, "equal sizes, no id", "1")
    ok([], [], most, 0, "far apart, no id", "0")
    for members, size in ((rows("far cells", 30), 1_000), (rows("far cells", 12), 2_897), (rows("far cells", 2), 65_536)):
        a.ok("cells", "sketch.cells", {"rows": hexes(members), "size": size}, "SKETCH-005 SKETCH-006 SKETCH-007 SKETCH-008",
             f"{len(members)} rows, {size} cells", "Cells Boundary")


def counters_for(estimate):
    """Counters whose estimate against zeros is that number."""
    out = []
    while estimate:
        d = min(127, int(estimate**0.5))
        out.append(d)
        estimate -= d * d
    return bytes(out + [0] * (128 - len(out)))


def answers(a):
    def ok(cells_a, cells_b, counters, count_a, count_b, comment, answer, flags="Answer", **expect):
        a.ok("answer", "sketch.answer", {"a": sketch.spell(cells_a), "b": sketch.spell(cells_b), "countersA": counters[0], "countersB": counters[1],
             "countA": count_a, "countB": count_b}, "SYNC-042", comment, flags, expect={"answer": answer, **expect})

    def sets(only_a, only_b, comment, answer, common=30, size=24, extra=0, **expect):
        shared = rows("answer common", common)
        left, right = shared + only_a, shared + only_b
        ok(sketch.cells(left, size), sketch.cells(right, size), (sketch.counters(left), sketch.counters(right)), len(left) + extra, len(right),
           comment, answer, **expect)

    def noise_(e, count_a, count_b, comment, answer, **expect):
        ok([(0, 1, 2)] * 4, [(0, 0, 0)] * 4, (counters_for(e), bytes(128)), count_a, count_b, comment, answer, "Answer Boundary", **expect)

    some = rows("answer", 80)
    sets(some[:3], some[3:5], "ids on both sides", "rows")
    sets(some[:2], [], "ids only in one's own", "rows", onlyB="")
    sets([], some[:2], "ids only in the peer's", "rows", onlyA="")
    sets([], [], "equal ids", "equal")
    sets([], [], "equal ids, but not as many rows: not decoded", "cells", extra=1, cells="48")
    sets(some[:40], some[40:], "too many for 24 cells", "cells", common=60)
    sets(some[:40], some[40:], "few rows beside what differs: all of them cost less", "tooMany", common=0)
    noise_(0, 24, 24, "an estimate of 0 and not decoded: 48 cells, as many as there are rows", "cells", cells="48")
    noise_(0, 24, 23, "one row fewer than cells", "tooMany", estimate="0")
    noise_(1, 1_000, 1_000, "an odd estimate: its half is rounded down", "cells", cells="49")
    noise_(3, 26, 26, "52 cells, and 52 rows in both together", "cells", cells="52")
    noise_(3, 52, 0, "all of them on one side", "cells", cells="52")
    noise_(43_659, 2**40, 0, "the greatest sketch: 65,536 cells", "cells", cells="65536")
    noise_(43_660, 2**40, 0, "it would have two cells more", "tooMany", estimate="43660")
    noise_(100, 2**64 - 1, 2**64 - 1, "the sum of both counts does not wrap around", "cells", cells="198")
    noise_(100, 2**64 - 1, 1, "not to 0 either", "cells", cells="198")
