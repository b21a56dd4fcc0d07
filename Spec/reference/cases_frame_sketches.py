"""Cases of frame.json about the kinds sketch_req and sketch_resp."""

import sketch
from build import edit
from primitives import blob, uvarint
from samples import A, B, EPOCH0, EPOCH1, NOBODY, noise

ROWS = [int.from_bytes(noise(f"sketch row {i}", 6), "big") for i in range(40)]
COUNTERS = sketch.counters(ROWS)


def cells(size, rows=ROWS):
    return [{"ids": ids.to_bytes(6, "big"), "checks": checks.to_bytes(3, "big"), "number": number}
            for ids, checks, number in sketch.cells(rows, size)]


def head(kind, request=7, namespace=b"notes", which=0, epoch=EPOCH0, recipient=B, **rest):
    return {"kind": kind, "sender": A, "recipient": recipient, "epoch": epoch, "request": request, "namespace": namespace,
            "set": which, **rest}


def opening(size=3, count=40, **rest):
    return head("sketch_req", form=0, count=count, counters=COUNTERS, cells=cells(size), **rest)


def more(first=24, wanted=24, **rest):
    return head("sketch_req", form=1, first=first, wanted=wanted, **rest)


def wants(*rows, **rest):
    return head("sketch_req", form=2, rows=list(rows), **rest)


