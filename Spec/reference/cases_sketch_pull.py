"""Pulls by sketch, frame by frame: cases of frame.json that two small peers make by the rules of 06. 06 shows the first of them.

A peer here does what SYNC-040 to SYNC-050 ask and nothing else; of ranges it knows what a small set needs. A, with the lesser id, asks.
"""

from collections import deque

import digest
import leaves
import sketch
from cases_frame import head, rows_frame, write
from primitives import vector
from samples import A, B, DIGEST_KEY, EPOCH0, at, noise

NAME, TYPE = b"devices", leaves.LAST_WRITER
NS = leaves.namespace_key(DIGEST_KEY, NAME)


def covers(known, stamp):
    time, replica = stamp
    return time <= dict(known).get(replica, 0)


class Peer:
    """One end: rows by key, a vector of pairs, and what is open."""

    def __init__(self, name, rows, known, opening=24):
        self.name, self.rows, self.known, self.opening = name, {r["key"]: r for r in rows}, known, opening
        self.id, self.other = (A, B) if name == "A" else (B, A)
        self.epoch = EPOCH0
        self.open, self.number, self.theirs, self.due = {}, 0, {"knowledge": []}, False

    # ---- the set ---------------------------------------------------------------------------------

    def items(self, which=0):
        rows = sorted(self.rows.values(), key=lambda r: r["key"])
        return [(r["key"], leaves.leaf(NS, TYPE, leaves.content_last_writer(r["key"], r["time"], r["replica"], r.get("body"))))
                for r in rows if r["state"] == 1 - which]

    def ids(self, which=0):
        """Row id -> key."""
        return {sketch.row_id(NS, key, leaf): key for key, leaf in self.items(which)}

    def cells(self, which, size):
        return sketch.cells(self.ids(which), size)

    def prints(self):
        return [digest.fingerprint(NS, which, [leaf for _, leaf in self.items(which)]) for which in (0, 1)]

    def merge(self, rows):
        for row in rows:
            old = self.rows.get(row["key"])
            if old is None or (old["time"], old["replica"]) < (row["time"], row["replica"]):
                self.rows[row["key"]] = row
                self.due = True

    # ---- frames ----------------------------------------------------------------------------------

    def head(self, kind):
        return head(kind, self.id, self.other, self.epoch)

    def summary(self):
        known = vector([{"replica": r, "time": t} for r, t in self.known])
        return {**self.head("digest"), "form": 0, "summary": digest.summary(DIGEST_KEY, self.epoch, [(NAME, digest.root(NS, *self.prints()), known)])}

    def full(self):
        self.due = False
        live, tombstones = self.prints()
        return {**self.head("digest"), "form": 1, "namespaces": [{
            "name": NAME, "liveCount": len(self.items()), "live": live, "tombstoneCount": len(self.items(1)), "tombstones": tombstones,
            "knowledge": [{"replica": r, "time": t} for r, t in self.known]}]}

    def ask(self, kind, which, about, held=None, **fields):
        self.number += 1
        self.open[self.number] = about, which, held
        return {**self.head(kind), "request": self.number, "namespace": NAME, "set": which, **fields}

    def send(self, kind, which, keys, request=0):
        rows = [self.rows[key] for key in sorted(keys)]
        return rows_frame(kind, TYPE, rows, sorted({r["replica"] for r in rows}), which, request, namespace=NAME, sender=self.id,
                          recipient=self.other, epoch=self.epoch)

    def answer(self, kind, request, which, **fields):
        return {**self.head(kind), "request": request, "namespace": NAME, "set": which, "count": len(self.items(which)), **fields}

    def listed(self, cells):
        return [{"ids": ids.to_bytes(6, "big"), "checks": checks.to_bytes(3, "big"), "number": number} for ids, checks, number in cells]

    def ranges(self, which, bulk):
        ranges = [{"hi": b"", "mode": "all"}] if bulk else digest.split(NS, which, self.items(which), b"", b"")
        return self.ask("reconcile_req", which, "ranges", ranges=ranges)

    # ---- the rules -------------------------------------------------------------------------------

    def exchange(self, which, only_mine, only_theirs):
        """SYNC-050: (the keys to send, the question for the rows that only the peer has, or None)."""
        mine, places = self.ids(which), {row >> 24 for row in only_theirs}
        held = [mine[row] for row in only_mine if row >> 24 in places and covers(self.theirs["knowledge"], self.stamp(mine[row]))]
        wanted = sorted({row.to_bytes(6, "big")[:4] for row in only_theirs})
        question = self.ask("sketch_req", which, "rows", (held, set(only_theirs)), form=2, rows=wanted) if wanted else None
        return [mine[row] for row in only_mine if mine[row] not in held], question

    def stamp(self, key):
        return self.rows[key]["time"], self.rows[key]["replica"]

    def take(self, f):
        """The frames that follow from one, in order; a full digest last, where it is due."""
        out = list(getattr(self, "take_" + f["kind"])(f) or ())
        says = f["kind"] in ("digest", "reconcile_resp", "sketch_resp") and self.due and not self.open
        return [*out, self.full()] if says else out

    def take_digest(self, f):
        if f["form"] == 0:
            return [] if f["summary"] == self.summary()["summary"] else [self.full()]
        self.theirs = {**f["namespaces"][0]}
        self.theirs["knowledge"] = [(k["replica"], k["time"]) for k in self.theirs["knowledge"]]
        out = []
        for which, (own, name) in enumerate(zip(self.prints(), ("live", "tombstones"))):
            count = min(len(self.items(which)), self.theirs["liveCount" if which == 0 else "tombstoneCount"])
            if own == self.theirs[name] or any(w == which for _, w, _ in self.open.values()):
                continue
            if count <= 16:
                out.append(self.ranges(which, False))
            elif self.name == "A":
                ids = self.ids(which)
                out.append(self.ask("sketch_req", which, "sketch", form=0, count=len(ids), counters=sketch.counters(ids),
                                    cells=self.listed(self.cells(which, self.opening))))
        return out

    def take_sketch_req(self, f):
        which, number = f["set"], f["request"]
        if f["form"] == 1:
            first, wanted = f["first"], f["wanted"]
            return [self.answer("sketch_resp", number, which, form=0, first=first, cells=self.listed(self.cells(which, first + wanted)[first:]))]
        if f["form"] == 2:
            return [self.send("reconcile_resp", which, [k for row, k in self.ids(which).items() if row.to_bytes(6, "big")[:4] in f["rows"]], number)]
        theirs, ids = read(f["cells"]), self.ids(which)
        name, found = sketch.answer(self.cells(which, len(theirs)), theirs, sketch.counters(ids), f["counters"], len(ids), f["count"])
        if name == "rows":
            keys, question = self.exchange(which, *found)
            return [self.send("reconcile_resp", which, keys, number)] + ([question] if question else [])
        if name == "cells":
            return [self.answer("sketch_resp", number, which, form=0, first=0, cells=self.listed(self.cells(which, found)))]
        return [self.answer("sketch_resp", number, which, form=1, estimate=found or 0), self.ranges(which, bool(found) and found > f["count"] // 2)]

    def take_sketch_resp(self, f):
        (before, which, _), count = self.open.pop(f["request"]), f["count"]
        if f["form"] == 1:
            return [self.ranges(which, f["estimate"] > count // 2)]
        cells = ([] if before == "sketch" else before) + read(f["cells"])
        own = self.cells(which, len(cells))
        found = sketch.take_apart(sketch.subtract(own, cells), len(self.items(which)) - count)
        if found is None:
            assert before == "sketch", "more cells did not tell either"
            return [self.ask("sketch_req", which, cells, form=1, first=len(cells), wanted=min(len(cells), sketch.MAX_CELLS - len(cells)))]
        keys, question = self.exchange(which, *found)
        self.due = self.due or bool(keys)
        return ([self.send("sync_delta", which, keys)] if keys else []) + ([question] if question else [])

    def take_reconcile_req(self, f):
        """SYNC-021."""
        keys, claims, low, which = [], [], b"", f["set"]
        for entry in f["ranges"]:
            here, mode = digest.within(self.items(which), low, entry["hi"]), entry["mode"]
            if mode == "all" or mode == "keys":
                keys += [k for k, _ in here if mode == "all" or k in entry["keys"]]
            elif mode == "items":
                listed = {item["key"]: item["tag"] for item in entry["items"]}
                keys += [k for k, leaf in here if listed.get(k) != leaf[:16]]
            elif mode == "fingerprint" and digest.fingerprint(NS, which, [leaf for _, leaf in here])[:16] != entry["fingerprint"]:
                claims += ([{"hi": low, "mode": "skip"}] if low else []) + digest.split(NS, which, here, low, entry["hi"])
            low = entry["hi"]
        return [{**self.send("reconcile_resp", which, keys, f["request"]), "claims": claims}]

    def take_reconcile_resp(self, f):
        self.merge(f["rows"])
        about, which, held = self.open.pop(f["request"])
        ranges, mine, low = [], dict(self.items(which)), b""
        for claim in f["claims"] if about == "ranges" else []:
            assert claim["mode"] in ("skip", "items")
            missing = [i["key"] for i in claim.get("items", ()) if mine.get(i["key"], b"")[:16] != i["tag"]]
            if missing:
                ranges += ([{"hi": low, "mode": "skip"}] if low else []) + [{"hi": claim["hi"], "mode": "keys", "keys": missing}]
            low = claim["hi"]
        if ranges:
            return [self.ask("reconcile_req", which, "ranges", ranges=ranges)]
        if held is None:
            return []
        keys, theirs = held
        late = [key for row, key in self.ids(which).items() if key in keys and row not in theirs]
        self.due = self.due or bool(late)
        return [self.send("sync_delta", which, late)] if late else []

    def take_sync_delta(self, f):
        self.merge(f["rows"])


def read(cells):
    return [(int.from_bytes(c["ids"], "big"), int.from_bytes(c["checks"], "big"), c["number"]) for c in cells]


def run(a, b):
    """The frames from the summaries until both are quiet, in the order in which they arrive."""
    assert a.prints() != b.prints()
    way = deque([(b, a.summary()), (a, b.summary())])
    while way:
        receiver, f = way.popleft()
        yield f
        sender = b if receiver is a else a
        way.extend((sender, answer) for answer in receiver.take(f))
    assert a.prints() == b.prints() and not a.open and not b.open and not a.due and not b.due


# ---- the pulls -----------------------------------------------------------------------------------

def rows(label, numbers, replica=A, body=b"on", time=1):
    return [write(f"{label}{n:03}".encode(), at(time, n), replica, body) for n in numbers]


def known(a=1, b=1, counter=999):
    return [(A, at(a, counter)), (B, at(b, counter))]


def balanced(count):
    """Rows whose ids count up and down in the counters in equal number: the estimate sees none of them."""
    waiting, out = {}, []
    for n in range(2_000):
        (row,) = rows("pair", [n], B)
        (row_id,) = Peer("B", [row], []).ids()
        counter, sign = sketch.counter(row_id)
        other = waiting.get((counter, -sign), [])
        if other:
            out += [other.pop(), row]
        else:
            waiting.setdefault((counter, sign), []).append(row)
    return out[:count]


def colliding(key):
    """Two writes of one key with one row id, which fingerprints tell apart."""
    seen = {}
    for n in range(100_000):
        (row,) = [write(key, at(2, n % 60_000), (A, B)[n // 60_000], b"on")]
        (row_id,) = Peer("A", [row], []).ids()
        if row_id in seen:
            return seen[row_id], row
        seen[row_id] = row
    raise AssertionError("no collision")


SHARED = rows("lamp", range(17))
MANY = rows("lamp", range(45))


def pulls():
    """Group -> (A, B, what it shows)."""
    yield "sketchdecoded", Peer("A", SHARED + rows("desk", [1]), known(), opening=6), Peer("B", SHARED + rows("sofa", [1], B), known()), \
        "a row is missing on each side; the opening tells"
    yield "sketchcells", Peer("A", MANY + rows("desk", range(4)), known()), Peer("B", MANY + rows("sofa", range(26), B), known()), \
        "thirty rows differ: the opening does not tell, the cells do"
    yield "sketchmore", Peer("A", MANY, known()), Peer("B", MANY + balanced(60), known()), \
        "sixty rows differ that the estimate does not see: 48 cells do not tell, 96 do"
    yield "sketchmany", Peer("A", rows("desk", range(20)), known()), Peer("B", rows("sofa", range(20), B), known()), \
        "all rows differ: the sketch fails, and both ask for all rows"
    dead = rows("gone", range(20), body=None)
    edited = {r["key"]: r for r in SHARED}
    gone = rows("lamp", [3], B, None, 2)[0]
    live = SHARED + rows("lamp", range(17, 20))
    yield "sketchdelete", Peer("A", live + dead, known()), Peer("B", [gone if r["key"] == gone["key"] else r for r in live] + dead, known(b=2)), \
        "B deleted a row: the tombstones tell; the live rows bring nothing new, which is no failure"
    new = rows("lamp", [3], A, b"off", 2)[0]
    yield "sketchedit", Peer("A", [new if r["key"] == new["key"] else r for r in SHARED], known(a=2)), Peer("B", SHARED, known()), \
        "A edited a row: B knows that A's version is the later one, and keeps its own"
    new = rows("lamp", [3], B, b"off", 2)[0]
    yield "sketcheditor", Peer("A", SHARED, known()), Peer("B", [new if r["key"] == new["key"] else r for r in SHARED], known(b=2)), \
        "B edited a row: it sends it, and A does not send the earlier one"
    assert edited
    one, two = colliding(b"lamp003")
    rest = [r for r in SHARED if r["key"] != one["key"]]
    yield "sketchequal", Peer("A", [*rest, one], known(a=2)), Peer("B", [*rest, two], known(a=2)), \
        "two versions of a row have one id: ranges find them"


# What each frame of the first pull does, digests left out, for 06.
TOLD = {
    "sketch_req 0": "A describes its eighteen rows by a sketch of six cells; 24 would be usual",
    "reconcile_resp B": "B's cells less A's are taken apart into two ids. B sends the row whose id only it has",
    "sketch_req 2": "B asks for the row whose id only A has; the request number is B's own",
    "reconcile_resp A": "A sends it: each holds nineteen rows now, and the full digests say so",
}


def told(f):
    by = f["form"] if f["kind"] == "sketch_req" else "A" if f["sender"] == A else "B"
    return TOLD.get(f"{f['kind']} {by}", "")


def frame(a):
    for n, (group, one, two, what) in enumerate(pulls()):
        one.epoch = two.epoch = noise(f"epoch of pull {n}", 16) if n else EPOCH0          # so that no two frames are equal
        for m, f in enumerate(run(one, two)):
            story = told(f) if n == 0 else ""
            rule = {"digest": "WIRE-001", "sketch_req": "WIRE-080", "sketch_resp": "WIRE-082"}.get(f["kind"], "WIRE-001")
            a.frame(group, f, rule, f"a pull by sketch: {what if m == 0 else story}".removesuffix(": "))


FLAGS = {}
ADD = {"frame": frame}
