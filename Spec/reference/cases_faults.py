"""Cases with two faults: which of them names the error (CONV-005). Each edit turns a good twin into an input that breaks two
rules, which no class but the first one's may answer."""

from build import edit
from cases_frame import ID, LEAF, causal, entry, event, head, items, keys, marker, print_, request, rows_frame, sighting, skip, unanswered, write
from cases_frame_sketches import more
from primitives import blob, stamp, time8, uvarint
from samples import A, B, C, D, FLEET, HIGH, NOBODY, OTHER_SEAL_KEY, at
from seal import key_id

FLAGS = {"TwoFaults": {"why": "of several faults the one met first names the error", "bugType": "DIAGNOSIS",
                       "effect": "two implementations name different errors for one input"}}


def frame(a):
    g = "faults"

    def no(of, changes, cls, req, comment):
        """`changes` gives fields, by their paths and in the order of the bytes, other bytes; None stands for the end."""
        data, spans = a.bytes_of(of), [(a.span(of, p) if p else (len(a.bytes_of(of)),) * 2) for p, _ in changes]
        out, last = b"", spans[0][0]
        for (start, end), (_, new) in zip(spans, changes):
            out, last = out + data[last:start] + new, end
        a.no(g, of, "bytes", edit(spans[0][0], last - spans[0][0], out), cls, f"CONV-005 {req}", comment, "TwoFaults")

    hello = a.frame(g, {**head("hello"), "minVersion": 1, "maxVersion": 2, "capabilities": 5, "schema": bytes(32), "incarnation": ID[0],
                        "challenge": ID[1], "answer": NOBODY, "sightings": [sighting(r, ID[2], at(n)) for n, r in enumerate((A, B, C))]},
                    "WIRE-010 WIRE-011", "made for edits")
    no(hello, [("maxVersion", b"\0"), ("capabilities", b"\x80\0")], "range", "WIRE-010", "versions reversed; a capability word in two bytes")
    no(hello, [("capabilities", b"\x85\0"), ("sightings.count", b"\x41")], "noncanonical", "PRIM-002",
       "a capability word in two bytes; 65 sightings counted")
    no(hello, [("sightings.1.replica", A), ("sightings.1.time", bytes(8))], "range", "PRIM-006",
       "a sighting that repeats its neighbour's names, of time 0: order is judged where the element ends")
    no(hello, [("sightings.1.replica", A), ("sightings.2.time", bytes(8))], "duplicate", "WIRE-011",
       "a sighting twice; the one after it of time 0")
    no(hello, [("sightings.1.replica", NOBODY[:15] + b"\1"), (None, b"\0")], "order", "WIRE-011", "sightings descend; a byte after the body")
    no(hello, [("sender", NOBODY), ("minVersion", b"\0"), ("capabilities", b"\x80\0")], "range", "PRIM-007 WIRE-002",
       "nobody sends; version 0; a capability word in two bytes")
    digest = a.frame(g, {**head("digest"), "form": 1, "namespaces": [
        entry(b"a", 1, 0, [(A, at(1)), (B, at(2))], 2), entry(b"b", 3, 1, [(A, at(1)), (B, at(2))], 4), entry(b"c", 0, 0, [], 6)]},
        "WIRE-020", "made for edits")
    no(digest, [("namespaces.1.name", blob(b"a")), ("namespaces.1.knowledge.0.replica", NOBODY)], "range", "PRIM-007",
       "a name twice, and nobody in its knowledge: order is judged where the element ends")
    no(digest, [("namespaces.1.name", blob(b"a")), ("namespaces.2.name", b"\0")], "duplicate", "PRIM-010", "a name twice; then an empty name")
    no(digest, [("namespaces.0.knowledge.1.replica", A), ("namespaces.1.name", blob(b"A"))], "duplicate", "PRIM-009",
       "a replica twice in the first knowledge; then names that descend")
    no(digest, [("namespaces.0.knowledge.1.replica", A), ("namespaces.0.knowledge.1.time", bytes(8))], "range", "PRIM-006",
       "a replica twice, the second time of time 0: order is judged where the entry ends")
    no(digest, [("namespaces.1.liveCount", b"\x83\0"), ("namespaces.1.knowledge.count", uvarint(1025))], "noncanonical", "PRIM-002",
       "a count in two bytes; a vector of 1,025")
    ask = a.frame(g, request(items(b"d", b"a", b"b", b"c"), skip(b"f"), keys(b"k", b"g", b"h", b"i"), print_(b"p", 0), print_(b"", 1)),
                  "WIRE-040", "made for edits")
    no(ask, [("ranges.2.keys.2", blob(b"e"))], "range", "WIRE-031", "a key below its range and below its neighbour: the range is judged first")
    no(ask, [("ranges.0.items.1.key", blob(b"z")), ("ranges.0.items.2.key", blob(b"a"))], "range", "WIRE-031",
       "a key above its range; then one below its neighbour")
    no(ask, [("ranges.0.items.1.key", blob(b"a")), ("ranges.0.items.2.key", blob(b"z"))], "duplicate", "WIRE-031",
       "a key twice; then one above its range")
    no(ask, [("ranges.3.hi", blob(b"a")), ("ranges.3.mode", b"\7")], "order", "WIRE-030", "bounds descend; no mode: a bound is judged where it ends")
    no(ask, [("ranges.3.mode", b"\7"), ("ranges.4.hi", blob(b"a"))], "range", "PRIM-008", "no mode; then bounds descend")
    no(ask, [("ranges.1.hi", blob(b"d")), ("ranges.2.keys.0", b"\0")], "duplicate", "WIRE-030", "a bound twice; then an empty key")
    no(ask, [("ranges.0", blob(b"d") + b"\0"), ("ranges.2.hi", blob(b"e"))], "noncanonical", "WIRE-032", "two skips; then bounds descend")
    no(ask, [("set", b"\2"), ("ranges.count", b"\x85\0")], "range", "PRIM-008", "no set; a count in two bytes")
    no(ask, [("request", b"\x81\0"), ("namespace", b"\0")], "noncanonical", "PRIM-002", "a number in two bytes; an empty name")
    no(ask, [("namespace", b"\xc1\0" + b"notes")], "noncanonical", "PRIM-002", "a length of 65, in two bytes: a number is judged before its limit")
    log = a.frame(g, rows_frame("reconcile_resp", 1, [event(bytes([97 + n]), at(n + 1), r, b"g", b"x") for n, r in enumerate((A, B, C))], [A, B, C],
                                claims=[print_(b"m"), unanswered(b"")]), "WIRE-050", "made for edits")
    no(log, [("rows.1.key", blob(b"a")), ("rows.1.time", bytes(8))], "range", "PRIM-006",
       "a row below its neighbour, of time 0: order is judged where the row ends")
    no(log, [("rows.1.key", blob(b"A")), ("rows.2.time", bytes(8))], "order", "WIRE-052", "rows descend; the next one of time 0")
    no(log, [("rows.1.key", blob(b"A")), ("claims.count", b"\x82\0")], "order", "WIRE-052", "rows descend; the claims' count in two bytes")
    no(log, [("rows.1.key", blob(b"A")), ("rows.1.ref", b"\0")], "order", "WIRE-052", "rows descend; and one of the table is not used")
    no(log, [("rows.1.ref", b"\0"), ("claims.0.hi", b"\0")], "noncanonical", "WIRE-051",
       "one of the table is not used; then an open bound inside: the table is judged before the claims")
    no(log, [("rows.1.ref", b"\0"), ("claims.count", b"\x7f")], "noncanonical", "WIRE-051", "one of the table is not used; then a count that cannot fit")
    no(log, [("replicas.1", A), ("rows.0.ref", b"\3")], "duplicate", "PRIM-010", "the table repeats; then a reference to its end")
    no(log, [("replicas.0", HIGH), ("rows.count", b"\x83\0")], "order", "PRIM-010", "the table descends; a count in two bytes")
    no(log, [("rows.0.ref", b"\x83\0"), ("rows.0.time", bytes(8))], "noncanonical", "PRIM-002", "a reference in two bytes, beyond the table; time 0")
    no(log, [("rows.2.group", b"\0"), ("claims.0.mode", b"\3")], "range", "PRIM-004", "an empty group; then keys in an answer")
    no(log, [("rows.0.key", b"\0"), (None, b"\0")], "range", "PRIM-004", "an empty key; a byte after the body")
    tree = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"a", (A, at(1), b"x"), (B, at(2), None), (C, at(3), b"y")),
                                                       causal(b"b", (A, at(1), b"x"), (D, at(2), None))], [A, B, C, D]), "WIRE-050", "made for edits")
    no(tree, [("rows.0.1.ref", b"\0"), ("rows.0.1.state", b"\2")], "range", "PRIM-008",
       "two entries of one replica, the second of no state: order is judged where the entry ends")
    no(tree, [("rows.0.1.ref", b"\0"), ("rows.0.2.state", b"\2")], "duplicate", "WIRE-052", "two entries of one replica; then no state")
    no(tree, [("rows.1.key", blob(b"a")), ("rows.1.0.ref", b"\3")], "duplicate", "WIRE-052",
       "a key twice, its entries of one replica: either is a duplicate")
    no(tree, [("rows.1.key", blob(b"a")), ("rows.1.0.ref", b"\3"), ("rows.1.1.ref", b"\1")], "order", "WIRE-052",
       "a key twice, its entries descend: they are judged inside the row")
    last = a.frame(g, rows_frame("reconcile_resp", 4, [write(k, at(1), A, b"x") for k in (b"a", b"b", b"c")], [A]), "WIRE-050", "made for edits")
    no(last, [("rows.1.key", blob(b"A")), ("rows.2.state", b"\2")], "order", "WIRE-052", "rows descend; then no state")
    no(last, [("rows.1.key", blob(b"A")), ("rows.2.key", b"\x81\4")], "order", "WIRE-052", "rows descend; then a key that claims 513 bytes")
    fault = a.frame(g, {**head("error"), "class": "range", "request": 7, "rule": b"WIRE-031", "detail": b"text"}, "WIRE-061", "made for edits")
    no(fault, [("class", b"\0"), ("request", b"\x87\0")], "range", "WIRE-061", "no class; a number in two bytes")
    no(fault, [("request", b"\x87\0"), ("rule", blob(b"wire"))], "noncanonical", "PRIM-002", "a number in two bytes; a rule in lower case")
    no(fault, [("rule", blob(b"w" * 17))], "range", "PRIM-004", "a rule of 17 small letters: its length is judged before its characters")
    no(fault, [("rule", blob(b"wire")), ("detail", uvarint(257) + b"x")], "text", "WIRE-061", "a rule in lower case; a detail that claims 257 bytes")
    no(fault, [("detail", blob(b"\xff")), (None, b"\0")], "text", "WIRE-061", "a detail that is no UTF-8; a byte after the body")
    no(fault, [("sender", NOBODY + B + NOBODY + b"\0"), ("recipient", b""), ("epoch", b""), ("class", b""), ("request", b""), ("rule", b""), ("detail", b"")],
       "range", "PRIM-007", "nobody sends; the frame ends behind a class that is none")
    later_faults(a, g, no, fault)


