"""Cases that tell a size or a width exactly. Of a list whose first element is bad and whose bytes are one too few for what it
counts, the count is judged first (CONV-004): a smaller size than PRIM-012 says would let the bad element name the error."""

from build import edit
from cases_frame import ID, causal, entry, event, head, items, keys, marker, print_, request, rows_frame, sighting, unanswered, write
from cases_frame_sketches import wants
from frames import message_row
from merge import OUT, Message
from ops import WIDTHS
from primitives import MAX_VECTOR, blob
from samples import A, B, FLEET, NOBODY, at, noise

FLAGS = {
    "SmallestSize": {"why": "how many bytes an element takes at least", "bugType": "RESOURCE",
                     "effect": "room is made for elements that cannot be there; two implementations name different errors"},
    "Width": {"why": "an id, a key or a hash of another width", "bugType": "VALIDATION", "effect": "a hash of something that is none"},
    "TooMany": {"why": "a merge whose result is over a limit", "bugType": "RESOURCE", "effect": "a write is lost, or a row is that no frame carries"},
}
EMPTY = b"\0"                         # a key, a group or a name of no bytes: range


def short(a, group, of, field, at_, first, size, req, count=2):
    """The twin with a bad first element, ended one byte before the `count` elements that it counts could end."""
    new = first.ljust(count * size - 1, b"\1")
    data = bytes.fromhex(a.by_id[of]["in"][field])
    a.no(group, of, field, edit(at_, len(data) - at_, new), "truncated", f"CONV-004 PRIM-012 {req}",
         f"{count} counted, and a byte less than {count} times {size} is there: that is judged before the first of them, which is bad", "SmallestSize")


def frame(a):
    g = "sizes"

    def case(body, path, first, size, req, count=2):
        of = a.frame(g, body, req, "made for edits")
        short(a, g, of, "bytes", a.span(of, path)[0], first, size, req, count)
        return of

    post = Message((OUT, at(1), b"hello"))
    hello = {**head("hello"), "minVersion": 1, "maxVersion": 1, "capabilities": 0, "schema": bytes(32), "incarnation": ID[0],
             "challenge": ID[1], "answer": NOBODY, "sightings": [sighting(r, ID[2], at(1)) for r in (A, B)]}
    case(hello, "sightings.0", NOBODY, 40, "WIRE-011")
    case({**head("digest"), "form": 1, "namespaces": [entry(b"a"), entry(b"b")]}, "namespaces.0", EMPTY, 69, "WIRE-020")
    case(request(print_(b"m", 3), print_(b"", 4)), "ranges.0", b"\x81\4", 2, "WIRE-033")
    case(request(items(b"", b"a", b"b")), "ranges.0.items.0", EMPTY, 18, "WIRE-031")
    case(request(keys(b"", b"a", b"b")), "ranges.0.keys.0", EMPTY, 2, "WIRE-034")
    table = case(rows_frame("sync_delta", 4, [write(b"a", at(1), A, None), write(b"b", at(1), B, None)], [A, B], namespace=b"table"),
                 "replicas.0", NOBODY, 16, "WIRE-051")
    start, size = a.span(table, "replicas.0")[0], len(a.bytes_of(table))
    a.bad(table, edit(start, size - start, NOBODY + B), None, "range", "PRIM-007 PRIM-012", "the table just fits; its first replica is none", "SmallestSize", g)
    for row_type, size, rows in ((1, 14, [event(k, at(1), A, b"g", b"") for k in (b"a", b"b")]), (2, 11, [marker(k, at(1), A) for k in (b"a", b"b")]),
                                 (3, 13, [causal(k, (A, at(1), None)) for k in (b"a", b"b")]), (4, 12, [write(k, at(1), A, None) for k in (b"a", b"b")]),
                                 (5, 22, [message_row(FLEET + k, post) for k in (b"a", b"b")])):
        case(rows_frame("sync_delta", row_type, rows, [] if row_type == 5 else [A], namespace=b"sizes"), "rows.0", EMPTY, size, "WIRE-053")
    case(rows_frame("sync_delta", 3, [causal(b"k", (A, at(1), None), (B, at(2), None))], [A, B], namespace=b"sizes"), "rows.0.0", b"\2", 10, "WIRE-053")
    case(wants(b"\2\2\2\2", b"\3\3\3\3", b"\4\4\4\4"), "rows.0", b"\2\2\2\2", 4, "WIRE-080", 3)
    claims = a.frame(g, rows_frame("reconcile_resp", 4, [], [], claims=[unanswered(b"")]), "WIRE-035", "made for edits")
    a.bad(claims, "claims.0.mode", b"\5", "range", "WIRE-035", "`all` in an answer: what the whole of a range is asked with", "Choice", g)
    a.bad(claims, "claims.0.mode", b"\3" + b"\1" + blob(b"a"), "range", "WIRE-035", "keys in an answer", "Choice", g)


