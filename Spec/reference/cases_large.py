"""Cases at the great limits: bodies of 960 KiB, envelopes of 1 MiB. Their files hold runs of a byte as `fill` parts (11)."""

from build import edit
from cases_frame import event, rows_frame
from primitives import MAX_BODY, blob, uvarint
from samples import A, C, at

FLAGS = {"Large": {"why": "the greatest value that is taken, and the least that is not", "bugType": "OFF_BY_ONE",
                   "effect": "valid input is refused, or an input allocates without bound"}}
MOST = b"\xab" * MAX_BODY


def primitives(a):
    body = a.ok("large", "bytes.decode", {"bytes": blob(MOST), "min": 0, "max": MAX_BODY}, "PRIM-004 CONV-007", "at maxBody", "Large")
    a.no("large", body, "bytes", edit(0, 3, uvarint(MAX_BODY + 1) + b"\xab"), "range", "PRIM-004 CONV-007", "one byte more, and all are there", "Large")
    a.no("large", body, "bytes", edit(MAX_BODY + 2, 1), "truncated", "PRIM-005", "one byte is missing", "Large")


def frame(a):
    row = a.frame("large", rows_frame("sync_delta", 1, [event(b"k", at(1), A, b"g", MOST)], [A]), "WIRE-050 CONV-007", "a body at maxBody", "Large")
    a.bad(row, "rows.0.body", blob(MOST + b"\xab"), "range", "PRIM-004 CONV-007", "a body over maxBody, and all of it is there", "Large")


def leaf(a):
    live = a.last_writer(b"large", at(1), C, MOST, "a body at maxBody", "Large")
    a.no("lastwriter", live, "body", edit(0, 0, b"\xab"), "range", "LEAF-004 PRIM-004 CONV-007", "a body over maxBody", "Large")


def seal(a):
    small = next(c["id"] for c in a.cases if c["op"] == "seal.open")
    most = 1_048_576
    size = len(a.bytes_of(small))
    a.no("open", small, "bytes", edit(size, 0, bytes(most + 50 - size)), "too-large", "SEAL-005 SEAL-010",
         "one byte above the greatest envelope", "Large")
    a.no("open", small, "bytes", edit(size, 0, bytes(most + 49 - size)), "auth", "SEAL-005 SEAL-006",
         "the greatest envelope: long enough for its key to be looked at, and the tag does not fit", "Large")
    a.no("open", small, "bytes", edit(1, size - 1, bytes(most + 49)), "too-large", "SEAL-005 CONV-005",
         "too long, and the key id is unknown: the length is met first", "Large")
    a.no("open", small, "bytes", edit(0, size, b"\2" + bytes(most + 49)), "version", "SEAL-005 CONV-005",
         "too long, and of another version: the version is met first", "Large")
    sealed = next(c["id"] for c in a.cases if c["op"] == "seal.seal")
    frame_size = len(a.by_id[sealed]["in"]["frame"]) // 2
    a.no("seal", sealed, "frame", edit(frame_size, 0, bytes(most - frame_size)), "too-large", "SEAL-010", "a frame of 1,048,576 bytes", "Large")


ADD = {"primitives": primitives, "frame": frame, "leaf": leaf, "seal": seal}
