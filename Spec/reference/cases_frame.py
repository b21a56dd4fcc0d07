"""frame.json: every described kind of 03, and what breaks each of its rules."""

import cases_frame_messages
import cases_frame_sketches
import frames
from build import Area, edit
from errors import CLASSES
from primitives import blob, listed, time8, uvarint
from samples import A, B, C, D, EPOCH0, EPOCH1, HIGH, NOBODY, T0, at, noise

FLAGS = {
    "Truncated": {"why": "the input ends inside a value", "bugType": "BOUNDS", "effect": "reads beyond the input"},
    "Trailing": {"why": "bytes that nobody reads make a second spelling", "bugType": "CANONICAL",
                 "effect": "a channel beside the protocol"},
    "Count": {"why": "a count that what remains cannot hold", "bugType": "RESOURCE",
              "effect": "an input of a few bytes allocates without bound"},
    "Limit": {"why": "a length or count over its limit", "bugType": "RESOURCE",
              "effect": "an input allocates without bound"},
    "Boundary": {"why": "the last value on either side of a limit", "bugType": "OFF_BY_ONE",
                 "effect": "valid input is refused, or invalid input taken"},
    "Kind": {"why": "kinds that are unknown, reserved or may be skipped", "bugType": "EXTENSION",
             "effect": "peers of two ages do not understand each other"},
    "ZeroReplica": {"why": "sixteen zero bytes are no replica", "bugType": "VALIDATION",
                    "effect": "a write of nobody enters the state"},
    "TimeRange": {"why": "times are 1 to 2^63 - 1", "bugType": "VALIDATION", "effect": "a clock runs over"},
    "NonMinimal": {"why": "two byte strings for one number", "bugType": "CANONICAL",
                   "effect": "a second spelling is taken"},
    "Choice": {"why": "a u8 that is none of the listed values", "bugType": "VALIDATION",
               "effect": "later meanings are guessed today"},
    "Unsorted": {"why": "a list that must ascend does not", "bugType": "CANONICAL",
                 "effect": "a second spelling is taken, binary search fails"},
    "Table": {"why": "the table of replicas and the references into it", "bugType": "CANONICAL",
              "effect": "a row of another replica, or a second spelling"},
    "Ranges": {"why": "the rules of range lists", "bugType": "CANONICAL",
               "effect": "rows of a range are never compared"},
    "Utf8": {"why": "characters outside the allowed ones", "bugType": "VALIDATION",
             "effect": "a log or a terminal is attacked"},
    "Order": {"why": "the order in which rules are met", "bugType": "DIAGNOSIS",
              "effect": "two implementations name different errors"},
    "NotNormal": {"why": "a message that is not in normal form", "bugType": "CANONICAL",
                  "effect": "what was deleted travels on, equal states have unequal leaves"},
    "BigEndian": {"why": "fixed-width numbers are big-endian", "bugType": "ENDIAN",
                  "effect": "times of another century"},
}

LEAF = [noise(f"leaf {i}", 16) for i in range(40)]
HASH = [noise(f"hash {i}", 32) for i in range(200)]
ID = [noise(f"id {i}", 16) for i in range(8)]
UUID = bytes.fromhex("6f1c4e2ab98d4d0c8b3f5a7e91d20c44")


def head(kind, sender=A, recipient=B, epoch=EPOCH0):
    return {"kind": kind, "sender": sender, "recipient": recipient, "epoch": epoch}


def vec(*pairs):
    return [{"replica": r, "time": t} for r, t in pairs]


def skip(hi):
    return {"hi": hi, "mode": "skip"}


def print_(hi, n=0):
    return {"hi": hi, "mode": "fingerprint", "fingerprint": LEAF[n]}


def items(hi, *keys):
    return {"hi": hi, "mode": "items", "items": [{"key": k, "tag": LEAF[20 + i]} for i, k in enumerate(keys)]}


def keys(hi, *ks):
    return {"hi": hi, "mode": "keys", "keys": list(ks)}


def unanswered(hi):
    return {"hi": hi, "mode": "unanswered"}


def every(hi):
    return {"hi": hi, "mode": "all"}


def event(key, time, replica, group, body):
    return {"key": key, "time": time, "replica": replica, "group": group, "body": body}


def marker(group, time, replica):
    return {"group": group, "time": time, "replica": replica}


def causal(key, *entries):
    return {"key": key, "entries": [
        {"replica": r, "time": t, "state": 0} if b is None else {"replica": r, "time": t, "state": 1, "body": b}
        for r, t, b in entries]}


def write(key, time, replica, body):
    return {"key": key, "time": time, "replica": replica, "state": 0 if body is None else 1,
            **({} if body is None else {"body": body})}


def rows_frame(kind, row_type, rows, table, which=None, request=None, part=0, last=1, claims=(), namespace=b"notes",
               **header):
    request = (0 if kind == "sync_delta" else 7) if request is None else request
    return {**head(kind, **header), "request": request, "part": part, "last": last, "namespace": namespace,
            "set": (1 if row_type == 2 else 0) if which is None else which, "rowType": row_type,
            "replicas": list(table), "rows": list(rows), "claims": list(claims)}


class Frames(Area):
    def frame(self, group, frame, req, comment="", flags="", decoys=None):
        data = frames.encode(frame)
        assert frames.encode(frames.decode(data)) == data
        return self.ok(group, "frame.decode", {"bytes": data}, req, comment, flags, decoys)

    def bad(self, of, path_or_edit, new=None, cls="range", req="", comment="", flags="", group=None):
        e = path_or_edit if isinstance(path_or_edit, dict) else self.put(of, path_or_edit, new)
        return self.no(group or of.split("-")[1], of, "bytes", e, cls, req, comment, flags)


def make():
    a = Frames("frame", "frame", "frames: headers, bodies, and what breaks them", FLAGS)
    for part in (header, hello, digests, ranges, requests, events, markers, causals, last_writers, answers, deltas, errors,
                 cases_frame_messages.rows, cases_frame_messages.operations, skips, more_deltas, cases_frame_sketches.requests,
                 cases_frame_sketches.answers):
        part(a)
    return a


def header(a):
    ok = a.frame("header", {**head("digest"), "form": 0, "summary": ID[0]},
                 "WIRE-001 WIRE-002 MODEL-015", "the smallest digest")
    a.frame("header", {**head("digest", sender=HIGH, recipient=NOBODY, epoch=EPOCH1), "form": 0, "summary": ID[1]},
            "WIRE-002 MODEL-002", "to every replica, in a later epoch")
    a.frame("header", {**head("digest", recipient=A), "form": 0, "summary": ID[1]}, "WIRE-002",
            "to its own sender: well-formed, and the session's matter (SYNC-001)")
    a.bad(ok, "sender", NOBODY, "range", "PRIM-007 MODEL-002 WIRE-002", "nobody sends", "ZeroReplica")
    a.cut(ok, "header", 0, "PRIM-005", "no bytes at all")
    for n, what in ((1, "only the kind"), (16, "a sender short by one byte"), (17, "no recipient"),
                    (33, "no epoch"), (48, "an epoch short by one byte"), (49, "no body"), (50, "a form alone"),
                    (65, "a summary short by one byte")):
        a.cut(ok, "header", n, "PRIM-005", what)
    a.bad(ok, edit(66, 0, "00"), None, "trailing", "WIRE-001", "a zero byte more", "Trailing")
    a.bad(ok, edit(66, 0, "80"), None, "trailing", "WIRE-001", "a padding byte that was not taken off", "Trailing")
    a.bad(ok, edit(66, 0, noise("tail", 40)), None, "trailing", "WIRE-001", "forty bytes more", "Trailing")
    for kind in (0x00, 0x06, *range(0x08, 0x13), 0x20, 0x7F):
        if kind in (0x06, 0x08, 0x09):
            a.retire("header", negative=True)          # message_op and the sketches, when they were reserved
            continue
        known = {0x0A: "barrier_propose",
                 0x0B: "barrier_report", 0x0C: "barrier_settle", 0x0D: "barrier_ack", 0x0E: "barrier_commit",
                 0x0F: "pair_offer", 0x10: "pair_accept", 0x11: "roster"}.get(kind)
        a.bad(ok, "kind", bytes([kind]), "type", "WIRE-003", f"reserved: {known}" if known else "no kind", "Kind")
    a.retire("header", negative=True)                  # kind 06 alone, when it was reserved
    a.bad(ok, edit(0, 17, bytes([0x11]) + NOBODY), None, "type", "WIRE-002 WIRE-003 CONV-005",
          "the kind is met before the sender of zeros", "Kind Order")
    a.retire("header", negative=True)                  # kind 08 alone, when it was reserved
    a.bad(ok, edit(0, 66, "0a"), None, "type", "WIRE-002 WIRE-003",
          "the kind is met before the missing header", "Kind Order")
    for kind in (0x80, 0x81, 0xC0, 0xE0, 0xEF, 0xFF):
        body = noise(f"grease {kind}", kind % 65)
        a.ok("skip", "frame.decode", {"bytes": bytes([kind]) + A + NOBODY + EPOCH0 + body}, "WIRE-004",
             f"a kind that may be skipped, {len(body)} bytes of body", "Kind", expect={"kind": "skip"})
    a.ok("skip", "frame.decode", {"bytes": b"\x80" + a.bytes_of(ok)[1:]}, "WIRE-004",
         "a body that looks like a digest is not looked at", "Kind", expect={"kind": "skip"})