def primitives(a):
    pairs = next(c["id"] for c in a.cases if c["op"] == "vector.decode" and c.get("out", {}).get("count") == "2")
    short(a, "sizes", pairs, "bytes", 1, NOBODY, 24, "PRIM-009")


def merge(a):
    widths(a)
    two = a.causal("sizes", [[(A, 1000, None), (B, 1000, None)]], [(A, 1000, None), (B, 1000, None)], "MERGE-010", "made for edits", "Orders")
    short(a, "sizes", two, "a", 5, NOBODY, 25, "LEAF-004")
    a.no("sizes", two, "a", edit(0, 4, blob(b"k" * 513)), "range", "LEAF-004 PRIM-004 CONV-007", "a key of 513 bytes", "BadContent")
    a.no("sizes", two, "a", edit(0, 55, blob(b"k" * 513)), "range", "LEAF-004 PRIM-004 CONV-005", "a key of 513 bytes, and nothing behind it", "BadContent")
    full = [(n.to_bytes(16, "big"), 1000, None) for n in range(1, MAX_VECTOR + 1)]
    most = a.causal("sizes", [full, [(full[-1][0], 2000, None)]], [*full[:-1], (full[-1][0], 2000, None)], "MERGE-010 CONV-009",
                    "1,024 entries, and one that takes the place of the last", "TooMany")
    a.no("sizes", most, "b", edit(5, 16, B), "range", "CONV-009", "1,024 entries, and one of another replica: neither may be dropped", "TooMany")


def widths(a):
    """Each field of fixed width once in an area, in the first case that has it, a byte shorter and a byte longer."""
    done = set()
    for case in list(a.cases):
        for field in case["in"] if "out" in case else ():
            name = field.rsplit(".", 1)[-1]
            if name in done or name not in WIDTHS:
                continue
            done.add(name)
            size, group = WIDTHS[name], case["id"].split("-")[1]
            a.no(group, case["id"], field, edit(size - 1, 1), "range", "PRIM-004", f"{name}: {size - 1} bytes", "Width")
            a.no(group, case["id"], field, edit(size, 0, "01"), "range", "PRIM-004", f"{name}: {size + 1} bytes", "Width")


def sketch(a):
    widths(a)
    longest = next(c["id"] for c in a.cases if c.get("comment") == "the longest key")
    a.no("id", longest, "key", edit(0, 512), "range", "PRIM-004 CONV-007", "no key", "Width")
    a.no("id", longest, "key", edit(512, 0, "01"), "range", "PRIM-004 CONV-007", "a key of 513 bytes", "Width")


def digest(a):
    widths(a)
    row = (noise("bound", 16), noise("bound leaf", 32))
    fields = {"digestKey": bytes(32), "namespace": b"notes", "set": 0, "items": f"{row[0].hex()}:{row[1].hex()}"}
    for op, group in (("fingerprint", "fingerprint"), ("split", "split")):
        of = a.ok(group, op, {**fields, "lo": b"\0" * 512, "hi": b"\xff" * 512}, "DIG-003" if op == "fingerprint" else "DIG-009", "the longest bounds", "Width")
        for field in ("lo", "hi"):
            a.no(group, of, field, edit(512, 0, "01"), "range", "PRIM-004 CONV-007", f"{field}: a bound of 513 bytes", "Width")


def seal(a):
    widths(a)
    of = next(c["id"] for c in a.cases if c["op"] == "seal.channel")
    sender = a.by_id[of]["in"]["sendingFleet"]
    a.no("channel", of, "receivingFleet", edit(0, 16, sender), "duplicate", "SEAL-042", "a channel between a fleet and itself", "KeyDerivation")


ADD = {"primitives": primitives, "frame": frame, "leaf": widths, "digest": digest, "sketch": sketch, "seal": seal, "merge": merge}
