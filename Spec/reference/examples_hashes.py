"""Worked hashes and sketches for the text: what is hashed, byte by byte, and a difference taken apart. See make_examples.py."""

import digest
import leaves
import seal
import sketch
from examples_dumps import H, block, dump, shown
from primitives import alone, blob, u8, uvarint


def laid(parts):
    """(bytes, name, value) with offsets, as `dump` wants them, and all the bytes."""
    out, at = [], 0
    for raw, name, value in parts:
        out.append((at, raw, name, value))
        at += len(raw)
    return out, b"".join(raw for raw, _, _ in parts)


def text(value):
    return value.encode(), "text", f'"{value}"'


def head(case, name, size, what="preimage"):
    return f"Vector `{name}`{': ' + case['comment'] if case.get('comment') else ''}. The {what} ({size} bytes):\n\n"


def schema(cases, _, name):
    case, i = cases[name], cases[name]["in"]
    spaces = sorted((H(i[f"{n}.name"]), int(i[f"{n}.code"])) for n in range(int(i["count"])))
    parts, raw = laid([text("cenotaph/1 schema"), (uvarint(len(spaces)), "count", str(len(spaces)))]
                      + [p for n, (space, code) in enumerate(spaces)
                         for p in ((blob(space), f"{n}.name", shown(space)), (u8(code), f"{n}.code", str(code)))])
    assert leaves.keyed(H(i["digestKey"]), raw).hex() == case["out"]["fingerprint"]
    return head(case, name, len(raw)) + block([f"key         {i['digestKey']}", *dump(parts), f"fingerprint {case['out']['fingerprint']}"])


def root(cases, _, name):
    case, i = cases[name], cases[name]["in"]
    ns = leaves.namespace_key(H(i["digestKey"]), H(i["namespace"]))
    parts, raw = laid([(ns, "nsKey", f"of {shown(H(i['namespace']))}"), (u8(0x20), "20", ""), (H(i["live"]), "live", ""), (H(i["tombstones"]), "tombstones", "")])
    assert leaves.plain(raw).hex() == case["out"]["root"]
    return head(case, name, len(raw)) + block([*dump(parts), f"root  {case['out']['root']}"])


def summary(cases, _, name):
    case, i = cases[name], cases[name]["in"]
    fields = [text("cenotaph/1 summary"), (H(i["epoch"]), "epoch", "")]
    for n in range(int(i["count"])):
        fields += [(blob(H(i[f"{n}.name"])), f"{n}.name", shown(H(i[f"{n}.name"]))), (H(i[f"{n}.root"]), f"{n}.root", ""),
                   (H(i[f"{n}.knowledge"]), f"{n}.knowledge", f"{len(alone(H(i[f'{n}.knowledge']), lambda r: r.vector()))} entries")]
    parts, raw = laid(fields)
    assert leaves.keyed(H(i["digestKey"]), raw)[:16].hex() == case["out"]["summary"]
    return head(case, name, len(raw)) + block([f"key      {i['digestKey']}", *dump(parts), f"summary  {case['out']['summary']}"])


def channel(cases, _, name):
    case, i = cases[name], cases[name]["in"]
    key = H(i["channelKey"])
    first, raw_id = laid([text("cenotaph/1 channel key id"), (H(i["sendingFleet"]), "sending fleet id", ""), (H(i["receivingFleet"]), "receiving fleet id", "")])
    second, raw_box = laid([text("cenotaph/1 channel box"), (u8(seal.VERSION), "version", "1"), (H(case["out"]["keyID"]), "key id", "")])
    assert leaves.keyed(key, raw_id)[:8].hex() == case["out"]["keyID"] and leaves.keyed(key, raw_box).hex() == case["out"]["boxKey"]
    return f"Vector `{name}`: {case['comment']}.\n\n" + block([
        f"channel key  {key.hex()}", "", f"the preimage of the key id ({len(raw_id)} bytes):", *dump(first), f"key id   {case['out']['keyID']}",
        "", f"the preimage of the box key ({len(raw_box)} bytes):", *dump(second), f"box key  {case['out']['boxKey']}"])


def sketch_id(cases, _, name):
    case, i = cases[name], cases[name]["in"]
    ns, key, leaf = leaves.namespace_key(H(i["digestKey"]), H(i["namespace"])), H(i["key"]), H(i["leaf"])
    parts, raw = laid([(ns, "nsKey", f"of {shown(H(i['namespace']))}"), (u8(0x30), "30", ""), (blob(key), "key", shown(key))])
    row = int(case["out"]["row"], 16)
    number, sign = sketch.counter(row)
    assert leaves.plain(raw)[:3] == sketch.place(ns, key) and row == sketch.row_id(ns, key, leaf)
    return head(case, name, len(raw), "preimage of the place") + block([
        *dump(parts), f"place    {sketch.place(ns, key).hex()}, of {leaves.plain(raw).hex()}", f"leaf     {leaf.hex()}", f"id       {row:012x}",
        *(f"word {j}   {sketch.word(row, j):016x}" for j in range(3)), f"check    {sketch.check(row):06x}", f"counter  {number}, {'up' if sign == 1 else 'down'}",
        f"density  {sketch.word(row, 0) >> 28 & 15}: {'dense' if sketch.is_dense(row) else 'sparse'}",
        f"cells below 64: {', '.join(map(str, sketch.indexes(row, 64)))}"])


SIZE = 6


def lines_of(cells):
    return [f"cell {n}  {ids:012x}  {checks:06x}  {number:3}" for n, (ids, checks, number) in enumerate(cells)]


def taken_apart(cases, _, name):
    """Two sketches of three rows each, two of them in common, and what their difference tells; the rows are the first of a vector."""
    rows = [int(row, 16) for row in cases[name]["in"]["rows"].split()[:4]]
    a, b = rows[:3], rows[1:]
    left = sketch.subtract(sketch.cells(a, SIZE), sketch.cells(b, SIZE))
    found = sketch.take_apart(left, 0)
    assert found == [[a[0]], [b[2]]], found
    lines = [f"row {row:012x}  check {sketch.check(row):06x}  cells {', '.join(map(str, sketch.indexes(row, SIZE)))}" for row in rows]
    lines += ["", "the sketch a, of the first three rows: ids, checks, number", *lines_of(sketch.cells(a, SIZE)),
              "", "the sketch b, of the last three", *lines_of(sketch.cells(b, SIZE)), "", "a - b", *lines_of(left), ""]
    left = [list(cell) for cell in left]
    while pure := [n for n, (ids, checks, number) in enumerate(left) if number in (1, 255) and sketch.check(ids) == checks]:
        ids, _, number = left[pure[0]]
        lines += [f"cell {pure[0]} is pure: {ids:012x} is only in {'a' if number == 1 else 'b'}. Taken out of cells {', '.join(map(str, sketch.indexes(ids, SIZE)))}:"]
        sketch.add(left, ids, -1 if number == 1 else 1)
        lines += [*lines_of(left), ""]
    assert not any(map(any, left))
    return f"The rows are the first four of vector `{name}`; sketches of {SIZE} cells.\n\n" + block([*lines, "All cells are zero, and 1 - 1 is 3 - 3: decoded."])


MAKERS = {"schema": schema, "root": root, "summary": summary, "channel": channel, "sketch-id": sketch_id, "sketch-difference": taken_apart}
