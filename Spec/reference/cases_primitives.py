"""primitives.json: numbers, byte strings, stamps and vectors of 02."""

from build import Area, edit
from primitives import blob, stamp, time8, uvarint, vector
from samples import A, B, C, HIGH, NOBODY, T0, noise

FLAGS = {
    "NonMinimal": {"why": "two byte strings for one number make two hashes of one state", "bugType": "CANONICAL",
                   "effect": "peers that hold the same never agree"},
    "Overflow": {"why": "a number beyond 64 bits that wraps around is another number", "bugType": "ARITHMETIC",
                 "effect": "a huge length is read as a small one"},
    "Truncated": {"why": "the input ends inside a value", "bugType": "BOUNDS", "effect": "reads beyond the input"},
    "Trailing": {"why": "bytes that nobody reads make a second spelling", "bugType": "CANONICAL",
                 "effect": "peers that hold the same never agree"},
    "Boundary": {"why": "the last value on either side of a change of size", "bugType": "OFF_BY_ONE",
                 "effect": "valid input is refused, or invalid input taken"},
    "Limit": {"why": "a length or count over its limit", "bugType": "RESOURCE",
              "effect": "an input allocates without bound"},
    "ZeroReplica": {"why": "sixteen zero bytes are no replica", "bugType": "VALIDATION",
                    "effect": "a write of nobody enters the state"},
    "TimeRange": {"why": "times are 1 to 2^63 - 1", "bugType": "VALIDATION", "effect": "a clock runs over"},
    "Unsorted": {"why": "a list that must ascend does not", "bugType": "CANONICAL",
                 "effect": "two spellings of one vector"},
}


def make():
    a = Area("primitives", "prim", "numbers, byte strings, stamps, vectors", FLAGS)
    numbers(a), byte_strings(a), stamps(a), vectors(a)
    return a


def numbers(a):
    def ok(value, comment="", flags="Boundary"):
        data = uvarint(value)
        little = value.to_bytes(len(data), "big").hex()
        return a.ok("uvarint", "uvarint.decode", {"bytes": data}, "PRIM-001 PRIM-002 PRIM-003", comment, flags,
                    {str(int(data.hex(), 16)): "the bytes were read as one big-endian number"}
                    if len(data) > 1 and little != data.hex() else None, {"value": str(value)})

    ids = {0: ok(0, "example of 02")}
    ids[1] = ok(1)
    for value, comment in ((127, "example of 02"), (128, "example of 02"), (300, "example of 02")):
        ids[value] = ok(value, comment)
    for bits in range(14, 64, 7):
        ids[2**bits - 1] = ok(2**bits - 1, f"greatest of {bits // 7} bytes")
        ids[2**bits] = ok(2**bits, f"least of {bits // 7 + 1} bytes")
    for value in (2**8 - 1, 2**8, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**53, 2**53 + 1, 2**64 - 1):
        ids[value] = ok(value, "not exact as a 64-bit float" if value == 2**53 + 1 else
                        "example of 02" if value == 2**64 - 1 else "")

    def no(of, edits, cls, req, comment, flags):
        a.no("uvarint", ids[of], "bytes", edits, cls, req, comment, flags)

    no(0, edit(0, 1), "truncated", "PRIM-001", "nothing at all", "Truncated")
    for value in (128, 2**14 - 1, 2**14, 2**63, 2**64 - 1):
        size = len(uvarint(value))
        no(value, edit(size - 1, 1), "truncated", "PRIM-001", "the last byte is missing", "Truncated")
    no(2**63, edit(4, 6), "truncated", "PRIM-001", "four bytes that announce more", "Truncated")
    for value in (0, 1, 127):
        no(value, edit(0, 1, bytes([value | 0x80, 0])), "noncanonical", "PRIM-002",
           f"{value} in two bytes", "NonMinimal")
    no(300, edit(1, 1, "8200"), "noncanonical", "PRIM-002", "300 in three bytes", "NonMinimal")
    no(0, edit(0, 1, "808000"), "noncanonical", "PRIM-002", "0 in three bytes", "NonMinimal")
    no(0, edit(0, 1, "80808080808080808000"), "noncanonical", "PRIM-002", "0 in ten bytes", "NonMinimal")
    no(2**63 - 1, edit(8, 1, "ff00"), "noncanonical", "PRIM-002", "2^63 - 1 in ten bytes", "NonMinimal")
    no(2**64 - 1, edit(9, 1, "02"), "range", "PRIM-003", "bit 65", "Overflow")
    no(2**64 - 1, edit(9, 1, "03"), "range", "PRIM-003", "bits 64 and 65", "Overflow")
    no(2**64 - 1, edit(9, 1, "7f"), "range", "PRIM-003", "the greatest tenth byte without the high bit", "Overflow")
    no(2**63, edit(9, 1, "02"), "range", "PRIM-003", "2^64 would wrap to 0", "Overflow")
    no(2**64 - 1, edit(9, 1, "8100"), "range", "PRIM-003", "eleven bytes, the last one zero", "Overflow")
    no(2**64 - 1, edit(9, 1, "81"), "range", "PRIM-003",
       "the tenth byte announces an eleventh: no need to look for it", "Overflow")
    no(2**64 - 1, edit(9, 1, "8001"), "range", "PRIM-003", "eleven bytes", "Overflow")
    for value in (0, 300, 2**64 - 1):
        no(value, edit(len(uvarint(value)), 0, "00"), "trailing", "PRIM-011", "one byte more", "Trailing")
    no(1, edit(1, 0, "01"), "trailing", "PRIM-011", "two numbers", "Trailing")


