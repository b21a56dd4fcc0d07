"""The operations of 11 over flat strings: what an adapter answers. `run` returns `out` or raises Reject."""

import re

import channel
import digest
import frames
import leaves
import merge
import relay
import seal
import sketch
from errors import Reject
from primitives import MAX_KEY, MAX_VECTOR, alone, check_length, check_number

NUMBER = re.compile("0|[1-9][0-9]*")


def H(text):
    """Bytes. Another text is no input (11): ValueError, which an adapter answers with `error`."""
    value = bytes.fromhex(text)
    if value.hex() != text:
        raise ValueError("not lower-case hexadecimal")
    return value


def N(text):
    """A number of 0 to 2^64 - 1 in its one decimal spelling. Another text is no input."""
    if not NUMBER.fullmatch(text) or int(text) >= 2**64:
        raise ValueError("not a decimal number")
    return int(text)


def _uvarint(i):
    return {"value": alone(H(i["bytes"]), lambda r: r.uvarint())}


def _bytes(i):
    return {"value": alone(H(i["bytes"]), lambda r: r.bytes(N(i["min"]), N(i["max"])))}


def _stamp(i):
    return dict(zip(("time", "replica"), alone(H(i["bytes"]), lambda r: r.stamp())))


def _vector(i):
    return alone(H(i["bytes"]), lambda r: r.vector())


def _frame(i):
    return frames.decode(H(i["bytes"]))


def _ns(i):
    return leaves.namespace_key(H(i["digestKey"]), H(i["namespace"]))


def _leaf_event(i):
    ns = _ns(i)
    content = leaves.content_event(H(i["key"]), [
        (N(i[f"{n}.time"]), H(i[f"{n}.replica"]), H(i[f"{n}.group"]), H(i[f"{n}.body"]))
        for n in range(N(i["count"]))])
    return {"content": content, "leaf": leaves.leaf(ns, leaves.EVENT, content)}


def _leaf_marker(i):
    ns = _ns(i)
    content = leaves.content_marker(H(i["group"]), N(i["time"]), H(i["replica"]))
    return {"content": content, "leaf": leaves.leaf(ns, leaves.MARKER, content)}


def _state(text, rule="PRIM-008"):
    if N(text) not in (0, 1):
        raise Reject("range", rule)
    return text == "1"


def _leaf_causal(i):
    ns = _ns(i)
    entries = [(H(i[f"{n}.replica"]), N(i[f"{n}.time"]),
                H(i[f"{n}.body"]) if _state(i[f"{n}.state"]) else None) for n in range(N(i["count"]))]
    content = leaves.content_causal(H(i["key"]), entries)
    return {"content": content, "leaf": leaves.leaf(ns, leaves.CAUSAL, content), "set": leaves.causal_set(entries)}


def _leaf_last_writer(i):
    ns = _ns(i)
    body = H(i["body"]) if _state(i["state"]) else None
    content = leaves.content_last_writer(H(i["key"]), N(i["time"]), H(i["replica"]), body)
    return {"content": content, "leaf": leaves.leaf(ns, leaves.LAST_WRITER, content),
            "set": leaves.last_writer_set(body)}


def _message_state(i):
    base = edit = None
    if _state(i["hasBase"]):
        base = (N(i["direction"]), N(i["postedAt"]), H(i["body"]))
    if _state(i["hasEdit"]):
        edit = (N(i["editedAt"]), H(i["opID"]), H(i["editBody"]))
    return merge.Message(base, edit, N(i["scope"]), N(i["delivered"]))


def _leaf_message(i):
    ns, m = _ns(i), _message_state(i)
    content = leaves.content_message(H(i["key"]), m)
    return {"content": content, "leaf": leaves.leaf(ns, leaves.MESSAGE, content), "set": merge.message_set(m)}


def _items(i):
    """The items and the bounds of their range: `key:leaf`, a leaf of 32 bytes; a bound is open where it is empty."""
    items = [tuple(map(H, item.split(":"))) for item in _words(i["items"])]
    if any(len(item) != 2 or len(item[1]) != 32 for item in items):
        raise ValueError("an item is key:leaf")
    return items, *(check_length(H(i[name]), 0, MAX_KEY) for name in ("lo", "hi"))


def _words(text):
    """What stands between single spaces."""
    return text.split(" ") if text else []


