"""One pull, frame by frame, as 06 tells it: A lacks a row of B's and holds an older write of another. The frames of a namespace
`devices` (`lastWriter`) are cases of frame.json, and 06 shows them."""

import digest
import frames
import leaves
from cases_frame import head, rows_frame, write
from primitives import vector
from samples import A, B, DIGEST_KEY, EPOCH0, NOBODY, at, noise

NAME, TYPE = b"devices", leaves.LAST_WRITER
NS = leaves.namespace_key(DIGEST_KEY, NAME)
SCHEMA = digest.schema(DIGEST_KEY, [(NAME, 4)])
OLD, NEW = write(b"desk", at(1), A, b"one"), write(b"desk", at(2), B, b"two")
BOTH, ONLY_B = write(b"lamp", at(0), A, b"lit"), write(b"sofa", at(3), B, b"red")
# What each holds and knows; "A after" is A at the end.
HELD = {"A": [OLD, BOTH], "B": [NEW, BOTH, ONLY_B], "A after": [NEW, BOTH, ONLY_B]}
KNOWN = {"A": [(A, at(1))], "B": [(A, at(1)), (B, at(3))], "A after": [(A, at(1))]}


def items(rows):
    """(key, leaf) of rows that have a value."""
    return [(r["key"], leaves.leaf(NS, TYPE, leaves.content_last_writer(r["key"], r["time"], r["replica"], r["body"]))) for r in rows]


def prints(who):
    return [digest.fingerprint(NS, which, [h for _, h in rows]) for which, rows in enumerate((items(HELD[who]), []))]


def summary(who):
    known = vector([{"replica": r, "time": t} for r, t in KNOWN[who]])
    return {"form": 0, "summary": digest.summary(DIGEST_KEY, EPOCH0, [(NAME, digest.root(NS, *prints(who)), known)])}


def full(who):
    live, tombstones = prints(who)
    return {"form": 1, "namespaces": [{"name": NAME, "liveCount": len(HELD[who]), "live": live, "tombstoneCount": 0, "tombstones": tombstones,
                                       "knowledge": [{"replica": r, "time": t} for r, t in KNOWN[who]]}]}


def hello(who):
    return {"minVersion": 1, "maxVersion": 1, "capabilities": 0, "schema": SCHEMA, "incarnation": noise(f"incarnation {who}", 16),
            "challenge": noise(f"challenge {who}", 16), "answer": NOBODY, "sightings": []}


def steps():
    """(sender, frame, what it does), in order."""
    a, b = {"sender": A, "recipient": B}, {"sender": B, "recipient": A}
    mine = dict(items(HELD["A"]))
    missing = [r for r in HELD["B"] if dict(items([r])) != {r["key"]: mine.get(r["key"])}]
    yield "A", {**head("hello", A, NOBODY), **hello("A")}, "A greets all"
    yield "B", {**head("hello", B, NOBODY), **hello("B")}, "B greets all: the schemas and epochs are equal, so both go on"
    yield "A", {**head("digest", **a), **summary("A")}, "A's summary: it differs from B's own"
    yield "B", {**head("digest", **b), **full("B")}, "B answers with its full digest: the live fingerprints differ, the others do not"
    yield "A", {**head("reconcile_req", **a), "request": 1, "namespace": NAME, "set": 0,
                "ranges": digest.split(NS, 0, items(HELD["A"]), b"", b"")}, "A describes what it holds: two rows are few, so as items"
    yield "B", rows_frame("reconcile_resp", TYPE, missing, [B], namespace=NAME, request=1, **b), \
        "B sends the rows that are not listed or have another leaf; nothing is left to claim"
    yield "A", {**head("digest", **a), **full("A after")}, \
        "A merged rows, so it says where it stands: its fingerprints are B's, so the two agree, and each may join the other's knowledge"


def frame(a):
    for _, one, comment in steps():
        a.frame("pull", one, "WIRE-001", f"a pull: {comment}")


FLAGS = {}
ADD = {"frame": frame}
