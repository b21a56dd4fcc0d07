"""Dumps for the text, made from cases: frames, leaves, envelopes, a pull, a split. See make_examples.py."""

import digest
import leaves
import ops
import seal
from explain import Walk
from frames import KINDS
from primitives import blob, time8, u8, uvarint

H = bytes.fromhex
WIDTH = 24                        # bytes a line


def block(lines):
    return "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```\n"


def shown(raw):
    """Bytes as text where they are that."""
    return f'"{raw.decode()}"' if raw and all(0x20 <= b < 0x7F for b in raw) else ""


def dump(parts):
    """Lines of (offset, bytes, name, value), long values on several lines."""
    lines = []
    for at, raw, name, value in parts:
        pieces = [raw[i:i + WIDTH] for i in range(0, len(raw), WIDTH)] or [b""]
        for i, piece in enumerate(pieces):
            lines.append(f"{at + i * WIDTH:4}  {piece.hex():{2 * WIDTH}}  " + (f"{name:24} {value}" if i == 0 else ""))
    return lines


def fields(data):
    """The parts of a frame; a length joined with its bytes."""
    parts, length = [], None
    for at, raw, path, value in Walk(data).frame().lines:
        if path.endswith(".length"):
            length = raw
            continue
        if length is not None:
            parts.append((at - len(length), length + raw, path, shown(raw) or ("" if raw else "empty")))
        else:
            number = int.from_bytes(raw, "big")
            name = KINDS.get(number, "may be skipped") if path == "kind" else None
            parts.append((at, raw, path, f"{number:02x} ({name})" if name else value if value != raw.hex() else ""))
        length = None
    return parts


def frame(cases, _, name):
    case = cases[name]
    data = H(case["in"]["bytes"])
    return f"Vector `{name}`{': ' + case['comment'] if case.get('comment') else ''} ({len(data)} bytes).\n\n" + block(dump(fields(data)))


def content_parts(op, i):
    """The parts of a canonical content by name, from the fields of a `leaf.*` operation."""
    name = "group" if op == "leaf.marker" else "key"
    key = H(i[name])
    yield blob(key), name, shown(key)

    def stamp(at=""):
        yield time8(int(i[at + "time"])), at + "time", i[at + "time"]
        yield H(i[at + "replica"]), at + "replica", ""

    def state(at=""):
        yield u8(int(i[at + "state"])), at + "state", {"0": "no value", "1": "a value"}[i[at + "state"]]
        if i[at + "state"] == "1":
            yield blob(H(i[at + "body"])), at + "body", shown(H(i[at + "body"]))

    if op in ("leaf.event", "leaf.causal"):
        yield uvarint(int(i["count"])), "n", i["count"]
    for n in range(int(i.get("count", 0))):
        if op == "leaf.event":
            yield from stamp(f"{n}.")
            yield blob(H(i[f"{n}.group"])), f"{n}.group", shown(H(i[f"{n}.group"]))
            yield blob(H(i[f"{n}.body"])), f"{n}.body", shown(H(i[f"{n}.body"]))
        else:
            time, replica = stamp(f"{n}.")
            yield replica
            yield time
            yield from state(f"{n}.")
    if op in ("leaf.marker", "leaf.lastWriter"):
        yield from stamp()
    if op == "leaf.lastWriter":
        yield from state()
    if op == "leaf.message":
        yield u8(int(i["scope"])), "scope", ("live", "deleted for me", "deleted for everyone")[int(i["scope"])]
        yield u8(int(i["delivered"])), "delivered", ""
        yield u8(int(i["hasBase"])), "hasBase", ""
        if i["hasBase"] == "1":
            yield u8(int(i["direction"])), "direction", ("out", "in")[int(i["direction"])]
            yield time8(int(i["postedAt"])), "postedAt", i["postedAt"]
            yield blob(H(i["body"])), "body", shown(H(i["body"])) or "empty"
        yield u8(int(i["hasEdit"])), "hasEdit", ""
        if i["hasEdit"] == "1":
            yield time8(int(i["editedAt"])), "editedAt", i["editedAt"]
            yield H(i["opID"]), "opID", ""
            yield blob(H(i["editBody"])), "editBody", shown(H(i["editBody"]))


TYPES = {"leaf.event": 1, "leaf.marker": 2, "leaf.causal": 3, "leaf.lastWriter": 4, "leaf.message": 5}