def _fingerprint(i):
    found = [h for _, h in digest.within(*_items(i))]
    return {"count": len(found), "sum": digest.total(found),
            "fingerprint": digest.fingerprint(_ns(i), N(i["set"]), found)}


def _split(i):
    return {"description": digest.describe(digest.split(_ns(i), N(i["set"]), *_items(i)))}


def _row_ids(rows):
    return " ".join(f"{row:012x}" for row in rows)


def _sketch_id(i):
    row = sketch.row_id(_ns(i), check_length(H(i["key"]), 1, MAX_KEY), H(i["leaf"]))
    number, sign = sketch.counter(row)
    return {"row": row.to_bytes(6, "big"), "dense": int(sketch.is_dense(row)), "check": sketch.check(row).to_bytes(3, "big"),
            "counter": number, "up": int(sign == 1)}


def _sketch_indexes(i):
    return {"indexes": " ".join(map(str, sketch.indexes(int.from_bytes(H(i["row"]), "big"), N(i["size"]))))}


def _sketch_cells(i):
    rows = [int.from_bytes(H(row), "big") for row in _words(i["rows"])]
    return {"cells": sketch.spell(sketch.cells(rows, N(i["size"]))), "counters": sketch.counters(rows)}


def _sketch_difference(i):
    found = sketch.take_apart(sketch.subtract(sketch.read(H(i["a"])), sketch.read(H(i["b"]))), N(i["countA"]) - N(i["countB"]))
    if found is None:
        return {"decoded": 0}
    return {"decoded": 1, "onlyA": _row_ids(found[0]), "onlyB": _row_ids(found[1])}


def _sketch_estimate(i):
    return {"estimate": sketch.estimate(H(i["a"]), H(i["b"]))}


def _sketch_answer(i):
    cells = [sketch.read(H(i[name])) for name in ("a", "b")]
    name, found = sketch.answer(*cells, H(i["countersA"]), H(i["countersB"]), N(i["countA"]), N(i["countB"]))
    if name == "rows":
        return {"answer": name, "onlyA": _row_ids(found[0]), "onlyB": _row_ids(found[1])}
    number = {"cells": "cells", "tooMany": "estimate"}.get(name)
    return {"answer": name, **({number: found} if number else {})}


def _root(i):
    return {"root": digest.root(_ns(i), H(i["live"]), H(i["tombstones"]))}


def _schema(i):
    return {"fingerprint": digest.schema(H(i["digestKey"]), [
        (H(i[f"{n}.name"]), N(i[f"{n}.code"])) for n in range(N(i["count"]))])}


def _summary(i):
    parts = []
    for n in range(N(i["count"])):
        knowledge = H(i[f"{n}.knowledge"])
        alone(knowledge, lambda r: r.vector())
        parts.append((H(i[f"{n}.name"]), H(i[f"{n}.root"]), knowledge))
    return {"summary": digest.summary(H(i["digestKey"]), H(i["epoch"]), parts)}


def _seal_key(i):
    key, fleet = H(i["sealKey"]), H(i["fleet"])
    return {"keyID": seal.key_id(key, fleet), "boxKey": seal.box_key(key, fleet)}


def _seal_open(i):
    return {"frame": seal.open(H(i["sealKey"]), H(i["fleet"]), H(i["bytes"]))}


def _seal_seal(i):
    return {"bytes": seal.seal(H(i["sealKey"]), H(i["fleet"]), H(i["nonce"]), H(i["frame"]))}


def _merge_causal(i):
    states = [leaves.read_causal(H(i[n])) for n in ("a", "b", "c") if n in i]
    key, merged = states[0][0], merge.merge_causal(*(entries for _, entries in states))
    check_number(len(merged), 1, MAX_VECTOR, "CONV-009")
    live = [(time, replica, body) for replica, time, body in merged if body is not None]
    read = {"read": max(live)[2]} if live else {}
    return {"merged": leaves.content_causal(key, merged), "set": leaves.causal_set(merged), **read}


def _merge_last_writer(i):
    states = [leaves.read_last_writer(H(i[n])) for n in ("a", "b", "c") if n in i]
    merged = merge.merge_last_writer(*(write for _, write in states))
    return {"merged": leaves.content_last_writer(states[0][0], *merged), "set": leaves.last_writer_set(merged[2])}