def later_faults(a, g, no, fault):
    def cut(of, path, new, req, comment):
        """The frame ended with `new` in the place of the field and of all behind it."""
        start, size = a.span(of, path)[0], len(a.bytes_of(of))
        a.no(g, of, "bytes", edit(start, size - start, new), "truncated", f"CONV-005 {req}", comment, "TwoFaults")

    marks = a.frame(g, rows_frame("reconcile_resp", 2, [marker(b"a" * 40, at(1), A), marker(b"b", at(2), B), marker(b"c", at(3), C)], [A, B, C]),
                    "WIRE-050", "made for edits")
    no(marks, [("rows.1.group", blob(b"a" * 40)), ("rows.1.time", bytes(8))], "range", "PRIM-006",
       "a group twice, the second time of time 0: order is judged where the row ends")
    no(marks, [("rows.1.group", blob(b"A")), ("rows.1.ref", b"\3")], "range", "WIRE-057", "groups descend, and a reference to the table's end")
    no(marks, [("rows.1.group", blob(b"A")), ("rows.2.ref", b"\3")], "order", "WIRE-052", "groups descend; then a reference to the table's end")
    cut(marks, "rows.1.group", blob(b"A") + b"\1" + bytes(7), "PRIM-005", "groups descend, and the input ends inside the time of the lesser")
    tree = a.frame(g, rows_frame("reconcile_resp", 3, [causal(b"a", (A, at(1), b"x" * 40), (B, at(2), None), (C, at(3), None))], [A, B, C]),
                   "WIRE-050", "made for edits")
    cut(tree, "rows.0.1.ref", b"\0" + bytes(7), "PRIM-005", "two entries of one replica, and the input ends inside the time of the second")
    listed = a.frame(g, request(print_(b"d", 0), items(b"k", b"e", b"f", b"g"), keys(b"", b"l", b"m", b"n")), "WIRE-040", "made for edits")
    no(listed, [("ranges.1.items.1.key", blob(b"c"))], "range", "WIRE-031", "an item below its range and below its neighbour: the range is judged first")
    no(listed, [("ranges.1.items.1.key", blob(b"e")), ("ranges.1.items.2.key", blob(b"c"))], "duplicate", "WIRE-031", "an item twice; then one below its range")
    no(listed, [("ranges.2.keys.1", blob(b"a")), ("ranges.2.keys.2", blob(b"n") + b"\0")], "range", "WIRE-031", "a key below its range and below its neighbour; a byte after the body")
    cut(fault, "rule", uvarint(16) + b"wire-031", "PRIM-005", "a rule of 16 bytes of which 8 small letters are there: all of it comes before its characters")
    cut(fault, "detail", uvarint(16) + b"\xff" * 8, "PRIM-005", "a detail of 16 bytes of which 8 are there, which are no UTF-8")
    ask = a.frame(g, more(65_534, 2), "WIRE-080", "made for edits")
    no(ask, [("first", uvarint(65_536)), ("wanted", b"\x81\0")], "noncanonical", "PRIM-002",
       "no cell is left, which is judged at the number wanted; that is spelt in two bytes")
    no(ask, [("first", uvarint(65_537)), ("wanted", b"\x81\0")], "range", "WIRE-080", "a first beyond all cells; a number wanted in two bytes")


