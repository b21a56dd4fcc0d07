"""Frames of 03: decode, encode, and the flat fields of the operation `frame.decode`.

A frame is a dict whose keys are the names of the field tables; lists are lists, bytes are bytes, numbers are
ints. A kind of 80 or above that is not known is {"kind": "skip"} (WIRE-004).
"""

from errors import CLASSES, Reject
from leaves import message_fields, spell_message
from merge import EVERYONE, IN, LIVE, Message
from primitives import (MAX_DETAIL, MAX_NAMESPACES, MAX_PARTS, MAX_RANGES, MAX_REQUEST, MAX_RULE, MAX_SIGHTINGS,
                        MAX_VECTOR, Reader, blob, check_ascending, listed, time8, u8, uvarint, vector)
from sketch import COUNTERS, MAX_CELLS

KINDS = {1: "hello", 2: "digest", 3: "reconcile_req", 4: "reconcile_resp", 5: "sync_delta", 6: "message_op", 7: "error",
         8: "sketch_req", 9: "sketch_resp"}
CODES = {name: code for code, name in KINDS.items()}
MODES = ("skip", "fingerprint", "items", "keys", "unanswered", "all")
REQUEST_MODES, ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 4)
RULE_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")


# ---- decoding ---------------------------------------------------------------------------------

def decode(data):
    """WIRE-001, WIRE-002, WIRE-003, WIRE-004."""
    r = Reader(data)
    kind = r.u8()
    if kind >= 0x80:
        return {"kind": "skip"}
    if kind not in KINDS:
        raise Reject("type", "WIRE-003", 0)
    frame = {"kind": KINDS[kind], "sender": r.replica(), "recipient": r.id16(), "epoch": r.id16()}
    frame.update(BODIES[kind](r))
    r.end("WIRE-001")
    return frame


def read_hello(r):
    """WIRE-010, WIRE-011."""
    start = r.at
    low = r.u8()
    if low == 0:
        raise Reject("range", "WIRE-010", start)
    start = r.at
    high = r.u8()
    if high < low:
        raise Reject("range", "WIRE-010", start)
    body = {"minVersion": low, "maxVersion": high, "capabilities": r.uvarint(), "schema": r.hash(),
            "incarnation": r.id16(), "challenge": r.id16(), "answer": r.id16(), "sightings": []}
    previous = None
    for _ in range(r.count(0, MAX_SIGHTINGS, 40)):
        start = r.at
        s = {"replica": r.replica(), "incarnation": r.id16(), "time": r.time()}
        previous = check_ascending(previous, (s["replica"], s["incarnation"]), "WIRE-011", start)
        body["sightings"].append(s)
    return body


def read_digest(r):
    """WIRE-020."""
    if r.choice((0, 1)) == 0:
        return {"form": 0, "summary": r.tag()}
    entries, previous = [], None
    for _ in range(r.count(0, MAX_NAMESPACES, 69)):
        start = r.at
        e = {"name": r.name(), "liveCount": r.uvarint(), "live": r.hash(),
             "tombstoneCount": r.uvarint(), "tombstones": r.hash(), "knowledge": r.vector()}
        previous = check_ascending(previous, e["name"], "PRIM-010", start)
        entries.append(e)
    return {"form": 1, "namespaces": entries}


def read_request(r):
    """WIRE-040."""
    return {"request": r.number(1, MAX_REQUEST, "WIRE-040"), "namespace": r.name(), "set": r.choice((0, 1)),
            "ranges": read_ranges(r, 1, REQUEST_MODES, "WIRE-040")}


