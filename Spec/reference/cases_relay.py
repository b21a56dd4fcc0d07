"""Cases of seal.json about a relay's stream: greetings, records and notices of 13."""

from build import edit
from primitives import u8
from samples import noise

FLAGS = {
    "Stream": {"why": "bytes of a relay's stream come in pieces", "bugType": "VALIDATION", "effect": "what is not whole is taken, or waited for without end"},
    "Notice": {"why": "what a relay and a client tell each other", "bugType": "VALIDATION", "effect": "a connection ends for no reason, or does not"},
}
ROOM = noise("relay room", 16)
GREETING = b"CnRl\x01" + ROOM
FRAME = noise("relay frame", 305)


def u32(n):
    return n.to_bytes(4, "big")


def record(number, payload, length=None):
    return u32(len(payload) if length is None else length) + u32(number) + payload


def greetings(a):
    def ok(data, comment, state="whole", flags="Stream"):
        return a.ok("greeting", "relay.greeting.decode", {"bytes": data}, "RELAY-003", comment, flags, expect={"state": state})

    def no(of, e, cls, comment, flags="Stream"):
        a.no("greeting", of, "bytes", e, cls, "RELAY-003", comment, flags)

    empty = ok(GREETING + u8(0), "no token")
    longest = ok(GREETING + u8(64) + noise("relay token", 64), "the longest token")
    ok(GREETING + u8(3) + b"key" + FRAME[:9], "what follows is not the greeting's")
    for n, comment in ((0, "nothing yet"), (1, "a byte of the magic"), (4, "the magic"), (5, "a version"), (21, "no token's length"), (24, "a token that is not whole")):
        ok((GREETING + u8(4) + b"keys")[:n], comment, "unfinished")
    ok(b"CnRl\x02", "another version, told by five bytes", "version")
    ok(b"CnRl\x00" + bytes(17), "version 0", "version")
    ok(b"CnRl\x02" + ROOM + u8(65), "another version: what follows is not judged", "version")
    for at, what in enumerate(("first", "second", "third", "last")):
        no(empty, edit(at, 22 - at, b"x"), "unexpected", f"the {what} byte of the magic is wrong, and more is not needed to say so")
    no(empty, edit(0, 4, b"cnrl"), "unexpected", "the magic in lower case")
    no(empty, edit(21, 1, b"\x41"), "range", "65 bytes of a token are announced: refused before they come")
    no(longest, edit(21, 1, b"\xff"), "range", "255 are")