def skips(a):
    """Kinds that may be skipped, on the kind byte alone (WIRE-004)."""
    for data, comment in ((b"\x80", "one byte"), (b"\xff", "one byte, the greatest"), (b"\xc3\1\2\3", "no room for a header"),
                          (b"\xe0" + bytes(48), "nobody sends: the header is not looked at"), (b"\x81" + bytes(300), "zeros")):
        a.ok("skip", "frame.decode", {"bytes": data}, "WIRE-004", comment, "Kind", expect={"kind": "skip"})


def sighting(r, incarnation, t):
    return {"replica": r, "incarnation": incarnation, "time": t}


def hello(a):
    def hi(low=1, high=1, capabilities=0, answer=NOBODY, sightings=(), **header):
        return {**head("hello", **{"recipient": NOBODY, **header}), "minVersion": low, "maxVersion": high,
                "capabilities": capabilities, "schema": HASH[0], "incarnation": ID[0], "challenge": ID[1],
                "answer": answer, "sightings": list(sightings)}

    R = "WIRE-010 WIRE-011"
    small = a.frame("hello", hi(), R, "the first hello of a session")
    a.frame("hello", hi(answer=ID[2], recipient=B), R, "an answer to the challenge of the other side")
    a.frame("hello", hi(1, 255), R, "every version to the last")
    wide = a.frame("hello", hi(3, 7, 2**64 - 1), R, "unknown capability bits are ignored", "Boundary")
    a.frame("hello", hi(capabilities=128), R, "a capability word of two bytes")
    one = a.frame("hello", hi(sightings=[sighting(B, ID[3], T0)]), R)
    rich = a.frame("hello", hi(1, 2, 5, ID[2], [
        sighting(A, bytes([1]) * 16, at(9)), sighting(A, bytes([2]) * 16, at(1)), sighting(B, NOBODY, 1),
        sighting(HIGH, HIGH, 2**63 - 1)], epoch=EPOCH1), R, "two incarnations of one replica", "Boundary")
    full = a.frame("hello", hi(sightings=[sighting(bytes([n + 1]) * 16, ID[n % 8], at(n)) for n in range(64)]),
                   R, "64 sightings: maxSightings", "Boundary")
    a.bad(small, "minVersion", b"\0", "range", "WIRE-010", "version 0")
    a.bad(small, "minVersion", b"\2", "range", "WIRE-010", "the highest is below the lowest")
    a.bad(wide, "maxVersion", b"\2", "range", "WIRE-010", "the highest is below the lowest")
    a.bad(wide, "maxVersion", b"\0", "range", "WIRE-010", "")
    a.bad(small, "capabilities", b"\x80\0", "noncanonical", "PRIM-002", "no capability, in two bytes", "NonMinimal")
    a.bad(wide, "capabilities", b"\xff" * 9 + b"\x02", "range", "PRIM-003", "a 65th capability", "Limit")
    a.bad(one, "sightings.0.replica", NOBODY, "range", "PRIM-007 MODEL-002", "", "ZeroReplica")
    a.bad(one, "sightings.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange")
    a.bad(one, "sightings.0.time", time8(2**63), "range", "PRIM-006", "", "TimeRange")
    a.bad(one, "sightings.count", b"\x02", "truncated", "CONV-004", "two counted, one there", "Count")
    a.bad(one, "sightings.count", b"\x00", "trailing", "WIRE-001", "none counted, one there", "Trailing")
    a.bad(small, "sightings.count", b"\x40", "truncated", "CONV-004", "64 counted, none there", "Count")
    a.bad(small, "sightings.count", b"\x41", "range", "CONV-007 CONV-008", "65 counted", "Limit")
    start, _ = a.span(full, "sightings.count")
    a.bad(full, edit(start, 1, b"\x41" + NOBODY[:15] + b"\x01" + ID[0] + time8(1)), None, "range", "CONV-007",
          "65, all there", "Limit")
    a.bad(rich, a.swap(rich, "sightings.0", "sightings.1"), None, "order", "WIRE-011",
          "incarnations of one replica descend", "Unsorted")
    a.bad(rich, a.swap(rich, "sightings.2", "sightings.3"), None, "order", "WIRE-011", "replicas descend", "Unsorted")
    a.bad(rich, "sightings.1.incarnation", bytes([1]) * 16, "duplicate", "WIRE-011",
          "one incarnation twice, with different times", "Unsorted")
    for path in ("maxVersion", "capabilities", "schema", "incarnation", "challenge", "answer", "sightings.count"):
        a.cut(small, "hello", a.span(small, path)[1] - 1, "PRIM-001 PRIM-005", f"ends inside {path}")
    a.cut(rich, "hello", a.span(rich, "sightings.3.time")[1] - 1, "PRIM-005 CONV-004",
          "the last sighting lacks a byte")


def entry(name, live=0, tombstones=0, knowledge=(), n=0):
    return {"name": name, "liveCount": live, "live": HASH[n], "tombstoneCount": tombstones, "tombstones": HASH[n + 1],
            "knowledge": vec(*knowledge)}