def read_ranges(r, fewest, modes, empty_rule):
    """A range list with its count: WIRE-030 to WIRE-035. CONV-005 says where each rule is met."""
    start = r.at
    total = r.count(0, MAX_RANGES, 2, "WIRE-033")
    if total < fewest:
        raise Reject("range", empty_rule, start)
    entries, low = [], b""
    for i in range(total):
        start = r.at
        high = r.bytes(0, 512)
        if high == b"":
            if i + 1 < total:
                raise Reject("order", "WIRE-030", start)
        elif i:
            check_ascending(low, high, "WIRE-030", start)
        mode = r.choice(range(6))
        if mode not in modes:
            raise Reject("range", "WIRE-035", r.at - 1)
        entry = {"hi": high, "mode": MODES[mode]}
        if mode == 1:
            entry["fingerprint"] = r.tag()
        elif mode == 2:
            entry["items"] = read_keys(r, 0, 18, low, high, tagged=True)
        elif mode == 3:
            entry["keys"] = read_keys(r, 1, 2, low, high, tagged=False)
        if mode == 0 and (i + 1 == total or i and entries[-1]["mode"] == "skip"):
            raise Reject("noncanonical", "WIRE-032", start)
        entries.append(entry)
        low = high
    return entries


def read_keys(r, fewest, smallest, low, high, tagged):
    """Keys of one range entry, with leaf tags in an items entry: WIRE-031, WIRE-034."""
    out, previous = [], None
    for _ in range(r.count(fewest, None, smallest, "WIRE-034")):
        start = r.at
        key = r.key()
        if key < low or high and key >= high:
            raise Reject("range", "WIRE-031", start)
        previous = check_ascending(previous, key, "WIRE-031", start)
        out.append({"key": key, "tag": r.tag()} if tagged else key)
    return out


def read_rows_frame(r):
    """The body shared by `reconcile_resp` and `sync_delta`: WIRE-050 to WIRE-053."""
    body = {"request": r.number(0, MAX_REQUEST, "WIRE-057"), "part": r.number(0, MAX_PARTS - 1, "CONV-007"),
            "last": r.choice((0, 1)), "namespace": r.name(), "set": r.choice((0, 1)),
            "rowType": r.choice(tuple(ROWS)), "replicas": [], "rows": []}
    table, used, previous = body["replicas"], set(), None
    for _ in range(r.count(0, MAX_VECTOR, 16)):
        start = r.at
        previous = check_ascending(previous, r.replica(), "PRIM-010", start)
        table.append(previous)

    def ref():
        start = r.at
        index = r.uvarint()
        if index >= len(table):
            raise Reject("range", "WIRE-057", start)
        used.add(index)
        return table[index]

    read, smallest = ROWS[body["rowType"]]
    previous = None
    for _ in range(r.count(0, None, smallest)):
        start = r.at
        row, order = read(r, ref)
        previous = check_ascending(previous, order, "WIRE-052", start)
        body["rows"].append(row)
    if len(used) != len(table):
        raise Reject("noncanonical", "WIRE-051", r.at)
    body["claims"] = read_ranges(r, 0, ANSWER_MODES, None)
    return body


def read_event(r, ref):
    key, replica, time = r.key(), ref(), r.time()
    row = {"key": key, "time": time, "replica": replica, "group": r.group(), "body": r.body()}
    return row, (key, time, replica, row["group"], row["body"])


def read_marker(r, ref):
    group, replica = r.group(), ref()
    return {"group": group, "time": r.time(), "replica": replica}, group


def read_causal(r, ref):
    key, entries, previous = r.key(), [], None
    for _ in range(r.count(1, MAX_VECTOR, 10)):
        start = r.at
        entry = {"replica": ref(), "time": r.time(), "state": r.choice((0, 1))}
        if entry["state"]:
            entry["body"] = r.body()
        previous = check_ascending(previous, entry["replica"], "WIRE-052", start)
        entries.append(entry)
    return {"key": key, "entries": entries}, key


def read_last_writer(r, ref):
    key, replica, time = r.key(), ref(), r.time()
    row = {"key": key, "time": time, "replica": replica, "state": r.choice((0, 1))}
    if row["state"]:
        row["body"] = r.body()
    return row, key


def message_row(key, m):
    """A message with the names of 03."""
    row = {"key": key, "scope": m.scope, "delivered": m.delivered, "hasBase": int(m.base is not None)}
    if m.base:
        row.update(zip(("direction", "postedAt", "body"), m.base))
    row["hasEdit"] = int(m.edit is not None)
    if m.edit:
        row.update(zip(("editedAt", "opID", "editBody"), m.edit))
    return row