def byte_strings(a):
    def ok(value, low, high, comment="", flags=""):
        return a.ok("bytes", "bytes.decode", {"bytes": blob(value), "min": low, "max": high},
                    "PRIM-004 PRIM-005", comment, flags, expect={"value": value.hex()})

    empty = ok(b"", 0, 512, "the empty string")
    ok(b"\0", 1, 512, "a zero byte is a byte")
    one = ok(b"k", 1, 512)
    ok("\u00e9".encode(), 1, 64, "one composed letter; kept as it is")
    ok("e\u0301".encode(), 1, 64, "the same letter decomposed: another byte string (CONV-002)")
    ok(b"\xff\xfe\x80", 1, 64, "no UTF-8, and no matter")
    ok(noise("b127", 127), 1, 512, "longest with a one-byte length", "Boundary")
    ok(noise("b128", 128), 1, 512, "shortest with a two-byte length", "Boundary")
    name = ok(noise("b64", 64), 1, 64, "at maxName", "Boundary")
    key = ok(noise("b512", 512), 1, 512, "at maxKey", "Boundary")
    body = ok(b"hello", 0, 983_040)

    def no(of, edits, cls, req, comment, flags):
        a.no("bytes", of, "bytes", edits, cls, req, comment, flags)

    no(one, edit(0, 2, "00"), "range", "PRIM-004 CONV-007", "empty where one byte is the least", "Limit")
    no(name, edit(0, 1, "41"), "range", "PRIM-004 CONV-007 CONV-008",
       "65 of at most 64, and the bytes are not there either: the limit is first", "Limit")
    no(name, edit(0, 1, b"\x41x"), "range", "PRIM-004 CONV-007", "65 of at most 64", "Limit")
    no(key, edit(0, 2, "8104"), "range", "PRIM-004 CONV-007 CONV-008", "513 of at most 512", "Limit")
    no(body, edit(0, 1, uvarint(983_041)), "range", "PRIM-004 CONV-007 CONV-008", "a body over maxBody", "Limit")
    no(body, edit(0, 1, uvarint(983_040)), "truncated", "PRIM-005 CONV-004",
       "a length at the limit that the input does not hold", "Truncated")
    no(body, edit(0, 1, uvarint(2**64 - 1)), "range", "PRIM-004 CONV-008", "the greatest length", "Limit")
    no(body, edit(0, 1, "06"), "truncated", "PRIM-005", "one byte short", "Truncated")
    no(body, edit(0, 1, "04"), "trailing", "PRIM-011", "one byte left over", "Trailing")
    no(body, edit(0, 1, "8500"), "noncanonical", "PRIM-002", "the length in two bytes", "NonMinimal")
    no(empty, edit(0, 1), "truncated", "PRIM-001", "no length", "Truncated")
    no(empty, edit(1, 0, "00"), "trailing", "PRIM-011", "", "Trailing")
    no(key, edit(1, 513), "truncated", "PRIM-001", "half a length", "Truncated")