def numbers(a, g, of, rule):
    """What the fields that both kinds begin with are refused for."""
    def bad(where, new, cls, req, comment, flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad("request", b"\0", "range", rule, "request 0 stands for none")
    bad("request", uvarint(2**63), "range", rule, "above 2^63 - 1")
    bad("request", b"\x87\0", "noncanonical", "PRIM-002", "7 in two bytes", "NonMinimal")
    bad("namespace", b"\0", "range", "PRIM-004 CONV-007", "no name")
    bad("namespace", blob(b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    bad("set", b"\2", "range", "PRIM-008", "no set", "Choice")


def lists(a, g, of, rule, size):
    """What a list of cells is refused for."""
    def bad(where, new, cls, req, comment, flags="Count"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    bad("cells.count", uvarint(size + 1), "truncated", "CONV-004", "one cell too many is counted")
    bad("cells.count", uvarint(size - 1), "trailing", "WIRE-001", "one cell too few is counted", "Trailing")
    bad("cells.count", uvarint(2**61), "range", f"{rule} CONV-008", "a count over its limit, whose bytes wrap around")
    bad("cells.count", uvarint(65_537), "range", f"{rule} CONV-008", "65,537 counted", "Limit")
    bad("cells.count", uvarint(65_536), "truncated", "CONV-004", "65,536 counted")
    start = a.span(of, "cells.count")[0]
    bad(edit(start, len(a.bytes_of(of)) - start, b"\0"), None, "range", rule, "no cell", "Limit")
    a.cut(of, g, len(a.bytes_of(of)) - 1, "CONV-004", "the last cell lacks a byte", "Truncated Count")


def requests(a):
    g, R = "sketchreq", "WIRE-080"
    first = a.frame(g, opening(1), R, "the smallest opening", "Boundary")
    usual = a.frame(g, opening(24), f"{R} SKETCH-007 SKETCH-008", "24 cells of forty rows")
    a.frame(g, opening(130, count=2**64 - 1, request=2**63 - 1, which=1, namespace=b"n" * 64, epoch=EPOCH1,
                       recipient=NOBODY), R, "the greatest numbers; a count of cells in two bytes", "Boundary")
    rest = a.frame(g, more(), R, "24 cells more")
    last = a.frame(g, more(65_535, 1), R, "the last cell of all", "Boundary")
    every = a.frame(g, more(0, 65_536), R, "all cells", "Boundary")
    one = a.frame(g, wants(b"\0\0\0\0"), f"{R} WIRE-081", "one row")
    three = a.frame(g, wants(b"\0\1\2\3", b"\x7f\0\0\0", b"\xff\xff\xff\xff", which=1), f"{R} WIRE-081",
                    "three rows: bytes are unsigned", "Boundary")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    numbers(a, g, usual, "WIRE-080")
    for form in (3, 0xFF):
        bad(rest, "form", bytes([form]), "range", "PRIM-008", "no form", "Choice")
    bad(usual, "count", b"\xff" * 9 + b"\x02", "range", "PRIM-003", "a count above 64 bits")
    lists(a, g, usual, "WIRE-080", 24)
    bad(last, "first", uvarint(65_536), "range", "WIRE-080", "no cell is left", "Boundary")
    bad(last, "first", uvarint(65_537), "range", "WIRE-080", "beyond the last cell")
    bad(last, "wanted", b"\2", "range", "WIRE-080", "one cell beyond the last", "Boundary")
    bad(rest, "wanted", b"\0", "range", "WIRE-080", "no cell")
    bad(every, "wanted", uvarint(65_537), "range", "WIRE-080", "one cell more than there are", "Boundary")
    bad(every, "wanted", uvarint(2**64 - 1), "range", "WIRE-080", "first and wanted wrap around")
    bad(rest, edit(len(a.bytes_of(rest)), 0, b"\0"), None, "trailing", "WIRE-001", "a byte more", "Trailing")
    bad(one, edit(len(a.bytes_of(one)) - 5, 5, b"\0"), None, "range", "WIRE-080", "no row")
    bad(one, "rows.count", b"\2", "truncated", "CONV-004", "two counted, one there", "Count")
    bad(one, "rows.count", uvarint(65_537), "range", "WIRE-080 CONV-008", "65,537 counted")
    bad(three, "rows.count", b"\2", "trailing", "WIRE-001", "two counted, three there", "Trailing")
    bad(three, a.swap(three, "rows.0", "rows.1"), None, "order", "WIRE-081", "rows descend", "Unsorted")
    bad(three, "rows.1", b"\0\1\2\3", "duplicate", "WIRE-081", "one row twice", "Unsorted")
    bad(three, a.swap(three, "rows.1", "rows.2"), None, "order", "WIRE-081", "the order of signed numbers", "Unsorted")
    for path in ("request", "namespace", "set", "form", "count", "counters", "cells.count"):
        a.cut(first, g, a.span(first, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")
    for path in ("first", "wanted"):
        a.cut(last, g, a.span(last, path)[1] - 1, "PRIM-001", f"ends inside {path}")


def answers(a):
    g, R = "sketchresp", "WIRE-082"

    def answer(size=3, start=0, count=40, **rest):
        return head("sketch_resp", form=0, count=count, first=start, cells=cells(start + size)[start:], **rest)

    first = a.frame(g, answer(1), R, "one cell", "Boundary")
    usual = a.frame(g, answer(48), f"{R} SKETCH-007", "48 cells of forty rows")
    later = a.frame(g, answer(16, 48, request=130, which=1), R, "cells 48 to 63")
    end = a.frame(g, {**answer(1), "count": 2**64 - 1, "first": 65_535, "request": 2**63 - 1, "epoch": EPOCH1}, R,
            "the last cell of all", "Boundary")
    last = a.frame(g, {**answer(2), "first": 65_534}, R, "the last two", "Boundary")
    many = a.frame(g, head("sketch_resp", form=1, count=1_000_000, estimate=699_051), "WIRE-080", "too many differences")
    a.frame(g, head("sketch_resp", form=1, count=0, estimate=0, which=1), "WIRE-080", "nothing is held", "Boundary")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    numbers(a, g, usual, "WIRE-080")
    for form in (2, 0xFF):
        bad(many, "form", bytes([form]), "range", "PRIM-008", "no form", "Choice")
    lists(a, g, usual, "WIRE-082", 48)
    bad(last, "first", uvarint(65_535), "range", "WIRE-082", "ends one cell beyond the last", "Boundary")
    bad(last, "first", uvarint(65_537), "range", "WIRE-082", "begins beyond the last cell")
    bad(later, "first", uvarint(2**64 - 1), "range", "WIRE-082", "first and count wrap around")
    bad(many, edit(len(a.bytes_of(many)), 0, b"\0"), None, "trailing", "WIRE-001", "a byte more", "Trailing")
    for path in ("request", "namespace", "set", "form", "count", "first", "cells.count"):
        a.cut(first, g, a.span(first, path)[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")
    a.cut(many, g, a.span(many, "estimate")[1] - 1, "PRIM-001", "ends inside estimate")
    bad(end, "cells.count", b"\2", "range", "WIRE-082 CONV-008", "two counted, one there, and the second would lie beyond the last", "Count")