def row_message(row):
    """The state that the names of 03 spell."""
    base = (row["direction"], row["postedAt"], row["body"]) if row["hasBase"] else None
    edit = (row["editedAt"], row["opID"], row["editBody"]) if row["hasEdit"] else None
    return Message(base, edit, row["scope"], row["delivered"])


def read_message(r, ref):
    """WIRE-058."""
    key, m = message_fields(r, rule="WIRE-058")
    return message_row(key, m), key


def read_message_op(r):
    """WIRE-070."""
    name = r.name()
    return {"namespace": name, **message_row(*message_fields(r, (LIVE, EVERYONE), (IN,), "WIRE-070"))}


ROWS = {1: (read_event, 14), 2: (read_marker, 11), 3: (read_causal, 13), 4: (read_last_writer, 12), 5: (read_message, 22)}


def read_cells(r, first=0, rule="WIRE-080"):
    """A list of cells, as 12 spells them; it ends at MAX_CELLS."""
    total = r.count(1, MAX_CELLS - first, 10, rule)
    return [{"ids": r.take(6), "checks": r.take(3), "number": r.u8()} for _ in range(total)]


def read_sketch_request(r):
    """WIRE-080, WIRE-081."""
    body = {"request": r.number(1, MAX_REQUEST, "WIRE-080"), "namespace": r.name(), "set": r.choice((0, 1)),
            "form": r.choice((0, 1, 2))}
    if body["form"] == 0:
        return {**body, "count": r.uvarint(), "counters": r.take(COUNTERS), "cells": read_cells(r)}
    if body["form"] == 1:
        body["first"] = r.number(0, MAX_CELLS, "WIRE-080")
        return {**body, "wanted": r.number(1, MAX_CELLS - body["first"], "WIRE-080")}
    rows, previous = [], None
    for _ in range(r.count(1, MAX_CELLS, 4, "WIRE-080")):
        start = r.at
        previous = check_ascending(previous, r.take(4), "WIRE-081", start)
        rows.append(previous)
    return {**body, "rows": rows}


def read_sketch_answer(r):
    """WIRE-080, WIRE-082."""
    body = {"request": r.number(1, MAX_REQUEST, "WIRE-080"), "namespace": r.name(), "set": r.choice((0, 1)),
            "form": r.choice((0, 1)), "count": r.uvarint()}
    if body["form"] == 1:
        return {**body, "estimate": r.uvarint()}
    body["first"] = r.number(0, MAX_CELLS, "WIRE-082")
    return {**body, "cells": read_cells(r, body["first"], "WIRE-082")}


def read_error(r):
    """WIRE-061."""
    body = {"class": CLASSES[r.choice(range(1, 15), "WIRE-061") - 1],
            "request": r.number(0, MAX_REQUEST, "WIRE-061")}
    start = r.at
    body["rule"] = r.bytes(0, MAX_RULE)
    if not RULE_CHARACTERS.issuperset(body["rule"]):
        raise Reject("text", "WIRE-061", start)
    start = r.at
    body["detail"] = r.bytes(0, MAX_DETAIL)
    try:
        body["detail"].decode("utf-8", "strict")
    except UnicodeDecodeError:
        raise Reject("text", "WIRE-061", start) from None
    return body


BODIES = {1: read_hello, 2: read_digest, 3: read_request, 4: read_rows_frame, 5: read_rows_frame, 6: read_message_op,
          7: read_error, 8: read_sketch_request, 9: read_sketch_answer}


# ---- encoding ---------------------------------------------------------------------------------

def encode(f):
    """The one spelling of a frame. It does not check its input: decode does."""
    kind = CODES[f["kind"]]
    return u8(kind) + f["sender"] + f["recipient"] + f["epoch"] + WRITERS[kind](f)


def write_hello(f):
    return (u8(f["minVersion"]) + u8(f["maxVersion"]) + uvarint(f["capabilities"]) + f["schema"]
            + f["incarnation"] + f["challenge"] + f["answer"]
            + listed(s["replica"] + s["incarnation"] + time8(s["time"]) for s in f["sightings"]))