def _merge_message(i):
    states = [leaves.read_message(H(i[n])) for n in ("a", "b", "c") if n in i]
    merged = merge.merge_message(*(m for _, m in states))
    out = {"merged": leaves.content_message(states[0][0], merged), "set": merge.message_set(merged)}
    for name, body in (("read", merge.view(merged)), ("duty", merge.duty(merged))):
        if body is not None:
            out[name] = body
    return out


def _seal_channel(i):
    key, sender, receiver = H(i["channelKey"]), H(i["sendingFleet"]), H(i["receivingFleet"])
    return {"keyID": seal.channel_key_id(key, sender, receiver), "boxKey": seal.channel_box_key(key, sender, receiver)}


def _channel_accept(i):
    key, m = leaves.read_message(H(i["content"]))
    return {"content": leaves.content_message(key, channel.accept(H(i["own"]), H(i["contact"]), key, m))}


def _channel_tell(i):
    key, m = leaves.read_message(H(i["content"]))
    op = channel.tell(H(i["own"]), H(i["contact"]), key, m)
    return {"tells": 0} if op is None else {"tells": 1, "content": leaves.content_message(key, op)}


def _relay_room(i):
    return {"room": seal.relay_room(H(i["digestKey"]), H(i["fleet"]))}


def _relay_channel(i):
    return {"room": seal.relay_channel(H(i["channelKey"]), H(i["own"]), H(i["contact"]))}


def _relay_greeting(i):
    return relay.greeting(H(i["bytes"]))


def _relay_record(i):
    return relay.record(H(i["bytes"]), _state(i["toRelay"]))


def _merge_log(i):
    log = merge.Log(N(i["code"]))
    for step in _words(i["steps"]):
        kind, *f = step.split(":")
        if kind == "event":
            key, time, replica, group, body = f
            log.event(H(key), N(time), H(replica), H(group), H(body))
        elif kind == "marker":
            group, time, replica = f
            log.marker(H(group), N(time), H(replica))
        else:
            raise ValueError("no such step")
    return {"events": " ".join(f"event:{k.hex()}:{t}:{r.hex()}:{g.hex()}:{b.hex()}"
                               for k, t, r, g, b in sorted(log.events)),
            "markers": " ".join(f"marker:{g.hex()}:{t}:{r.hex()}" for g, (t, r) in sorted(log.markers.items())),
            "view": " ".join(k.hex() for k in log.view())}


OPS = {"uvarint.decode": _uvarint, "bytes.decode": _bytes, "stamp.decode": _stamp, "vector.decode": _vector,
       "frame.decode": _frame, "leaf.event": _leaf_event, "leaf.marker": _leaf_marker, "leaf.causal": _leaf_causal,
       "leaf.lastWriter": _leaf_last_writer, "leaf.message": _leaf_message, "fingerprint": _fingerprint, "split": _split, "root": _root,
       "schema": _schema, "summary": _summary, "seal.key": _seal_key, "seal.open": _seal_open,
       "seal.seal": _seal_seal, "merge.causal": _merge_causal, "merge.lastWriter": _merge_last_writer,
       "merge.log": _merge_log, "merge.message": _merge_message, "seal.channel": _seal_channel,
       "sketch.id": _sketch_id, "sketch.indexes": _sketch_indexes, "sketch.cells": _sketch_cells,
       "sketch.difference": _sketch_difference, "sketch.estimate": _sketch_estimate,
       "sketch.answer": _sketch_answer,
       "channel.accept": _channel_accept, "channel.tell": _channel_tell,
       "relay.room": _relay_room, "relay.channel": _relay_channel,
       "relay.greeting.decode": _relay_greeting, "relay.record.decode": _relay_record}


WIDTHS = {"digestKey": 32, "sealKey": 32, "fleet": 16, "nonce": 24, "epoch": 16, "replica": 16, "root": 32,
          "live": 32, "tombstones": 32, "opID": 16, "channelKey": 32, "sendingFleet": 16, "receivingFleet": 16, "own": 16,
          "contact": 16, "leaf": 32}


def run(op, fields):
    """One operation: its flat result, or Reject. A field of fixed width that has another one is `range` (11)."""
    for name, text in fields.items():
        width = WIDTHS.get(name.rsplit(".", 1)[-1])
        if width and len(H(text)) != width:
            raise Reject("range", "PRIM-004")
    return frames.flatten(OPS[op](fields))