def records(a):
    def ok(data, to_relay, comment, req="RELAY-009", state="whole", flags="Stream", **expect):
        return a.ok("record", "relay.record.decode", {"bytes": data, "toRelay": to_relay}, req, comment, flags, expect={"state": state, **expect})

    def no(of, e, cls, req, comment, flags="Stream"):
        a.no("record", of, "bytes", e, cls, req, comment, flags)

    N = "RELAY-009 RELAY-013"
    least = ok(record(2, FRAME), 1, "the smallest frame")
    for n, comment in ((0, "nothing yet"), (7, "seven of eight bytes"), (8, "a length and a number"), (312, "a frame that lacks a byte")):
        ok(record(2, FRAME)[:n], 1, comment, state="unfinished")
    ok(record(2**32 - 1, FRAME) + FRAME, 0, "the greatest number; what follows is the next record", number="4294967295", size="313")
    ok(record(1, b"", 1_048_625), 1, "the greatest length of a frame", state="unfinished")
    no(least, edit(0, 4, u32(304)), "truncated", "RELAY-009", "a frame of 304 bytes")
    no(least, edit(0, 4, u32(0)), "truncated", "RELAY-009", "of none")
    no(least, edit(0, 313, record(2, b"", 1_048_626)), "too-large", "RELAY-009", "a length above the greatest, refused before the frame comes")
    no(least, edit(0, 313, record(1, b"", 2**32 - 1)), "too-large", "RELAY-009", "the greatest length that can be written")

    taken = ok(record(0, b"\7" + u32(3) + u32(70_000)), 1, "taken", N, flags="Notice", notice="taken", who="3", bytes="70000")
    ok(record(0, b"\7" + u32(3) + u32(2**32 - 1)), 0, "taken, from the relay, with the greatest number of bytes", N, flags="Notice", bytes="4294967295")
    ping = ok(record(0, b"\4"), 1, "ping", N, flags="Notice", notice="ping")
    pong = ok(record(0, b"\5"), 0, "pong", N, flags="Notice", notice="pong")
    alone = ok(record(0, b"\1"), 0, "members: nobody else is there", f"{N} RELAY-012", flags="Notice", members="")
    three = ok(record(0, b"\1" + u32(1) + u32(7) + u32(256)), 0, "three members", f"{N} RELAY-012", flags="Notice", members="1 7 256")
    ok(record(0, b"\1" + b"".join(map(u32, range(2, 4_097)))), 0, "4,095 members, as many as there can be", f"{N} RELAY-012", flags="Notice")
    arrived = ok(record(0, b"\2" + u32(9)), 0, "arrived", N, flags="Notice", notice="arrived", who="9")
    ok(record(0, b"\3" + u32(9)), 0, "departed", N, flags="Notice", notice="departed")
    closing = ok(record(0, b"\6\4"), 0, "closing: slow", f"{N} RELAY-015", flags="Notice", notice="closing", reason="4")
    ok(record(0, b"\6\xc8"), 0, "a reason that is not listed is taken", N, flags="Notice", notice="closing")
    ok(record(0, b"", 9), 1, "the longest notice of a client", state="unfinished", flags="Notice")
    ok(record(0, b"", 16_381), 0, "the longest of a relay", state="unfinished", flags="Notice")

    def bad(of, e, cls, req, comment):
        no(of, e, cls, req, comment, "Notice")

    bad(ping, edit(0, 4, u32(0)), "truncated", "RELAY-009", "a notice without a kind")
    bad(taken, edit(0, 4, u32(10)), "too-large", "RELAY-009", "ten bytes from a client, refused before they come")
    bad(ping, edit(0, 4, u32(305)), "too-large", "RELAY-009", "a frame for the relay itself")
    bad(pong, edit(0, 4, u32(16_382)), "too-large", "RELAY-009", "16,382 bytes from a relay")
    bad(taken, edit(0, 17, record(0, b"\7" + u32(3) + b"\0\1\x11")), "range", "RELAY-009", "taken lacks a byte")
    bad(taken, edit(13, 4, u32(0)), "range", "RELAY-013", "no bytes were taken")
    bad(ping, edit(0, 9, record(0, b"\4\0")), "range", "RELAY-009", "a ping with a byte more")
    bad(ping, edit(8, 1, b"\5"), "type", "RELAY-013", "a pong from a client")
    bad(ping, edit(8, 1, b"\1"), "type", "RELAY-013", "members from a client")
    bad(ping, edit(8, 1, b"\0"), "type", "RELAY-013", "kind 0")
    bad(ping, edit(8, 1, b"\x08"), "type", "RELAY-013", "kind 8")
    bad(pong, edit(8, 1, b"\4"), "type", "RELAY-013", "a ping from a relay")
    bad(pong, edit(8, 1, b"\xff"), "type", "RELAY-013", "kind 255")
    bad(alone, edit(0, 9, record(0, b"\1\0\0\0")), "range", "RELAY-009", "members of three bytes")
    bad(three, edit(0, 4, u32(12)), "range", "RELAY-009", "the last member lacks a byte")
    bad(three, edit(9, 4, u32(0)), "range", "RELAY-013", "number 0 is the relay's")
    bad(three, edit(9, 4, u32(7)), "duplicate", "RELAY-013", "a member twice")
    bad(three, edit(9, 8, u32(7) + u32(1)), "order", "RELAY-013", "members descend")
    bad(three, edit(9, 8, u32(256) + u32(7)), "order", "RELAY-013", "numbers compare as numbers, not by their last byte")
    bad(arrived, edit(0, 13, record(0, b"\2" + u32(9)[1:])), "range", "RELAY-009", "a number of three bytes")
    bad(closing, edit(0, 10, record(0, b"\6")), "range", "RELAY-009", "closing without a reason")
    bad(closing, edit(0, 10, record(0, b"\6\4\0")), "range", "RELAY-009", "closing with a byte more")


def seal(a):
    greetings(a)
    records(a)


ADD = {"seal": seal}