def write_digest(f):
    if f["form"] == 0:
        return u8(0) + f["summary"]
    return u8(1) + listed(blob(e["name"]) + uvarint(e["liveCount"]) + e["live"] + uvarint(e["tombstoneCount"])
                          + e["tombstones"] + vector(e["knowledge"]) for e in f["namespaces"])


def write_request(f):
    return uvarint(f["request"]) + blob(f["namespace"]) + u8(f["set"]) + listed(map(write_range, f["ranges"]))


def write_range(e):
    mode = e["mode"]
    out = blob(e["hi"]) + u8(MODES.index(mode))
    if mode == "fingerprint":
        out += e["fingerprint"]
    elif mode == "items":
        out += listed(blob(i["key"]) + i["tag"] for i in e["items"])
    elif mode == "keys":
        out += listed(map(blob, e["keys"]))
    return out


def write_rows_frame(f):
    ref = {replica: uvarint(i) for i, replica in enumerate(f["replicas"])}

    def state(x):
        return u8(x["state"]) + (blob(x["body"]) if x["state"] else b"")

    def row(x):
        if f["rowType"] == 1:
            return blob(x["key"]) + ref[x["replica"]] + time8(x["time"]) + blob(x["group"]) + blob(x["body"])
        if f["rowType"] == 2:
            return blob(x["group"]) + ref[x["replica"]] + time8(x["time"])
        if f["rowType"] == 3:
            return blob(x["key"]) + listed(ref[e["replica"]] + time8(e["time"]) + state(e) for e in x["entries"])
        if f["rowType"] == 4:
            return blob(x["key"]) + ref[x["replica"]] + time8(x["time"]) + state(x)
        return spell_message(x["key"], row_message(x))

    return (uvarint(f["request"]) + uvarint(f["part"]) + u8(f["last"]) + blob(f["namespace"]) + u8(f["set"])
            + u8(f["rowType"]) + listed(f["replicas"]) + listed(map(row, f["rows"]))
            + listed(map(write_range, f["claims"])))


def write_message_op(f):
    return blob(f["namespace"]) + spell_message(f["key"], row_message(f))


def write_cells(cells):
    return listed(c["ids"] + c["checks"] + u8(c["number"]) for c in cells)


def write_sketch_request(f):
    forms = {0: lambda: uvarint(f["count"]) + f["counters"] + write_cells(f["cells"]),
             1: lambda: uvarint(f["first"]) + uvarint(f["wanted"]), 2: lambda: listed(f["rows"])}
    return uvarint(f["request"]) + blob(f["namespace"]) + u8(f["set"]) + u8(f["form"]) + forms[f["form"]]()


def write_sketch_answer(f):
    forms = {0: lambda: uvarint(f["first"]) + write_cells(f["cells"]), 1: lambda: uvarint(f["estimate"])}
    return (uvarint(f["request"]) + blob(f["namespace"]) + u8(f["set"]) + u8(f["form"]) + uvarint(f["count"])
            + forms[f["form"]]())


def write_error(f):
    return u8(CLASSES.index(f["class"]) + 1) + uvarint(f["request"]) + blob(f["rule"]) + blob(f["detail"])


WRITERS = {1: write_hello, 2: write_digest, 3: write_request, 4: write_rows_frame, 5: write_rows_frame,
           6: write_message_op, 7: write_error, 8: write_sketch_request, 9: write_sketch_answer}


# ---- flat fields ------------------------------------------------------------------------------

def flatten(value, path=""):
    """The fields of an operation's result (11): dotted names, decimal numbers, hexadecimal bytes.

    The entries of a causal row stand directly under the row, as 11 names them.
    """
    if isinstance(value, (bytes, bytearray)):
        return {path: value.hex()}
    if isinstance(value, (int, str)):
        return {path: str(value)}
    if isinstance(value, list):
        pairs = [("count", len(value))] + list(enumerate(value))
    else:
        pairs = list(value.items())
    out = {}
    for name, part in pairs:
        name = "" if name == "entries" else str(name)
        out.update(flatten(part, ".".join(p for p in (path, name) if p)))
    return out