def primitives(a):
    pairs = a.ok("faults", "vector.decode", {"bytes": b"\4" + b"".join(r + time8(9) for r in (A, B, C, D))}, "PRIM-009", "made for edits")

    def no(at_, delete, new, cls, req, comment):
        a.no("faults", pairs, "bytes", edit(at_, delete, new), cls, f"CONV-005 {req}", comment, "TwoFaults")

    no(25, 24, A + bytes(8), "range", "PRIM-006", "a replica twice, the second time of time 0: order is judged where the entry ends")
    no(25, 48, A + time8(9) + C + bytes(8), "duplicate", "PRIM-009", "a replica twice; the next entry of time 0")
    no(25, 48, A[:15] + b"\0" + time8(9) + NOBODY + time8(9), "order", "PRIM-009", "replicas descend; the next one is none")
    no(73, 24, NOBODY + bytes(8) + b"\0", "range", "PRIM-007", "the replica that is none, of time 0; a byte more")
    no(49, 48, A + time8(9) + D + time8(9) + b"\0", "order", "PRIM-009", "replicas descend; a byte more")
    no(0, 1, uvarint(1025)[:1] + b"\x88\0", "noncanonical", "PRIM-002", "1,025 counted, in three bytes: a number is judged before its limit")
    text = a.ok("faults", "bytes.decode", {"bytes": blob(b"12345"), "min": 1, "max": 8}, "PRIM-004", "made for edits")
    a.no("faults", text, "bytes", edit(0, 1, "8900"), "noncanonical", "CONV-005 PRIM-002", "a length of 9 of at most 8, in two bytes", "TwoFaults")
    a.no("faults", text, "bytes", edit(0, 6, "0900"), "range", "CONV-005 CONV-008 PRIM-004", "9 of at most 8, and one is there", "TwoFaults")
    a.no("faults", text, "bytes", edit(0, 1, "00"), "range", "CONV-005 PRIM-004", "empty, and bytes left over", "TwoFaults")