def stamps(a):
    def ok(time, replica, comment="", flags=""):
        return a.ok("stamp", "stamp.decode", {"bytes": stamp(time, replica)},
                    "CONV-001 PRIM-005 PRIM-006 PRIM-007", comment, flags,
                    {str(int.from_bytes(time8(time), "little")): "the time was read as little-endian (CONV-001)",
                     str(time >> 16): "the counter was dropped from the time"},
                    {"time": str(time), "replica": replica.hex()})

    usual = ok(T0 + 7, A)
    least = ok(1, B, "the least time", "Boundary")
    most = ok(2**63 - 1, HIGH, "the greatest time", "Boundary")
    ok(2**48, C, "one millisecond bit above 32")
    ok(65_536, NOBODY[:15] + b"\x01", "a replica of which one bit is set", "Boundary")
    ok(2**53 + 1, A, "not exact as a 64-bit float")

    def no(of, edits, cls, req, comment, flags):
        a.no("stamp", of, "bytes", edits, cls, req, comment, flags)

    no(least, edit(7, 1, "00"), "range", "PRIM-006", "time 0", "TimeRange")
    no(most, edit(0, 1, "80"), "range", "PRIM-006", "above 2^63 - 1", "TimeRange")
    no(usual, edit(0, 8, time8(2**63)), "range", "PRIM-006", "2^63", "TimeRange")
    no(usual, edit(0, 8, b"\xff" * 8), "range", "PRIM-006", "-1 as a signed number", "TimeRange")
    no(usual, edit(8, 16, NOBODY), "range", "PRIM-007 MODEL-002", "the replica that is none", "ZeroReplica")
    no(usual, edit(23, 1), "truncated", "PRIM-005", "", "Truncated")
    no(usual, edit(8, 16), "truncated", "PRIM-005", "no replica", "Truncated")
    no(usual, edit(7, 17), "truncated", "PRIM-005", "", "Truncated")
    no(usual, edit(0, 24), "truncated", "PRIM-005", "nothing", "Truncated")
    no(usual, edit(24, 0, "00"), "trailing", "PRIM-011", "", "Trailing")


def vectors(a):
    def ok(entries, comment="", flags=""):
        return a.ok("vector", "vector.decode",
                    {"bytes": vector([{"replica": r, "time": t} for r, t in entries])}, "PRIM-009", comment, flags)

    empty = ok([], "no replica is known")
    one = ok([(A, T0)])
    two = ok([(A, T0 + 1), (B, T0)], "ordered by replica, not by time")
    three = ok([(A, 1), (B, 2**63 - 1), (HIGH, T0)], "", "Boundary")
    ok([(A[:15] + b"\x7f", 5), (A[:15] + b"\x80", 4)], "the last byte compares as an unsigned number (CONV-002)",
       "Boundary")
    many = ok([(bytes([n]) + A[1:], T0 + n) for n in range(1, 131)], "130 entries, a two-byte count")
    full = ok([((n + 2).to_bytes(16, "big"), n + 1) for n in range(1024)], "at maxVector", "Boundary")

    def no(of, edits, cls, req, comment, flags):
        a.no("vector", of, "bytes", edits, cls, req, comment, flags)

    def entry(n, of=two):
        return a.bytes_of(of)[1 + 24 * n:25 + 24 * n]

    no(two, edit(1, 48, entry(1) + entry(0)), "order", "PRIM-009", "descending", "Unsorted")
    no(two, edit(25, 16, A), "duplicate", "PRIM-009", "one replica twice, with different times", "Unsorted")
    no(two, edit(25, 24, entry(0)), "duplicate", "PRIM-009", "the same entry twice", "Unsorted")
    no(three, edit(25, 48, entry(2, three) + entry(1, three)), "order", "PRIM-009",
       "the last two change places", "Unsorted")
    no(one, edit(1, 16, NOBODY), "range", "PRIM-007 MODEL-002", "", "ZeroReplica")
    no(one, edit(17, 8, bytes(8)), "range", "PRIM-006", "time 0: absent means none, not 0", "TimeRange")
    no(two, edit(41, 1, "80"), "range", "PRIM-006", "", "TimeRange")
    no(one, edit(0, 1, "02"), "truncated", "CONV-004 PRIM-009", "two counted, one there", "Truncated")
    no(empty, edit(0, 1, "01"), "truncated", "CONV-004 PRIM-009", "one counted, none there", "Truncated")
    no(one, edit(0, 1, uvarint(1024)), "truncated", "CONV-004", "1,024 counted, one there", "Truncated")
    no(full, edit(0, 2, uvarint(1025)), "range", "CONV-007 CONV-008", "1,025 counted", "Limit")
    no(full, edit(0, 2, uvarint(1025) + NOBODY[:15] + b"\x01" + time8(1)), "range", "CONV-007",
       "1,025 entries, all there", "Limit")
    no(one, edit(0, 1, uvarint(2**64 - 1)), "range", "CONV-007 CONV-008", "the greatest count", "Limit")
    no(one, edit(24, 1), "truncated", "CONV-004", "the entry lacks a byte", "Truncated")
    no(one, edit(25, 0, "00"), "trailing", "PRIM-011", "", "Trailing")
    no(two, edit(0, 1, "01"), "trailing", "PRIM-011", "one counted, two there", "Trailing")
    no(two, edit(0, 1, "8200"), "noncanonical", "PRIM-002", "the count in two bytes", "NonMinimal")
    no(many, edit(0, 2, "828100"), "noncanonical", "PRIM-002", "the count in three bytes", "NonMinimal")