def digests(a):
    def full(*entries, **header):
        return {**head("digest", **header), "form": 1, "namespaces": list(entries)}

    R = "WIRE-020 PRIM-009 PRIM-010"
    summary = a.frame("digest", {**head("digest"), "form": 0, "summary": ID[4]}, "WIRE-020 DIG-008", "a summary")
    none = a.frame("digest", full(), R, "no namespace", "Boundary")
    one = a.frame("digest", full(entry(b"notes")), R, "the smallest entry is 70 bytes with a name of five")
    tiny = a.frame("digest", full(entry(b"n")), R, "the smallest entry of all: 69 bytes", "Boundary")
    rich = a.frame("digest", full(
        entry(b"a", 1, 0, [(A, at(1))], 2), entry(b"ab", 300, 2**32, [(A, at(1)), (B, at(2)), (HIGH, 2**63 - 1)], 4),
        entry(b"b", 2**64 - 1, 127, [], 6), epoch=EPOCH1), R, "a proper prefix comes first", "Boundary")
    case = a.frame("digest", full(entry(b"B", 1), entry(b"a", 1), entry(b"\xc3\xa9", 1)), "CONV-002 PRIM-010",
                   "byte order: capitals first, no folding")
    most = a.frame("digest", full(*(entry(bytes([n + 33]), n, n, [], n) for n in range(64))), R,
                   "64 namespaces: maxNamespaces", "Boundary")
    long = a.frame("digest", full(entry(b"n" * 64)), R, "a name at maxName", "Boundary")
    for form in (2, 0x80, 0xFF):
        a.bad(summary, "form", bytes([form]), "range", "PRIM-008", "", "Choice")
    for form in (2, 0xFF):
        a.bad(none, "form", bytes([form]), "range", "PRIM-008", "no form, before a list that would do", "Choice")
    a.bad(one, "form", b"\0", "trailing", "WIRE-001", "a summary is 16 bytes", "Trailing")
    a.bad(none, "namespaces.count", b"\1", "truncated", "CONV-004 WIRE-020", "one counted, none there", "Count")
    start, end = a.span(tiny, "namespaces.0")
    a.bad(tiny, edit(end - 1, 1), None, "truncated", "CONV-004 WIRE-020",
          "68 bytes cannot hold an entry", "Count")
    a.bad(tiny, "namespaces.count", b"\2", "truncated", "CONV-004 WIRE-020", "", "Count")
    a.bad(tiny, "namespaces.count", b"\x40", "truncated", "CONV-004 WIRE-020", "", "Count")
    a.bad(tiny, "namespaces.count", b"\x41", "range", "CONV-007 CONV-008", "65 counted", "Limit")
    start, _ = a.span(most, "namespaces.count")
    extra = blob(b"\x01") + b"\0" + HASH[0] + b"\0" + HASH[1] + b"\0"
    a.bad(most, edit(start, 1, b"\x41" + extra), None, "range", "CONV-007", "65, all there", "Limit")
    a.bad(one, "namespaces.0.name", b"\0", "truncated", "CONV-004 WIRE-020",
          "an empty name, and with it too few bytes for an entry: the count is met first", "Count Order")
    a.bad(rich, "namespaces.0.name", b"\0", "range", "PRIM-004 CONV-007", "an empty name", "Limit")
    a.bad(long, "namespaces.0.name", blob(b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes", "Limit")
    a.bad(rich, a.swap(rich, "namespaces.0", "namespaces.1"), None, "order", "PRIM-010", "ab before a", "Unsorted")
    a.bad(case, a.swap(case, "namespaces.0", "namespaces.1"), None, "order", "PRIM-010 CONV-002",
          "the order of a dictionary", "Unsorted")
    a.bad(rich, "namespaces.1.name", blob(b"a"), "duplicate", "PRIM-010", "one name twice", "Unsorted")
    a.bad(rich, a.swap(rich, "namespaces.1.knowledge.0", "namespaces.1.knowledge.1"), None, "order", "PRIM-009",
          "knowledge descends", "Unsorted")
    a.bad(rich, "namespaces.1.knowledge.1.replica", A, "duplicate", "PRIM-009", "", "Unsorted")
    a.bad(rich, "namespaces.0.knowledge.0.replica", NOBODY, "range", "PRIM-007 MODEL-002", "", "ZeroReplica")
    a.bad(rich, "namespaces.0.knowledge.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange")
    a.bad(rich, "namespaces.1.knowledge.count", uvarint(1025), "range", "CONV-007 CONV-008", "", "Limit")
    a.bad(rich, "namespaces.1.knowledge.count", uvarint(1024), "truncated", "CONV-004", "", "Count")
    a.bad(rich, "namespaces.0.liveCount", b"\x81\0", "noncanonical", "PRIM-002", "", "NonMinimal")
    a.bad(rich, "namespaces.2.liveCount", b"\xff" * 9 + b"\x03", "range", "PRIM-003", "", "Limit")
    a.bad(rich, edit(len(a.bytes_of(rich)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    a.cut(summary, "digest", 64, "PRIM-005", "a summary short by two bytes")
    a.cut(rich, "digest", a.span(rich, "namespaces.2.tombstones")[1] - 5, "PRIM-005 CONV-004",
          "ends inside the last fingerprint")


def request(*entries, number=1, namespace=b"notes", which=0, **header):
    return {**head("reconcile_req", **header), "request": number, "namespace": namespace, "set": which,
            "ranges": list(entries)}


def ranges(a):
    """Range lists, shown in requests."""
    R = "WIRE-030 WIRE-031 WIRE-032 WIRE-033 WIRE-035 DIG-010"
    g = "range"
    two = a.frame(g, request(print_(b"m", 0), print_(b"", 1)), R, "two fingerprints over all keys")
    prints = a.frame(g, request(print_(b"a", 0), print_(b"b", 1), print_(b"c", 2)), R,
                     "ends at c: later keys are not spoken of")
    skips = a.frame(g, request(skip(b"c"), print_(b"f", 1), skip(b"m"), items(b"", b"n", b"nn", b"z")), R,
                    "skips between others")
    after_skip = a.frame(g, request(skip(b"c"), items(b"d", b"c", b"cz")), R,
                         "the first key of a range is its lower bound", "Boundary")
    item = a.frame(g, request(items(b"m", b"a", b"b", b"l\xff\xff")), R, "the last key is just below its bound",
                   "Boundary")
    a.frame(g, request(items(b"a"), items(b"b"), items(b"")), R, "items entries with no items: nothing is held there")
    asked = a.frame(g, request(keys(b"", b"a", b"aa", b"b", UUID)), R + " WIRE-034 MODEL-012", "keys asked for")
    a.frame(g, request(keys(b"b", b"\0"), skip(b"c"), keys(b"d", b"c\0")), R + " WIRE-034", "keys of zero bytes")
    a.frame(g, request(keys(b"", b"a", b"b", b"c")), R + " WIRE-034", "three of the smallest keys in six bytes", "Boundary")
    a.frame(g, request(items(b"k" * 512, b"j" * 512)), R, "a bound and a key of 512 bytes", "Boundary")
    a.frame(g, request(print_(b"\x7f"), print_(b"\x80"), print_(b"\x80\0"), print_(b"\xff")), R + " CONV-002",
            "bounds compare as unsigned bytes, a proper prefix first", "Boundary")
    many = a.frame(g, request(*(print_(bytes([n]), n) for n in range(1, 17)), items(b"", b"\x20")), R,
                   "a peer that splits in another way (DIG-010)")
    full = a.frame(g, rows_frame("reconcile_resp", 1, [], [], claims=[
        unanswered(n.to_bytes(2, "big")) for n in range(2, 1026)]), R, "1,024 entries: maxRanges", "Boundary")

    def bad(of, where, new, cls, req, comment, flags="Ranges"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad(prints, a.swap(prints, "ranges.1", "ranges.2"), None, "order", "WIRE-030", "bounds descend", "Ranges Unsorted")
    bad(prints, "ranges.1.hi", blob(b"a"), "duplicate", "WIRE-030", "an empty range", "Ranges Unsorted")
    bad(prints, "ranges.0.hi", b"\0", "order", "WIRE-030", "an open bound at the front", "Ranges Unsorted")
    bad(prints, "ranges.1.hi", b"\0", "order", "WIRE-030", "an open bound in the middle", "Ranges Unsorted")
    bad(two, "ranges.0.hi", b"\0", "order", "WIRE-030", "two open bounds are not equal neighbours",
        "Ranges Unsorted")
    bad(skips, "ranges.1", blob(b"f") + b"\0", "noncanonical", "WIRE-032", "three skips in a row")
    bad(skips, "ranges.0", blob(b"a") + b"\0" + blob(b"c") + b"\0", "noncanonical", "WIRE-032",
        "a skip in two parts, and the count lags: the pair is met first", "Ranges Order")
    bad(two, "ranges.1", b"\0\0", "noncanonical", "WIRE-032", "a skip to the end")
    bad(prints, "ranges.2", blob(b"c") + b"\0", "noncanonical", "WIRE-032", "a skip as the last entry")
    bad(item, "ranges.0.items.2.key", blob(b"m"), "range", "WIRE-031", "a key at the upper bound is outside")
    bad(item, "ranges.0.items.2.key", blob(b"z"), "range", "WIRE-031", "a key above the range")
    bad(item, "ranges.0.hi", blob(b"b"), "range", "WIRE-031", "a bound below keys that follow")
    bad(after_skip, "ranges.1.items.0.key", blob(b"b\xff"), "range", "WIRE-031", "a key below the range")
    bad(skips, "ranges.3.items.0.key", blob(b"a"), "range", "WIRE-031", "a key of an earlier range")
    bad(item, a.swap(item, "ranges.0.items.0", "ranges.0.items.1"), None, "order", "WIRE-031",
        "items descend", "Ranges Unsorted")
    bad(item, "ranges.0.items.1.key", blob(b"a"), "duplicate", "WIRE-031",
        "one key twice, with two tags", "Ranges Unsorted")
    bad(asked, a.swap(asked, "ranges.0.keys.1", "ranges.0.keys.2"), None, "order", "WIRE-031",
        "keys descend", "Ranges Unsorted")
    bad(asked, "ranges.0.keys.1", blob(b"a"), "duplicate", "WIRE-031", "one key asked for twice", "Ranges Unsorted")
    start, _ = a.span(asked, "ranges.0.keys.count")
    bad(asked, edit(start, len(a.bytes_of(asked)) - start, "00"), None, "range", "WIRE-034", "no key is asked for")
    bad(asked, "ranges.0.keys.count", b"\5", "truncated", "PRIM-001 CONV-004", "one key too many is counted", "Count")
    bad(asked, "ranges.0.keys.count", b"\x7f", "truncated", "CONV-004", "", "Count")
    bad(asked, "ranges.0.keys.count", uvarint(2**63), "truncated", "CONV-004",
        "twice the count wraps around to zero in 64 bits", "Count")
    bad(asked, "ranges.0.keys.0", b"\0", "range", "PRIM-004 CONV-007", "an empty key", "Limit")
    bad(asked, "ranges.0.keys.0", blob(b"a" * 513), "range", "PRIM-004 CONV-007", "a key of 513 bytes", "Limit")
    bad(item, "ranges.0.items.0.key", blob(b""), "range", "PRIM-004 CONV-007", "an empty key", "Limit")
    bad(item, "ranges.0.items.count", b"\4", "truncated", "CONV-004", "one item too many is counted", "Count")
    bad(item, "ranges.0.items.count", uvarint(2**61 + 1), "truncated", "CONV-004",
        "eighteen times the count wraps around in 64 bits", "Count")
    bad(item, "ranges.0.items.count", b"\2", "trailing", "WIRE-001", "one item too few is counted", "Trailing")
    bad(two, "ranges.0.hi", blob(b"m" * 513), "range", "PRIM-004 CONV-007", "a bound of 513 bytes", "Limit")
    bad(two, "ranges.0.hi", b"\x81\x04" + b"m", "range", "PRIM-004 CONV-008",
        "a bound that claims 513 bytes", "Limit")
    bad(two, "ranges.0.hi", b"\x81\0m", "noncanonical", "PRIM-002", "the length of a bound in two bytes",
        "NonMinimal")
    a.retire("ranges", negative=True)                  # mode 5, when it was none
    for mode in (6, 0x7F, 0xFF):
        bad(two, "ranges.0.mode", bytes([mode]), "range", "PRIM-008", "no mode", "Choice")
    bad(two, "ranges.1", b"\0\4", "range", "WIRE-035", "a requester answers nothing, so leaves nothing unanswered")
    bad(two, "ranges.count", b"\1", "trailing", "WIRE-001", "one counted, two there", "Trailing")
    bad(prints, "ranges.count", b"\4", "truncated", "PRIM-001 CONV-004", "four counted, three there", "Count")
    bad(two, "ranges.count", uvarint(1024), "truncated", "CONV-004", "1,024 counted, two there", "Count")
    bad(two, "ranges.count", uvarint(1025), "range", "WIRE-033 CONV-007 CONV-008", "1,025 counted", "Limit")
    start, _ = a.span(full, "claims.count")
    bad(full, edit(start, 2, uvarint(1025) + blob(b"\0\1") + b"\4"), None, "range", "WIRE-033 CONV-007",
        "1,025 entries, all there", "Limit")
    bad(many, edit(len(a.bytes_of(many)) - 3, 3), None, "truncated", "CONV-004", "ends inside the last tag", "Truncated")
    bad(prints, edit(len(a.bytes_of(prints)) - 3, 3), None, "truncated", "PRIM-005", "ends inside the last tag",
        "Truncated")


def requests(a):
    R = "WIRE-040 WIRE-035"
    g = "request"
    first = a.frame(g, request(print_(b"", 3)), R, "the smallest request that is of use")
    empty = a.frame(g, request(items(b"")), R, "a set that holds nothing")
    rich = a.frame(g, request(
        items(b"b", b"a", b"aa"), skip(b"d"), keys(b"f", b"d", b"e"), print_(b"", 9), number=2**63 - 1,
        namespace=b"n" * 64, which=1, epoch=EPOCH1), R, "every mode of a request; the greatest number", "Boundary")
    a.frame(g, request(print_(b"\x80"), print_(b""), number=128, which=1), R, "tombstones; a number of two bytes")
    a.frame(g, request(every(b"m"), skip(b"p"), every(b"")), R, "all rows of two ranges")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad(first, "request", b"\0", "range", "WIRE-040", "request 0 stands for none")
    bad(rich, "request", uvarint(2**63), "range", "WIRE-040", "above 2^63 - 1")
    bad(rich, "request", uvarint(2**64 - 1), "range", "WIRE-040", "-1 as a signed number")
    bad(rich, "request", b"\xff" * 10, "range", "PRIM-003", "a tenth byte with its high bit set")
    bad(first, "request", b"\x81\0", "noncanonical", "PRIM-002", "1 in two bytes", "NonMinimal")
    bad(first, "namespace", b"\0", "range", "PRIM-004 CONV-007", "no name")
    bad(rich, "namespace", blob(b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    bad(first, "namespace", b"\x41notes", "range", "PRIM-004 CONV-008", "a name that claims 65 bytes")
    bad(first, "namespace", b"\x40notes", "truncated", "PRIM-005", "a name that claims 64 bytes", "Truncated")
    for which in (2, 0xFF):
        bad(first, "set", bytes([which]), "range", "PRIM-008", "no set", "Choice")
    start, _ = a.span(first, "ranges.count")
    bad(first, edit(start, len(a.bytes_of(first)) - start, "00"), None, "range", "WIRE-040", "no range", "Ranges")
    bad(empty, "ranges.count", b"\2", "truncated", "PRIM-001 CONV-004", "two counted, one there", "Count")
    bad(first, "ranges.0.mode", b"\4", "range", "WIRE-035", "unanswered in a request", "Ranges")
    for path in ("request", "namespace", "set", "ranges.count", "ranges.0.hi", "ranges.0.mode"):
        a.cut(first, g, a.span(first, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")


def row_checks(a, g, of, path, high=512):
    """What every key or group must be refused for."""
    a.bad(of, path, b"\0", "range", "PRIM-004 CONV-007", f"an empty {path.split('.')[-1]}", "Limit", g)
    a.bad(of, path, blob(b"\1" * (high + 1)), "range", "PRIM-004 CONV-007", f"{high + 1} bytes", "Limit", g)
    a.bad(of, path, b"\x81\x04\1", "range", "PRIM-004 CONV-008", f"claims {high + 1} bytes", "Limit", g)


def events(a):
    R = "WIRE-050 WIRE-051 WIRE-052 WIRE-053"
    g = "events"
    none = a.frame(g, rows_frame("reconcile_resp", 1, [], []), R, "no rows, no table, no claims", "Boundary")
    one = a.frame(g, rows_frame("reconcile_resp", 1, [event(b"k1", at(1), A, b"g1", b"hello")], [A]), R,
                  "one event", "BigEndian",
                  {str(int.from_bytes(time8(at(1)), "little")): "the time was read as little-endian (CONV-001)"})
    tiny = a.frame(g, rows_frame("reconcile_resp", 1, [event(b"k", 1, A, b"g", b"")], [A]), R,
                   "the smallest event: 14 bytes", "Boundary")
    rich = a.frame(g, rows_frame("reconcile_resp", 1, [
        event(b"k1", at(1), A, b"g1", b"one"), event(b"k1", at(1), B, b"g1", b"one"), event(b"k1", at(2), A, b"g1", b""),
        event(b"k2", at(1), C, b"g1", b"x"), event(b"k2", at(1), C, b"g2", b"a"), event(b"k2", at(1), C, b"g2", b"b"),
        event(UUID, at(3), HIGH, b"g" * 512, noise("body 51", 51))], [A, B, C, HIGH], request=2**63 - 1, part=3, last=0,
        epoch=EPOCH1), R + " MODEL-004 MODEL-012 MERGE-001", "events that differ in stamp, in group, in body alone",
        "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 1, [event(b"k", at(1), B, b"g", noise("body 200", 200))], [B],
                          claims=[print_(b"m"), unanswered(b"")]), R, "a two-byte body length, and claims")
    a.frame(g, rows_frame("reconcile_resp", 1, [event(b"k" * 512, 2**63 - 1, B, b"g", noise("b", 127))], [B], which=1),
            R, "log events beside claims of tombstones: well-formed, and the session's matter (SYNC-005)", "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 1, [event(k, 1, A, b"g", b"") for k in (b"a", b"b", b"c")], [A]), R,
            "three of the smallest events in 42 bytes", "Boundary")
    wide = [bytes([n]) + A[1:] for n in range(1, 131)]
    big = a.frame(g, rows_frame("reconcile_resp", 1, [
        event(bytes([n]) * 2, at(n), r, b"g", b"") for n, r in enumerate(wide, 1)], wide), R,
        "130 replicas: references of two bytes", "Table")
    tail = a.frame(g, rows_frame("reconcile_resp", 1, [
        event(b"a", at(1), B, b"g", b"2"), event(b"b", at(1), A, b"g", b"1")], [A, B]), R,
        "the table ascends, whoever is used first", "Table")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    for path, what in (("rows.0", "rows.1"), ("rows.1", "rows.2"), ("rows.2", "rows.3"), ("rows.3", "rows.4"),
                       ("rows.4", "rows.5")):
        why = {"rows.0": "at one time, the replicas decide", "rows.1": "times before replicas",
               "rows.2": "keys before all", "rows.3": "at one stamp, the groups decide",
               "rows.4": "at one group, the bodies decide"}[path]
        bad(rich, a.swap(rich, path, what), None, "order", "WIRE-052 PRIM-010 MODEL-004", why, "Unsorted")
    bad(rich, "rows.5", a.raw(rich, "rows.4"), "duplicate", "WIRE-052 PRIM-010", "one event twice", "Unsorted")
    row_checks(a, g, one, "rows.0.key")
    row_checks(a, g, one, "rows.0.group")
    bad(one, "rows.0.body", uvarint(983_041) + b"hello", "range", "PRIM-004 CONV-007 CONV-008", "a body over maxBody")
    bad(one, "rows.0.body", uvarint(983_040) + b"hello", "truncated", "PRIM-005", "a body that is not there",
        "Truncated")
    bad(one, "rows.0.body", b"\x85\0hello", "noncanonical", "PRIM-002", "", "NonMinimal")
    bad(one, "rows.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange")
    bad(one, "rows.0.time", b"\xff" * 8, "range", "PRIM-006", "", "TimeRange")
    bad(one, "rows.0.ref", b"\1", "range", "WIRE-057", "a reference to the table's end", "Table")
    bad(one, "rows.0.ref", b"\x7f", "range", "WIRE-057", "a reference far beyond the table", "Table")
    bad(one, "rows.0.ref", uvarint(2**64 - 1), "range", "WIRE-057", "-1 as a signed number", "Table")
    bad(one, "rows.0.ref", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    bad(tail, "rows.0.ref", b"\0", "noncanonical", "WIRE-051", "the second of the table is not used", "Table")
    start, _ = a.span(one, "replicas.count")
    bad(one, edit(start, 1, b"\2" + NOBODY[:15] + b"\1"), None, "noncanonical", "WIRE-051",
        "one more in the table, and the row moves to it", "Table")
    bad(none, "replicas.count", b"\1" + A, "noncanonical", "WIRE-051", "a table and no rows", "Table")
    bad(tail, a.swap(tail, "replicas.0", "replicas.1"), None, "order", "PRIM-010", "", "Table Unsorted")
    bad(tail, "replicas.1", A, "duplicate", "PRIM-010", "", "Table Unsorted")
    bad(tail, "replicas.0", NOBODY, "range", "PRIM-007 MODEL-002", "", "Table ZeroReplica")
    bad(none, "replicas.count", uvarint(1025), "range", "CONV-007 CONV-008", "1,025 counted")
    bad(none, "replicas.count", uvarint(1024), "truncated", "CONV-004", "1,024 counted, none there", "Count")
    bad(big, "rows.129.ref", b"\x81\x81\0", "noncanonical", "PRIM-002", "", "NonMinimal")
    bad(tiny, "rows.count", b"\2", "truncated", "CONV-004 WIRE-053", "two counted: 28 bytes are not there", "Count")
    bad(none, "rows.count", b"\1", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(none, "rows.count", uvarint(2**64 - 1), "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(tail, "rows.count", b"\1", "noncanonical", "WIRE-051",
        "one row too few is counted: the table is looked at after the last", "Count Table")
    bad(none, "rowType", b"\0", "range", "PRIM-008", "no type of row", "Choice")
    a.retire(g, negative=True)          # row type 4, when it was no type of row
    bad(none, "rowType", b"\xff", "range", "PRIM-008", "no type of row", "Choice")
    bad(one, edit(len(a.bytes_of(one)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    for path in ("replicas.0", "rows.count", "rows.0.key", "rows.0.time", "rows.0.group", "rows.0.body", "claims.count"):
        a.cut(one, g, a.span(one, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")
    a.retire(g, negative=True)          # row type 5, when it was no type of row
    bad(none, "rowType", b"\6", "range", "PRIM-008", "the first type of row that is not listed", "Choice")


def markers(a):
    R = "WIRE-050 WIRE-051 WIRE-052 WIRE-053"
    g = "markers"
    none = a.frame(g, rows_frame("reconcile_resp", 2, [], []), R, "no markers", "Boundary")
    tiny = a.frame(g, rows_frame("reconcile_resp", 2, [marker(b"g", 1, A)], [A]), R,
                   "the smallest marker: 11 bytes", "Boundary")
    rich = a.frame(g, rows_frame("reconcile_resp", 2, [
        marker(b"g1", at(5), B), marker(b"g10", at(1), A), marker(b"g2", at(3), B), marker(UUID, 2**63 - 1, HIGH)],
        [A, B, HIGH], part=1, claims=[items(b"", b"g1", b"g10", b"g2", b"o", b"oo")]), R,
        "ordered by group, whatever the stamps", "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 2, [marker(b"g" * 512, at(1), C)], [C]), R, "a group at maxGroup",
            "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 2, [marker(k, 1, A) for k in (b"a", b"b", b"c")], [A]), R,
            "three of the smallest markers in 33 bytes", "Boundary")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad(rich, a.swap(rich, "rows.0", "rows.1"), None, "order", "WIRE-052 PRIM-010", "a proper prefix comes first",
        "Unsorted")
    bad(rich, a.swap(rich, "rows.2", "rows.3"), None, "order", "WIRE-052 PRIM-010", "", "Unsorted")
    bad(rich, "rows.1.group", blob(b"g1"), "duplicate", "WIRE-052 PRIM-010", "one group, two stamps", "Unsorted")
    row_checks(a, g, rich, "rows.0.group")
    bad(tiny, "rows.0.ref", b"\1", "range", "WIRE-057", "", "Table")
    bad(rich, "rows.1.ref", b"\1", "noncanonical", "WIRE-051", "the first of the table is not used", "Table")
    bad(tiny, "rows.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange")
    bad(tiny, "rows.count", b"\2", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(none, "rows.count", b"\1", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(none, "rows.count", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    a.cut(tiny, g, a.span(tiny, "rows.0.time")[1] - 1, "PRIM-005 CONV-004", "ends inside the time")


def causals(a):
    R = "WIRE-050 WIRE-051 WIRE-052 WIRE-053"
    g = "causal"
    none = a.frame(g, rows_frame("reconcile_resp", 3, [], []), R, "no rows", "Boundary")
    tiny = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"k", (A, 1, None))], [A], which=1), R,
                   "the smallest row: 13 bytes, a tombstone", "Boundary")
    one = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"key", (A, at(1), b"value"))], [A]), R, "one value")
    empty = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"key", (A, at(1), b""))], [A]), R,
                    "an empty value is a value")
    rich = a.frame(g, rows_frame("reconcile_resp", 3, [
        causal(b"a", (A, at(1), None), (B, at(2), b"b"), (C, at(3), b"a")),
        causal(b"ab", (B, at(9), None), (C, at(1), None)),
        causal(b"b", (A, at(4), b"x"), (HIGH, 2**63 - 1, noise("body 300", 300))),
        causal(UUID, (D, at(4), b""))], [A, B, C, D, HIGH], part=2, last=0), R,
        "conflicts, tombstones and values together", "Boundary")
    piece = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"a", (C, at(3), b"a"))], [C], part=3,
                                  claims=[unanswered(b"")]), R, "a piece of a row of the frame before")
    a.frame(g, rows_frame("reconcile_resp", 3, [causal(k, (A, 1, None)) for k in (b"a", b"b", b"c")], [A], which=1), R,
            "three of the smallest rows in 39 bytes", "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"k", (A, 1, None), (B, 1, None), (C, 1, None))], [A, B, C],
                          which=1), R, "three of the smallest entries in 30 bytes", "Boundary")
    big = [(n + 1).to_bytes(16, "big") for n in range(200)]
    many = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"k", *((r, at(1), None) for r in big))], big), R,
                   "a row with 200 entries", "Table")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad(rich, a.swap(rich, "rows.0", "rows.1"), None, "order", "WIRE-052 PRIM-010", "rows descend", "Unsorted")
    bad(rich, "rows.1.key", blob(b"a"), "duplicate", "WIRE-052 PRIM-010", "one key twice in a part", "Unsorted")
    bad(rich, a.swap(rich, "rows.0.0", "rows.0.1"), None, "order", "WIRE-052 PRIM-010", "entries descend", "Unsorted")
    bad(rich, a.swap(rich, "rows.2.0", "rows.2.1"), None, "order", "WIRE-052 PRIM-010", "", "Unsorted")
    bad(rich, "rows.0.1.ref", b"\0", "duplicate", "WIRE-052 PRIM-010", "two entries of one replica", "Unsorted")
    row_checks(a, g, one, "rows.0.key")
    start, end = a.span(one, "rows.0")
    bad(one, edit(start + 4, end - start - 4, "00"), None, "truncated", "CONV-004 WIRE-053",
        "no entry: with so few bytes left the count of rows is met first", "Count Order")
    start, end = a.span(rich, "rows.1.count")
    bad(rich, edit(start, a.span(rich, "rows.1")[1] - start, "00"), None, "range", "CONV-007 WIRE-053",
        "a row without an entry")
    bad(many, "rows.0.count", uvarint(1025), "range", "CONV-007 CONV-008", "1,025 entries counted")
    bad(many, "rows.0.count", uvarint(1024), "truncated", "CONV-004 WIRE-053", "1,024 counted, 200 there", "Count")
    bad(many, "rows.0.count", uvarint(201), "truncated", "PRIM-005", "201 counted, 200 there", "Count")
    bad(tiny, "rows.0.count", b"\2", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(tiny, "rows.count", b"\2", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(none, "rows.count", b"\1", "truncated", "CONV-004 WIRE-053", "", "Count")
    for state in (2, 0xFF):
        bad(one, "rows.0.0.state", bytes([state]), "range", "PRIM-008", "no state", "Choice")
    bad(empty, "rows.0.0.state", b"\0", "trailing", "WIRE-001",
        "covered, and its body is taken for the count of claims", "Trailing")
    bad(tiny, "rows.0.0.state", b"\1", "truncated", "PRIM-001",
        "a value whose body is the count of claims", "Truncated")
    bad(one, "rows.0.0.ref", b"\1", "range", "WIRE-057", "", "Table")
    bad(piece, edit(*a.span(piece, "replicas.count")[:1], 1, b"\2" + NOBODY[:15] + b"\1"), None, "noncanonical",
        "WIRE-051", "one more in the table than is used", "Table")
    bad(one, "rows.0.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange")
    bad(one, "rows.0.0.time", time8(2**63), "range", "PRIM-006", "", "TimeRange")
    bad(one, "rows.0.0.body", uvarint(983_041) + b"value", "range", "PRIM-004 CONV-008", "")
    a.cut(one, g, a.span(one, "rows.0.0.body")[1] - 1, "PRIM-005 CONV-004", "ends inside the body")


def last_writers(a):
    R = "WIRE-050 WIRE-051 WIRE-052 WIRE-053"
    g = "lastwriter"

    def answer(rows, table, *args, **more):
        return a.frame(g, rows_frame("reconcile_resp", 4, rows, table, **more), R, *args)

    def delta(rows, table, *args, **more):
        return a.frame(g, rows_frame("sync_delta", 4, rows, table, **more), R, *args)

    none = answer([], [], "no rows", "Boundary")
    tiny = answer([write(b"k", 1, A, None)], [A], "the smallest row: 12 bytes, a tombstone", "Boundary", which=1)
    empty = answer([write(b"k", 1, A, b"")], [A], "an empty value is a value: 13 bytes", "Boundary")
    one = answer([write(b"key", at(1), A, b"value")], [A], "one value", "BigEndian",
                 {str(int.from_bytes(time8(at(1)), "little")): "the time was read as little-endian (CONV-001)"})
    dead = answer([write(b"key", at(2), B, None)], [B], "one deleted row", "BigEndian",
                  {str(int.from_bytes(time8(at(2)), "little")): "the time was read as little-endian (CONV-001)"}, which=1)
    rich = answer([write(b"a", at(9), C, b"x"), write(b"ab", at(8), B, None), write(b"b", at(7), A, noise("body 300", 300)),
                   write(b"c", at(6), HIGH, None), write(UUID, 2**63 - 1, D, b"")], [A, B, C, D, HIGH],
                  "values and deleted rows of five replicas: ordered by key, whatever the stamps", "Boundary",
                  part=2, last=0, claims=[items(b"", b"a", b"b", UUID)])
    prefixes = answer([write(b"a", at(5), A, None), write(b"a\0", at(4), A, b"1"), write(b"aa", at(3), A, None),
                       write(b"b", at(2), A, b"2"), write(b"\x7f", at(1), A, None), write(b"\x80", 1, A, b"3")], [A],
                      "keys compare as unsigned bytes, a proper prefix first", "Boundary")
    smallest = answer([write(k, 1, A, None) for k in (b"a", b"b", b"c")], [A], "three of the smallest rows in 36 bytes",
                      "Boundary", which=1)
    answer([write(k, 1, A, b"") for k in (b"a", b"b", b"c")], [A], "three of the smallest values in 39 bytes", "Boundary")
    answer([write(b"k" * 512, 2**63 - 1, HIGH, None)], [HIGH], "a key at maxKey, the last time", "Boundary", which=1)
    answer([write(b"k" * 128, at(1), B, noise("body 127", 127)), write(b"l", at(1), B, noise("body 128", 128))], [B],
           "lengths of one byte and of two", "Boundary")
    answer([write(b"k", at(1), B, noise("body 5000", 5000))], [B], "a body of 5,000 bytes",
           claims=[print_(b"m"), unanswered(b"")])
    answer([write(b"a", at(1), A, b"one"), write(b"b", at(1), A, b"one")], [A], "two rows of one stamp")
    tail = answer([write(b"a", at(1), B, b"2"), write(b"b", at(1), A, None)], [A, B],
                  "the table ascends, whoever is used first", "Table")
    wide = [bytes([n]) + A[1:] for n in range(1, 131)]
    big = answer([write(bytes([n]) * 2, at(n), r, None if n % 2 else b"") for n, r in enumerate(wide, 1)], wide,
                 "130 replicas: references of two bytes", "Table")
    answer([write(b"k", at(1), A, None)], [A], "a deleted row beside claims of live rows: well-formed",
           claims=[items(b"", b"j", b"l")])
    answer([write(b"k", at(1), A, b"x")], [A], "a value beside claims of tombstones: well-formed", which=1,
           claims=[skip(b"a"), print_(b"b", 1), items(b"c", b"b", b"bb"), items(b"d"), unanswered(b"")])
    put = delta([write(b"key", at(1), A, b"value")], [A], "a local put, sent to all", recipient=NOBODY)
    delete = delta([write(b"key", at(2), B, None)], [B], "a local delete, sent to all", which=1, recipient=NOBODY)
    both = delta([write(b"key", at(3), A, None), write(b"kez", at(2), B, b"again"), write(b"l", at(1), C, b"")], [A, B, C],
                 "a delete and values of three replicas, in a later epoch", epoch=EPOCH1)
    delta([], [], "no rows: of no use, and well-formed", "Boundary")
    delta([write(b"key", at(1), A, b"value")], [A], "a number, a part and more to come: a decoder takes what an answer may hold",
          "Boundary", request=2**63 - 1, part=1023, last=0, claims=[print_(b"")])

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    for n in range(4):
        bad(rich, a.swap(rich, f"rows.{n}", f"rows.{n + 1}"), None, "order", "WIRE-052 PRIM-010",
            "keys descend; the times ascend" if n < 3 else "keys descend", "Unsorted")
    for n, why in ((0, "a proper prefix comes first"), (1, "a zero byte is a byte"), (2, "bytes decide, not lengths"),
                   (4, "bytes are unsigned")):
        bad(prefixes, a.swap(prefixes, f"rows.{n}", f"rows.{n + 1}"), None, "order", "WIRE-052 PRIM-010 CONV-002", why,
            "Unsorted")
    bad(rich, "rows.1.key", blob(b"a"), "duplicate", "WIRE-052 PRIM-010", "a value of a key, and its deletion", "Unsorted")
    bad(smallest, "rows.1", a.raw(smallest, "rows.0"), "duplicate", "WIRE-052 PRIM-010", "one row twice", "Unsorted")
    bad(tail, "rows.1.key", blob(b"a"), "duplicate", "WIRE-052 PRIM-010", "one key, two replicas", "Unsorted")
    bad(both, "rows.1.key", blob(b"key"), "duplicate", "WIRE-052 PRIM-010", "one key twice in a delta", "Unsorted")
    bad(both, a.swap(both, "rows.0", "rows.1"), None, "order", "WIRE-052 PRIM-010", "keys of a delta descend", "Unsorted")
    start, end = a.span(rich, "rows.1")
    bad(rich, edit(start, end - start, blob(b"a") + b"\1" + time8(at(8)) + b"\2"), None, "range", "PRIM-008 CONV-005",
        "one key twice, and no state: order is judged where the row ends", "Order")
    bad(rich, edit(start, end - start, blob(b"a") + b"\1" + bytes(8) + b"\0"), None, "range", "PRIM-006 CONV-005",
        "one key twice, and time 0", "Order")
    row_checks(a, g, one, "rows.0.key")
    bad(one, "rows.0.key", b"\x83\0key", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    bad(one, "rows.0.ref", b"\1", "range", "WIRE-057", "a reference to the table's end", "Table")
    bad(delete, "rows.0.ref", b"\1", "range", "WIRE-057", "a reference to the table's end, in a delta", "Table")
    bad(rich, "rows.3.ref", b"\5", "range", "WIRE-057", "a reference to the table's end, of five", "Table")
    bad(one, "rows.0.ref", b"\x7f", "range", "WIRE-057", "a reference far beyond the table", "Table")
    bad(one, "rows.0.ref", uvarint(2**64 - 1), "range", "WIRE-057", "-1 as a signed number", "Table")
    bad(one, "rows.0.ref", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    bad(big, "rows.129.ref", b"\x81\x81\0", "noncanonical", "PRIM-002", "", "NonMinimal")
    bad(tail, "rows.0.ref", b"\0", "noncanonical", "WIRE-051", "the second of the table is not used", "Table")
    bad(tail, "rows.1.ref", b"\1", "noncanonical", "WIRE-051", "the first of the table is not used", "Table")
    for of in (dead, put):
        start, _ = a.span(of, "replicas.count")
        bad(of, edit(start, 1, b"\2" + NOBODY[:15] + b"\1"), None, "noncanonical", "WIRE-051",
            "one more in the table, and the row moves to it", "Table")
    bad(none, "replicas.count", b"\1" + A, "noncanonical", "WIRE-051", "a table and no rows", "Table")
    bad(tail, a.swap(tail, "replicas.0", "replicas.1"), None, "order", "PRIM-010", "", "Table Unsorted")
    bad(tail, "replicas.1", A, "duplicate", "PRIM-010", "", "Table Unsorted")
    bad(tiny, "replicas.0", NOBODY, "range", "PRIM-007 MODEL-002", "", "Table ZeroReplica")
    for of, what in ((one, "a value"), (dead, "a deleted row"), (both, "the first row of a delta")):
        bad(of, "rows.0.time", bytes(8), "range", "PRIM-006", f"{what} of time 0", "TimeRange")
        bad(of, "rows.0.time", time8(2**63), "range", "PRIM-006", f"{what} of time 2^63", "TimeRange")
    for of, what in ((one, "a value"), (dead, "a deleted row"), (both, "the first row of a delta")):
        for state in (2, 0x80, 0xFF) if of == one else (2,):
            bad(of, "rows.0.state", bytes([state]), "range", "PRIM-008", f"no state, where {what} had one", "Choice")
    bad(empty, "rows.0.state", b"\0", "trailing", "WIRE-001",
        "deleted, and its body is taken for the count of claims", "Trailing")
    bad(tiny, "rows.0.state", b"\1", "truncated", "PRIM-001", "a value whose body is the count of claims", "Truncated")
    bad(dead, edit(a.span(dead, "rows.0.state")[1], 0, blob(b"value")), None, "truncated", "CONV-004 PRIM-005",
        "a deleted row that kept its body", "Truncated")
    bad(dead, edit(a.span(dead, "rows.0.state")[1], 0, blob(b"")), None, "trailing", "WIRE-001",
        "a deleted row with a body of no bytes", "Trailing")
    bad(one, "rows.0.body", uvarint(983_041) + b"value", "range", "PRIM-004 CONV-007 CONV-008", "a body that claims 983,041 bytes")
    bad(put, "rows.0.body", uvarint(983_041) + b"value", "range", "PRIM-004 CONV-007 CONV-008",
        "a body that claims 983,041 bytes, in a delta")
    bad(one, "rows.0.body", uvarint(983_040) + b"value", "truncated", "PRIM-005", "a body that claims 983,040 bytes",
        "Truncated")
    bad(one, "rows.0.body", b"\x85\0value", "noncanonical", "PRIM-002", "", "NonMinimal")
    bad(tiny, "rows.count", b"\2", "truncated", "CONV-004 WIRE-053", "two counted: 24 bytes are not there", "Count")
    bad(smallest, "rows.count", b"\4", "truncated", "CONV-004 WIRE-053", "four counted: 48 bytes are not there", "Count")
    bad(none, "rows.count", b"\1", "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(none, "rows.count", uvarint(2**64 - 1), "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(smallest, "rows.count", uvarint(2**62), "truncated", "CONV-004 WIRE-053",
        "twelve times the count wraps around to zero in 64 bits", "Count")
    bad(none, "rows.count", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    start, end = a.span(smallest, "rows.0")
    bad(smallest, edit(start, end - start, bytes(10)), None, "truncated", "CONV-004 WIRE-053",
        "an empty key, and 35 bytes that cannot hold three rows of 12: the count is met first", "Count Order")
    bad(tail, "rows.count", b"\1", "noncanonical", "WIRE-051",
        "one row too few is counted: the table is looked at after the last", "Count Table")
    bad(smallest, "rows.count", b"\0", "noncanonical", "WIRE-051", "no row is counted, and the table names one", "Count Table")
    a.retire(g, negative=True)          # row type 5, when it was no type of row, in an answer and in a delta
    a.retire(g, negative=True)
    bad(tiny, "rowType", b"\1", "truncated", "CONV-004 WIRE-053", "read as an event: 14 bytes are not there", "Choice Count")
    bad(one, "rowType", b"\1", "truncated", "CONV-004 PRIM-005",
        "read as an event: its state is the length of a group", "Choice Truncated")
    bad(tiny, "rowType", b"\2", "trailing", "WIRE-001", "read as a marker: its state is the count of claims",
        "Choice Trailing")
    bad(tiny, "rowType", b"\3", "range", "CONV-007", "read as a causal row: its reference is the count of entries",
        "Choice")
    bad(one, edit(len(a.bytes_of(one)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    bad(delete, edit(len(a.bytes_of(delete)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    for path in ("replicas.0", "rows.count", "rows.0.key", "rows.0.ref", "rows.0.time", "rows.0.state", "rows.0.body",
                 "claims.count"):
        a.cut(one, g, a.span(one, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")
    for path in ("rows.0.time", "rows.0.state", "claims.count"):
        a.cut(delete, g, a.span(delete, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"a delta that ends inside {path}")
    for path in ("rows.4.ref", "rows.4.time", "rows.4.state"):
        a.cut(rich, g, a.span(rich, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"the last of five rows ends inside {path}")
    cut = a.span(rich, "rows.2.body")[1] - 40
    a.cut(rich, g, cut, "PRIM-005", "ends inside the body of the third of five rows")
    bad(one, "rowType", b"\6", "range", "PRIM-008", "the first type of row that is not listed", "Choice")
    bad(put, "rowType", b"\6", "range", "PRIM-008", "the first type of row that is not listed, in a delta", "Choice")
    bad(one, "rowType", b"\5", "truncated", "CONV-004 WIRE-053", "read as a message: 22 bytes are not there", "Choice Count")
    bad(rich, "rowType", b"\5", "range", "PRIM-004 CONV-007", "read as a message: its key lacks an author", "Choice")


def answers(a):
    """The head and the claims of answers."""
    R = "WIRE-035 WIRE-050"
    g = "answer"
    row = [event(b"k", at(1), A, b"g", b"x")]
    done = a.frame(g, rows_frame("reconcile_resp", 1, [], [], request=1), R, "nothing to say", "Boundary")
    a.frame(g, rows_frame("reconcile_resp", 1, row, [A], part=1023, last=0, request=128), R,
            "the greatest part", "Boundary")
    claims = a.frame(g, rows_frame("reconcile_resp", 3, [], [], which=1, claims=[
        skip(b"a"), print_(b"b", 1), items(b"c", b"b", b"bb"), items(b"d"), unanswered(b"")]), R,
        "every mode of an answer")
    a.frame(g, rows_frame("reconcile_resp", 1, [], [], claims=[unanswered(b"a"), unanswered(b"b"), print_(b"", 3)]), R,
            "neighbours may both be unanswered: only skips may not")
    a.frame(g, rows_frame("reconcile_resp", 1, [], [], claims=[unanswered(b"a"), unanswered(b"")]), R,
            "two of the smallest claims in five bytes", "Boundary")
    closed = a.frame(g, rows_frame("reconcile_resp", 1, [], [], claims=[print_(b"a", 3), unanswered(b"b")]), R,
                     "claims that end before the keys do")
    a.frame(g, rows_frame("reconcile_resp", 2, [], [], claims=[unanswered(b"")], recipient=NOBODY), R,
            "all is unanswered; to every replica")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad(done, "request", uvarint(2**63), "range", "WIRE-057", "above 2^63 - 1")
    bad(done, "part", uvarint(1024), "range", "CONV-007", "an answer has at most 1,024 parts")
    bad(done, "part", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    for last in (2, 0xFF):
        bad(done, "last", bytes([last]), "range", "PRIM-008", "neither yes nor no", "Choice")
    bad(done, "namespace", b"\0", "range", "PRIM-004 CONV-007", "")
    bad(done, "namespace", blob(b"n" * 65), "range", "PRIM-004 CONV-007", "")
    bad(done, "set", b"\2", "range", "PRIM-008", "", "Choice")
    start, end = a.span(claims, "claims.4")
    bad(claims, edit(start, end - start, b"\0\3" + listed([blob(b"z")])), None, "range", "WIRE-035",
        "an answer asks for no keys", "Ranges")
    bad(claims, edit(start, end - start, b"\0\0"), None, "noncanonical", "WIRE-032", "a skip as the last claim",
        "Ranges")
    bad(claims, "claims.2.items.0.key", blob(b"a"), "range", "WIRE-031", "a key below its range", "Ranges")
    bad(claims, "claims.1.hi", b"\0", "order", "WIRE-030", "an open bound in the middle", "Ranges")
    bad(closed, "claims.count", b"\3", "truncated", "PRIM-001 CONV-004", "three counted, two there", "Count")
    bad(claims, "claims.count", uvarint(1025), "range", "WIRE-033 CONV-008", "")
    bad(done, "claims.count", b"\1", "truncated", "CONV-004", "", "Count")
    for path in ("request", "part", "last", "namespace", "set", "rowType", "replicas.count", "rows.count"):
        a.cut(done, g, a.span(done, path)[1] - 1, "PRIM-001 PRIM-005", f"ends inside {path}")


def deltas(a):
    R = "WIRE-050"
    g = "delta"
    one = a.frame(g, rows_frame("sync_delta", 1, [event(b"k1", at(1), A, b"g1", b"hello")], [A], recipient=NOBODY), R,
                  "a local append, sent to all")
    a.frame(g, rows_frame("sync_delta", 2, [marker(b"g1", at(2), A)], [A], recipient=NOBODY), R, "a local burial")
    two = a.frame(g, rows_frame("sync_delta", 3, [causal(b"k", (A, at(2), b"new"), (B, at(1), None))], [A, B],
                                recipient=NOBODY), R, "a local put that covers another replica's value")
    a.frame(g, rows_frame("sync_delta", 3, [causal(b"k", (A, at(2), None))], [A], which=1), R, "a local delete")
    a.frame(g, rows_frame("sync_delta", 1, [], []), R, "no rows: of no use, and well-formed", "Boundary")
    a.bad(one, "rows.0.time", bytes(8), "range", "PRIM-006", "", "TimeRange", g)
    a.bad(one, "rows.0.ref", b"\1", "range", "WIRE-057", "", "Table", g)
    a.bad(two, a.swap(two, "rows.0.0", "rows.0.1"), None, "order", "WIRE-052 PRIM-010", "", "Unsorted", g)
    a.bad(two, "rowType", b"\1", "range", "WIRE-057", "a causal row read as an event: its count is a reference",
          "Choice", g)
    a.bad(one, edit(len(a.bytes_of(one)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing", g)
    a.cut(two, g, a.span(two, "rows.0.0.body")[1] - 2, "PRIM-005 CONV-004", "ends inside a body")


def more_deltas(a):
    """What no sender writes and every decoder takes (WIRE-050, WIRE-056)."""
    for number, part, last in ((7, 3, 0), (7, 0, 1), (0, 3, 1), (0, 0, 0)):
        a.frame("delta", rows_frame("sync_delta", 1, [event(b"k1", at(1), A, b"g1", b"hello")], [A], request=number, part=part, last=last),
                "WIRE-050", f"request {number}, part {part}, last {last}: no sender writes it, every decoder takes it")


def errors(a):
    g = "error"

    def error(cls, number=0, rule=b"", detail=b"", **header):
        return {**head("error", **header), "class": cls, "request": number, "rule": rule, "detail": detail}

    R = "WIRE-061 ERR-001"
    ids = {c: a.frame(g, error(c, n, b"WIRE-031"), R, f"class {n}") for n, c in enumerate(CLASSES, 1)}
    small = a.frame(g, error("unexpected"), R, "neither request nor rule nor detail", "Boundary")
    rich = a.frame(g, error("range", 2**63 - 1, b"ABCDEFGHIJ-12345", "Schlüssel zu groß · 鍵 🔑".encode(), epoch=EPOCH1),
                   R, "the longest rule; a detail beyond ASCII", "Boundary Utf8")
    long = a.frame(g, error("order", 9, b"-", b"x" * 256), R, "the longest detail", "Boundary")
    a.frame(g, error("text", 1, b"Z9", b"\x00\x1b[31m\n"), R, "control characters are well-formed UTF-8", "Utf8")
    text = a.frame(g, error("text", 1, b"WIRE-061", "\U0010ffff\ud7ff\ue000\u0800\u0080".encode()), R,
                   "the edges of what UTF-8 can spell", "Utf8 Boundary")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    for n in (0, 15, 0xFF):
        bad(small, "class", bytes([n]), "range", "WIRE-061 ERR-001", "no class", "Choice")
    bad(rich, "request", uvarint(2**63), "range", "WIRE-061", "above 2^63 - 1")
    bad(rich, "rule", blob(b"A" * 17), "range", "PRIM-004 CONV-007", "a rule of 17 bytes")
    bad(long, "detail", blob(b"x" * 257), "range", "PRIM-004 CONV-007", "a detail of 257 bytes")
    bad(long, "detail", uvarint(257) + b"x" * 256, "range", "PRIM-004 CONV-008", "a detail that claims 257 bytes")
    for rule, what in ((b"wire-031", "lower case"), (b"WIRE_031", "an underscore"), (b"WIRE 031", "a space"),
                       (b"WIRE\0", "a zero byte"), (b"W\xc3\x84", "a letter beyond ASCII"), (b"@", "just below A"),
                       (b"[", "just above Z"), (b"/", "just below 0"), (b":", "just above 9"), (b".", "above the hyphen"),
                       (b",", "below the hyphen")):
        bad(ids["order"], "rule", blob(rule), "text", "WIRE-061", what, "Utf8")
    for detail, what in ((b"\x80", "a continuation alone"), (b"a\xc3", "a letter cut in two"),
                         (b"\xc0\x80", "zero in two bytes"), (b"\xc1\xbf", "overlong, two bytes"),
                         (b"\xe0\x9f\xbf", "overlong, three bytes"), (b"\xf0\x8f\xbf\xbf", "overlong, four bytes"),
                         (b"\xed\xa0\x80", "half a surrogate pair"), (b"\xed\xbf\xbf", "the other half"),
                         (b"\xf4\x90\x80\x80", "above U+10FFFF"), (b"\xf5\x80\x80\x80", "no lead byte"),
                         (b"\xff", "never a byte of UTF-8"), (b"\xe2\x82", "three bytes, one missing"),
                         (b"\xc3(", "a lead byte before ASCII")):
        bad(text, "detail", blob(detail), "text", "WIRE-061", what, "Utf8")
    bad(small, "rule", b"\x80\0", "noncanonical", "PRIM-002 CONV-003", "", "NonMinimal")
    bad(small, edit(len(a.bytes_of(small)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    for path in ("class", "request", "rule", "detail"):
        a.cut(small, g, a.span(small, path)[1] - 1, "PRIM-001 PRIM-005", f"ends inside {path}")
    a.cut(long, g, len(a.bytes_of(long)) - 1, "PRIM-005", "a detail short by one byte")