def merge(a):
    tree = a.causal("faults", [[(A, 1000, b"a"), (B, 1000, b"b"), (C, 1000, None)], [(B, 3000, None)]],
                    [(A, 1000, b"a"), (B, 3000, None), (C, 1000, None)], "MERGE-010", "made for edits", "Orders")
    start, size = 5, 27

    def no(of, e, cls, req, comment):
        a.no("faults", of, "a", e, cls, f"LEAF-004 CONV-005 {req}", comment, "TwoFaults")

    no(tree, edit(start + size, 24, A + bytes(8)), "range", "PRIM-006", "two entries of one replica, the second of time 0")
    no(tree, edit(start + size, 25, A + time8(1000) + b"\2"), "range", "PRIM-008", "two entries of one replica, the second of no state")
    no(tree, edit(start + size, 2 * size - 2, A + time8(1000) + b"\1" + blob(b"b") + C + bytes(8) + b"\0"), "duplicate", "PRIM-010",
       "two entries of one replica; the next of time 0")
    no(tree, edit(start + size, 2 * size - 2, A[:15] + b"\0" + time8(1000) + b"\1" + blob(b"b") + C + time8(1000) + b"\0\0"), "order", "PRIM-010",
       "entries descend; a byte more")
    no(tree, edit(0, 4, b"\0"), "range", "PRIM-004", "an empty key, and what follows is read as another content")
    long = a.causal("faults", [[(A, 1000, b"a" * 40), (B, 1000, None), (C, 1000, None)]], [(A, 1000, b"a" * 40), (B, 1000, None), (C, 1000, None)],
                    "MERGE-010", "made for edits", "Orders")
    after = start + 25 + 41
    no(long, edit(after, 50, A + bytes(4)), "truncated", "PRIM-005", "two entries of one replica, and the input ends inside the time of the second")
    last = a.last("faults", [(1000, A, b"body"), (1000, B, b"b")], (1000, B, b"b"), "made for edits", "Orders")
    no(last, edit(4, 24, stamp(2**63, NOBODY)), "range", "PRIM-006", "time 2^63, and nobody")
    no(last, edit(12, 17, NOBODY + b"\2"), "range", "PRIM-007", "nobody, and no state")
    no(last, edit(28, 6, "02"), "range", "PRIM-008", "no state, and no body")
    no(last, edit(29, 5, "8400"), "noncanonical", "PRIM-002", "a body's length in two bytes, and no body")


def seal(a):
    small = next(c["id"] for c in a.cases if c["op"] == "seal.open")

    def no(e, cls, req, comment, layer=None):
        a.no("open", small, "bytes", e, cls, f"CONV-005 {req}", comment, "TwoFaults", layer=layer)

    no(edit(0, 9, b"\2" + key_id(OTHER_SEAL_KEY, FLEET)), "version", "SEAL-005 VER-001", "version 2, and the key id of another key")
    no(edit(0, 305, b"\2" + bytes(100)), "version", "SEAL-005 VER-001", "version 2, and 101 bytes of 305")
    length = len(bytes.fromhex(a.by_id[small]["out"]["frame"]))
    no(edit(0, 256, b"\x12" + bytes(254) + b"\1"), "seal-format", "SEAL-009", "a padding that is none, around a kind that is none", "plaintext")
    no(edit(0, 272 - 16, (b"\x12" + bytes(length - 1) + b"\x80").ljust(272, b"\0")), "seal-format", "SEAL-009",
       "P = 272 where 256 would do, around a kind that is none", "plaintext")


ADD = {"primitives": primitives, "frame": frame, "seal": seal, "merge": merge}