def leaf(cases, _, name):
    case = cases[name]
    i, out, row_type = case["in"], case["out"], TYPES[case["op"]]
    ns = leaves.namespace_key(H(i["digestKey"]), H(i["namespace"]))
    parts, at = [(0, ns, "nsKey", f"of {shown(H(i['namespace']))}"), (32, u8(row_type), "type", str(row_type))], 33
    for raw, label, value in content_parts(case["op"], i):
        parts.append((at, raw, label, value))
        at += len(raw)
    preimage = b"".join(raw for _, raw, _, _ in parts)
    assert preimage == ns + u8(row_type) + H(out["content"]) and leaves.plain(preimage).hex() == out["leaf"], name
    which = {"0": ", live set", "1": ", tombstone set", None: ""}[out.get("set")]
    return f"Vector `{name}`{': ' + case['comment'] if case.get('comment') else ''}{which}. The preimage ({at} bytes):\n\n" \
        + block([*dump(parts), f"leaf  {out['leaf']}"])


def envelope(cases, _, name):
    case = cases[name]
    i, sealed = case["in"], H(case["out"]["bytes"])
    key, fleet, nonce, data = (H(i[n]) for n in ("sealKey", "fleet", "nonce", "frame"))
    plaintext = seal.pad(data)
    assert seal.seal_plaintext(key, fleet, nonce, plaintext) == sealed
    lines = [f"seal key  {key.hex()}", f"fleet id  {fleet.hex()}", f"key id    {seal.key_id(key, fleet).hex()}",
             f"box key   {seal.box_key(key, fleet).hex()}", f"nonce     {nonce.hex()}",
             "", f"the padded plaintext, P = {len(plaintext)} for L = {len(data)}:",
             *dump([(0, data, "frame", f"a {KINDS[data[0]]}"), (len(data), b"\x80", "padding", "")]),
             f"{len(data) + 1:4}  {len(plaintext) - len(data) - 1} zero bytes", "", f"the envelope, {len(sealed)} bytes:",
             *dump([(0, sealed[:1], "version", ""), (1, sealed[1:9], "key id", ""), (9, sealed[9:33], "nonce", ""),
                    (33, sealed[33:49], "Poly1305 tag", ""), (49, sealed[49:], "ciphertext", "")])]
    return f"Vector `{name}`.\n\n" + block(lines)


def told(name, case):
    """One frame of a pull: who, to whom, what it does, and its body by field."""
    data = H(case["in"]["bytes"])
    who = "A" if case["out"]["sender"][0] == "a" else "B"
    to = {"0": "all", "a": "A", "b": "B"}[case["out"]["recipient"][0]]
    body = [p for p in fields(data) if p[0] >= 49]
    return f"**{who} to {to}: `{case['out']['kind']}`** (vector `{name}`, {len(data)} bytes). {case['comment'].split(': ', 1)[1]}.\n\n" + block(dump(body))


def pull(cases, _):
    return "\n".join(told(name, case) for name, case in cases.items() if name.startswith("frame-pull-"))


def sketch_pull(cases, _):
    """The digests are left out: they are as in a pull by ranges."""
    return "\n".join(told(name, case) for name, case in cases.items()
                     if name.startswith("frame-sketchdecoded-") and case["out"]["kind"] != "digest")


def split(cases, _, name):
    case = cases[name]
    i = case["in"]
    (items, lo, hi), ns = ops._items(i), leaves.namespace_key(H(i["digestKey"]), H(i["namespace"]))
    entries = digest.split(ns, int(i["set"]), items, lo, hi)
    assert digest.describe(entries).hex() == case["out"]["description"] and len(entries) == 16
    rows, n = digest.within(items, lo, hi), len(digest.within(items, lo, hi))
    lines = [f"Vector `{name}`: n = {n}. Each bound is the shortest prefix of the next part's first key that is greater than this part's last key.", "",
             "| part | rows | first key | last key | hi | fingerprint, 16 bytes |", "|---|---|---|---|---|---|"]
    for p, e in enumerate(entries):
        first, after = p * n // 16, (p + 1) * n // 16
        lines.append(f"| {p} | {first} to {after - 1} | `{rows[first][0].hex()}` | `{rows[after - 1][0].hex()}` | "
                     f"{'`' + e['hi'].hex() + '`' if e['hi'] else 'empty'} | `{e['fingerprint'].hex()}` |")
    first, after = digest.describe(entries[:2]), digest.describe(entries[:1])
    return "\n".join(lines) + "\n\nOn the wire, the first two of the sixteen entries:\n\n" + block(dump([
        (0, blob(entries[0]["hi"]), "0.hi", ""), (len(blob(entries[0]["hi"])), u8(1), "0.mode", "1 (fingerprint)"),
        (len(after) - 16, entries[0]["fingerprint"], "0.fingerprint", ""),
        (len(after), blob(entries[1]["hi"]), "1.hi", ""), (len(first) - 17, u8(1), "1.mode", "1 (fingerprint)"),
        (len(first) - 16, entries[1]["fingerprint"], "1.fingerprint", "")]))


MAKERS = {"frame": frame, "leaf": leaf, "seal": envelope, "pull": pull, "sketch-pull": sketch_pull, "split": split}
