"""Sketches of 12: row ids, the cells of an id, sketches of sets, and what two of them tell.

A sketch is a list of cells (ids, checks, number); ids of rows are numbers below 2^48.
"""

from leaves import plain
from primitives import blob, u8

FIRST = 16                     # cells that have a threshold each
BLOCKS = 96
MAX_CELLS = 65_536
COUNTERS = 128
MASK = 2**64 - 1
STEPS = (1048576, 1143480, 1246974, 1359835, 1482910, 1617125, 1763488, 1923097)
BOUNDS = tuple(STEPS[k % 8] << k // 8 >> 16 for k in range(BLOCKS + 1))
THRESHOLDS = ((256, 152, 108, 84, 68, 58, 50, 44, 40, 36, 33, 30, 28, 26, 24, 23),
              (256, 230, 208, 191, 176, 163, 152, 142, 134, 126, 119, 113, 108, 103, 98, 94))


def place(ns_key, key):
    """SKETCH-001."""
    return plain(ns_key + u8(0x30) + blob(key))[:3]


def row_id(ns_key, key, leaf):
    """SKETCH-002."""
    return int.from_bytes(place(ns_key, key) + leaf[:3], "big")


def word(row, j):
    """SKETCH-003."""
    z = row + (j + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def check(row):
    """SKETCH-004."""
    return word(row, 0) >> 40


def counter(row):
    """SKETCH-004: the number of the counter, and 1 or -1."""
    w = word(row, 0)
    return w >> 33 & 127, 1 if w >> 32 & 1 else -1


def is_dense(row):
    """SKETCH-004."""
    return word(row, 0) >> 28 & 15 < 3


def indexes(row, below):
    """SKETCH-005: the cells below `below` that the id is in, ascending."""
    dense, out = is_dense(row), []
    chances = word(row, 1).to_bytes(8, "big") + word(row, 2).to_bytes(8, "big")
    for i in range(min(FIRST, below)):
        if chances[i] < THRESHOLDS[dense][i]:
            out.append(i)
    for k in range(BLOCKS):
        if BOUNDS[k] >= below:
            break
        if in_block(row, k, dense):
            cell = BOUNDS[k] + ((word(row, 16 + k) >> 32) * (BOUNDS[k + 1] - BOUNDS[k]) >> 32)
            if cell < below:
                out.append(cell)
    return out


def in_block(row, k, dense):
    """SKETCH-005: whether the id is in block k."""
    first, second, third = (word(row, 3 * (k // 64) + n) for n in (3, 4, 5))
    mask = first | second if dense else first & second & third
    return mask >> k % 64 & 1


def cells(rows, size):
    """SKETCH-006, SKETCH-007."""
    out = [[0, 0, 0] for _ in range(size)]
    for row in rows:
        add(out, row, 1)
    return [tuple(cell) for cell in out]


def add(sketch, row, sign):
    for i in indexes(row, len(sketch)):
        cell = sketch[i]
        cell[0] ^= row
        cell[1] ^= check(row)
        cell[2] = cell[2] + sign & 0xFF


def counters(rows):
    """SKETCH-008."""
    out = [0] * COUNTERS
    for row in rows:
        c, sign = counter(row)
        out[c] = out[c] + sign & 0xFF
    return bytes(out)


def subtract(a, b):
    """SKETCH-010."""
    return [(x[0] ^ y[0], x[1] ^ y[1], x[2] - y[2] & 0xFF) for x, y in zip(a, b)]


def take_apart(difference, excess=None):
    """SKETCH-011 to SKETCH-013: (only in a, only in b), each ascending, or None."""
    left, only, todo = [list(cell) for cell in difference], {}, list(range(len(difference)))
    while todo:
        ids, checks, number = left[todo.pop()]
        if number not in (1, 255) or check(ids) != checks:
            continue
        if ids in only or len(only) == len(left):
            return None
        only[ids] = number == 1
        add(left, ids, -1 if number == 1 else 1)
        todo += indexes(ids, len(left))
    sides = [sorted(row for row, in_a in only.items() if in_a == side) for side in (True, False)]
    if any(map(any, left)) or excess not in (None, len(sides[0]) - len(sides[1])):
        return None
    return sides


def estimate(a, b):
    """SKETCH-014."""
    return sum(((x - y + 128 & 0xFF) - 128) ** 2 for x, y in zip(a, b))


def answer(a, b, counters_a, counters_b, count_a, count_b):
    """SYNC-042: what answers a peer's sketch b, and what belongs to it; a is one's own."""
    found = take_apart(subtract(a, b), count_a - count_b)
    if found is not None:
        return ("rows", found) if any(found) else ("equal", None)
    e = estimate(counters_a, counters_b)
    wanted = 48 + e + e // 2
    return ("cells", wanted) if wanted <= min(MAX_CELLS, count_a + count_b) else ("tooMany", e)


def spell(sketch):
    """SKETCH-007."""
    return b"".join(ids.to_bytes(6, "big") + checks.to_bytes(3, "big") + u8(number) for ids, checks, number in sketch)


def read(data):
    """The cells that bytes of SKETCH-007 spell."""
    return [(int.from_bytes(data[n:n + 6], "big"), int.from_bytes(data[n + 6:n + 9], "big"), data[n + 9])
            for n in range(0, len(data), 10)]
