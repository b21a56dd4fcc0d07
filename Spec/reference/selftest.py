"""Tests of the reference itself: `python3 selftest.py`, half a minute; with `--all`, a few minutes.

The vectors on disk must have been made before.
"""

import json
import subprocess
import sys
import unittest
from hashlib import blake2b
from itertools import product
from pathlib import Path

import bugs
import build
import cases_merge
import cases_merge_messages as messages
import channel
import digest
import explain
import frames
import leaves
import merge
import ops
import primitives
import seal
import secretbox
import spelling
import vector_schema
from errors import CLASSES, LAYERS, Reject

H = bytes.fromhex
VECTORS = Path(__file__).resolve().parent.parent.parent / "TestVectors" / "v1"
WHOLE = 10**9 if "--all" in sys.argv else 1500      # every bit of a frame up to this size, of longer ones some


def stride(size, step):
    """How far apart the places are that are tried in a frame of that size."""
    return 1 if size <= WHOLE else step if size < 50_000 else size // 8 | 1


def load(name):
    content = json.loads((VECTORS / f"{name}.json").read_text())
    return {**content, "cases": [spelling.expand(c) for c in content["cases"]]}


def manifest():
    return json.loads((VECTORS / "MANIFEST.json").read_text())


def accepted(name, op):
    return [c for c in load(name)["cases"] if c["op"] == op and "out" in c]


class Primitives(unittest.TestCase):
    def test_classes(self):
        self.assertEqual((len(CLASSES), set(LAYERS.values())), (14, {"seal", "frame", "value", "state"}))

    def test_numbers(self):
        for n in [b + d for k in range(65) for b in (2**k,) for d in (-1, 0, 1) if b + d < 2**64]:
            self.assertEqual(primitives.alone(primitives.uvarint(n), lambda r: r.uvarint()), n)

    def test_two_byte_strings_of_a_number_differ_in_value(self):
        seen = {}
        for n in range(256**2):
            data = n.to_bytes(2, "big")
            try:
                r = primitives.Reader(data)
                value = r.uvarint()
            except Reject:
                continue
            self.assertEqual(primitives.uvarint(value), data[:r.at])
            self.assertEqual(seen.setdefault(value, data[:r.at]), data[:r.at])


class Crypto(unittest.TestCase):
    KEY = H("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
    NONCE = H("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37")
    PLAIN = H("be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c0123"
              "3561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca"
              "1c60902e52f0a089bc76897040e082f937763848645e0705")

    def test_published_secretbox(self):
        box = secretbox.seal(self.KEY, self.NONCE, self.PLAIN)
        self.assertEqual(box[:32].hex(), "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce")
        self.assertEqual(secretbox.open(self.KEY, self.NONCE, box), self.PLAIN)

    def test_a_changed_box_stays_shut(self):
        box = secretbox.seal(self.KEY, self.NONCE, self.PLAIN)
        for i in range(len(box)):
            self.assertIsNone(secretbox.open(self.KEY, self.NONCE, box[:i] + bytes([box[i] ^ 1]) + box[i + 1:]))

    def test_blake2b(self):
        """RFC 7693, appendix A, for the full length; the 32-byte result is its own parameter, not a prefix."""
        long = blake2b(b"abc").hexdigest()
        self.assertTrue(long.startswith("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"))
        self.assertNotEqual(blake2b(b"abc", digest_size=32).hexdigest(), long[:64])

    def test_padding(self):
        for length, size in ((0, 256), (255, 256), (256, 272), (300, 304), (1000, 1024), (65_000, 65_536),
                             (1_048_575, 1_048_576)):
            self.assertEqual(seal.padded_size(length), size)
        for length in range(5000):
            size = seal.padded_size(length)
            self.assertGreater(size, length)
            self.assertEqual(seal.unpad(seal.pad(b"\x80" * length)), b"\x80" * length)
        with self.assertRaises(Reject) as caught:
            seal.pad(bytes(1_048_576))
        self.assertEqual((caught.exception.cls, caught.exception.rule), ("too-large", "SEAL-010"))

    def test_lengths_of_envelopes(self):
        key, fleet = bytes(32), bytes(16)
        for size, cls in ((1_048_626, "too-large"), (1_048_625, "auth"), (305, "auth"), (304, "truncated")):
            with self.assertRaises(Reject) as caught:
                seal.open(key, fleet, b"\x01" + bytes(size - 1))
            self.assertEqual(caught.exception.cls, cls)


class Frames(unittest.TestCase):
    def outcome(self, data):
        """None if rejected or skipped; otherwise what is read must be spelt as it was."""
        try:
            frame = frames.decode(data)
        except Reject:
            return None
        if frame["kind"] == "skip":
            self.assertGreaterEqual(data[0], 0x80)
            return None
        self.assertEqual(frames.encode(frame), data)
        return frame

    def test_round_trips(self):
        for case in accepted("frame", "frame.decode"):
            data = H(case["in"]["bytes"])
            self.assertEqual(ops.run("frame.decode", case["in"]), case["out"])
            self.assertTrue(data[0] >= 0x80 or self.outcome(data), case["id"])

    def test_truncations(self):
        for case in accepted("frame", "frame.decode"):
            data = H(case["in"]["bytes"])
            for n in range(0, len(data), stride(len(data), 7)):
                self.assertTrue(data[0] >= 0x80 or self.outcome(data[:n]) is None, (case["id"], n))

    def test_flipped_bits(self):
        for case in accepted("frame", "frame.decode"):
            data = bytearray(H(case["in"]["bytes"]))
            for bit in range(0, len(data) * 8, stride(len(data), 61)):
                data[bit // 8] ^= 1 << bit % 8
                self.outcome(bytes(data))
                data[bit // 8] ^= 1 << bit % 8

    def test_explain_agrees(self):
        """The walker over layout.json covers each byte once and sees the fields that the decoder sees."""
        for case in accepted("frame", "frame.decode"):
            data = H(case["in"]["bytes"])
            walk = explain.Walk(data).frame()
            self.assertEqual(b"".join(raw for _, raw, _, _ in walk.lines), data)
            if data[0] >= 0x80:
                continue
            out, tables = case["out"], ("kind", "mode", "class")
            fields = {path: value.split(" ")[0] for _, _, path, value in walk.lines if not path.endswith(".length")}
            for path, value in fields.items():
                if path.endswith("ref"):
                    path, value = path[:-3] + "replica", out[f"replicas.{value}"]
                if path.split(".")[-1] not in tables:
                    self.assertEqual(out[path], value, (case["id"], path))
            self.assertEqual(len(fields), len(out), case["id"])


class Merges(unittest.TestCase):
    def test_laws(self):
        """MERGE-010 over every state of two replicas with two times and two bodies."""
        choices = [None, (1, b"a"), (1, b"b"), (1, None), (2, b"a"), (2, None)]
        states = [[(r, *e) for r, e in ((b"A" * 16, x), (b"B" * 16, y)) if e] for x in choices for y in choices]
        m = merge.merge_causal
        for a in states:
            self.assertEqual(m(a, a), a)
            for b in states:
                self.assertEqual(m(a, b), m(b, a))
                for c in states:
                    self.assertEqual(m(m(a, b), c), m(a, m(b, c)))


    def test_laws_of_last_writer(self):
        """MERGE-020 over every state of three replicas with two times, two bodies and the delete, and of no row."""
        writes = list(product((1, 2), (b"A" * 16, b"B" * 16, b"C" * 16), (None, b"", b"a", b"ab")))
        states, m = [None, *writes], merge.merge_last_writer
        self.assertEqual(len({merge.rank_write(w) for w in writes}), len(writes))
        for a in states:
            self.assertEqual((m(a), m(a, a), m(a, None), m(None, a)), (a, a, a, a))
            for b in states:
                self.assertIn(m(a, b), (a, b))
                self.assertEqual(m(a, b), m(b, a))
                if a and b and a[0] == b[0] and None in (a[2], b[2]):
                    self.assertIsNone(m(a, b)[2])
                if a and b and a[0] < b[0]:
                    self.assertEqual(m(a, b), b)
                for c in states:
                    self.assertEqual(m(m(a, b), c), m(a, m(b, c)))
                    self.assertEqual(m(m(a, b), c), m(c, a, b))

    def test_table_of_last_writer(self):
        """Every cell of 07, those of `none` included."""
        cells = list(cases_merge.last_table())
        self.assertEqual(len(cells), 9 * 9)
        for here, arriving, word, mine, theirs, stays in cells:
            self.assertEqual(merge.merge_last_writer(mine, theirs), stays, (here, arriving, word))


class Messages(unittest.TestCase):
    """MERGE-030 to MERGE-035 over every state with two of each part, normal or not, and of nothing at all."""
    BASES = (None, *product((merge.OUT, merge.IN), (1, 2), (b"", b"x")))
    EDITS = (None, *product((1, 2), (b"a" * 16, b"b" * 16), (b"", b"x")))
    ALL = [merge.Message(*m) for m in product(BASES, EDITS, (0, 1, 2), (0, 1))]
    NORMAL = sorted({merge.normal(m) for m in ALL}, key=repr)

    def test_taking_away_loses_nothing_to_a_merge(self):
        """The components merge as a lattice. So merging under the normal form is a join if normal(normal(a) + b) =
        normal(a + b) for every a and b, and normal(normal(a)) = normal(a)."""
        join, normal = merge.join_message, merge.normal
        for a in self.ALL:
            self.assertEqual(normal(normal(a)), normal(a))
            for b in self.ALL:
                self.assertEqual(normal(join(normal(a), b)), normal(join(a, b)), (a, b))

    def test_laws(self):
        m = merge.merge_message
        small = [s for s in self.NORMAL if (s.base is None or s.base[1] == 1) and (s.edit is None or s.edit[1] == b"a" * 16)]
        self.assertEqual(len(small), 45)
        for a in small:
            self.assertEqual((m(a), m(a, a), m(a, merge.NOTHING), m(merge.NOTHING, a)), (a, a, a, a))
            for b in small:
                self.assertEqual(m(a, b), m(b, a))
                for c in small:
                    self.assertEqual(m(m(a, b), c), m(a, m(b, c)))
                    self.assertEqual(m(m(a, b), c), m(c, a, b))

    def test_other_normal_forms_are_no_joins(self):
        """Why inbound stands above outbound (07): with the order turned round, grouping decides."""
        def other(a, b):
            base = max((x for x in (a.base, b.base) if x), key=lambda x: (-x[0], *x[1:]), default=None)
            return merge.normal(merge.join_message(a, b)._replace(base=base))
        p_in, p_out, receipt = (merge.Message((merge.IN, 1, b"x")), merge.Message((merge.OUT, 1, b"x")), merge.Message(delivered=1))
        self.assertNotEqual(other(other(p_in, receipt), p_out), other(p_in, other(receipt, p_out)))

    def test_a_delete_is_for_ever(self):
        m = merge.merge_message
        for a in self.NORMAL:
            for b in self.NORMAL:
                both = m(a, b)
                self.assertGreaterEqual(both.scope, max(a.scope, b.scope))
                if a.scope:
                    self.assertIsNone(merge.view(both))
                if a.scope == merge.EVERYONE:
                    self.assertEqual((merge.duty(both), both.edit, both.delivered, (both.base or b"-")[-1:]),
                                     (None, None, 0, (b"",) if both.base else b"-"))

    def test_equal_meaning_is_equal_content(self):
        """What view, duty, set and scope say of a state, alone and after every merge, tells two normal states apart."""
        def seen(s):
            return tuple((merge.view(t), merge.duty(t), merge.message_set(t), t.scope, t.base and t.base[:2], t.edit and t.edit[:2])
                         for t in (merge.merge_message(s, x) for x in self.NORMAL))
        self.assertEqual(len({seen(s) for s in self.NORMAL}), len(self.NORMAL))

    def test_the_view_is_a_fold_of_the_facts(self):
        """A brute-force reading of a set of pieces, without states, gives the same view and duty."""
        pieces = [merge.Message(b) for b in ((0, 1, b"x"), (0, 2, b"y"))] + [
            merge.Message(edit=e) for e in ((1, b"a" * 16, b"e"), (1, b"b" * 16, b"f"))] + [
            merge.Message(delivered=1), merge.Message(scope=1), merge.Message(scope=2)]
        for chosen in product((False, True), repeat=len(pieces)):
            facts = [p for p, c in zip(pieces, chosen) if c]
            edits = sorted(p.edit for p in facts if p.edit)
            bases = sorted(p.base for p in facts if p.base)
            text = edits[-1][2] if edits else bases[-1][2] if bases else None
            deleted = max((p.scope for p in facts), default=0)
            state = merge.merge_message(*facts)
            self.assertEqual(merge.view(state), text if bases and not deleted else None, facts)
            delivered = any(p.delivered for p in facts)
            self.assertEqual(merge.duty(state), text if bases and not delivered and deleted < 2 else None, facts)

    def test_table(self):
        """Every cell of 07, from its words."""
        texts = (VECTORS.parent.parent / "Spec" / "07-merge.md").read_text().splitlines()
        start = texts.index("| here \\ arriving | p | e | r | m | x |")
        here = {"nothing": merge.NOTHING, "p": messages.P, "e": messages.E, "p and e": merge.normal(merge.Message(messages.POST, messages.E1)),
                "m": messages.M, "p and r": merge.Message(messages.POST, delivered=1),
                "m, p and r": merge.normal(merge.Message(messages.POST, None, 1, 1)), "x": messages.X}
        rows = [[c.strip() for c in line.strip("|").split("|")] for line in texts[start + 2:start + 2 + len(here)]]
        self.assertEqual([r[0] for r in rows], list(here))
        for name, *cells in rows:
            for word, arriving in zip(cells, messages.ARRIVING):
                arriving = merge.Message(edit=messages.E2) if "greater" in word else messages.ARRIVING[arriving]
                state = merge.merge_message(here[name], arriving)
                self.assertEqual(word == "same", state == here[name], (name, word))
                if word != "same":
                    self.assertEqual("tombstone" in word, merge.message_set(state) == 1, (name, word))
                    self.assertEqual("duty" in word and "no duty" not in word, merge.duty(state) is not None, (name, word))
                    self.assertEqual(word.startswith("seen"), merge.view(state) is not None, (name, word))

    def test_what_is_told_is_accepted(self):
        """SYNC-036 against SYNC-032 to SYNC-034, and nothing told shows a delete for me."""
        us, them = b"u" * 16, b"t" * 16
        for s in self.NORMAL:
            for key in (us + b"k", them + b"k", b"x" * 16 + b"k"):
                op = channel.tell(us, them, key, s)
                if op is None:
                    continue
                self.assertEqual(op, merge.normal(op))
                self.assertEqual(channel.accept(them, us, key, op), op)
                self.assertNotEqual(op.scope, 1)
                hidden = channel.tell(us, them, key, merge.merge_message(s, merge.Message(scope=1)))
                self.assertIn(hidden, (op, None))


class Contents(unittest.TestCase):
    def test_too_large(self):
        """LEAF-005, to the byte: 17 bodies at maxBody and a rest."""
        def content(rest):
            return leaves.content_event(b"k", [(n + 1, b"A" * 16, b"g", bytes(size)) for n, size in
                                               enumerate([primitives.MAX_BODY] * 17 + [rest])])
        rest = leaves.MAX_CONTENT - len(content(0)) - 2          # a length of three bytes, not of one
        self.assertEqual(len(content(rest)), leaves.MAX_CONTENT)
        with self.assertRaises(Reject) as caught:
            content(rest + 1)
        self.assertEqual((caught.exception.cls, caught.exception.rule), ("too-large", "LEAF-005"))

    def test_flipped_bits(self):
        """LEAF-002: a changed content of type 3, 4 or 5 is none, or it is spelt as it was read."""
        for op, read, write in (
                ("merge.causal", leaves.read_causal, leaves.content_causal),
                ("merge.lastWriter", leaves.read_last_writer, lambda key, w: leaves.content_last_writer(key, *w)),
                ("merge.message", leaves.read_message, leaves.content_message)):
            for content in sorted({H(c["in"]["a"]) for c in accepted("merge", op)}):
                self.assertEqual(write(*read(content)), content)
                data = bytearray(content)
                for bit in range(0, len(data) * 8, stride(len(data), 1009)):
                    data[bit // 8] ^= 1 << bit % 8
                    try:
                        again = write(*read(bytes(data)))
                    except Reject:
                        again = bytes(data)
                    self.assertEqual(again, bytes(data))
                    data[bit // 8] ^= 1 << bit % 8


class Splits(unittest.TestCase):
    def test_parts_hold_what_they_claim(self):
        """DIG-009: between bounds, rows are those of the part; no bound has a shorter prefix that would do."""
        for n in (17, 18, 31, 100, 257):
            rows = sorted((blake2b(f"{n} {i}".encode(), digest_size=8).digest(), bytes([i % 256]) * 32)
                          for i in range(n))
            entries, low = digest.split(bytes(32), 0, rows, b"", b""), b""
            for i, e in enumerate(entries):
                part = digest.within(rows, low, e["hi"])
                self.assertEqual(part, rows[i * n // 16:(i + 1) * n // 16])
                self.assertEqual(e["fingerprint"], digest.fingerprint(bytes(32), 0, [h for _, h in part])[:16])
                if e["hi"]:
                    self.assertLessEqual(e["hi"][:-1], part[-1][0])
                low = e["hi"]


class Adapter(unittest.TestCase):
    PATH = VECTORS.parent.parent / "Spec" / "adapters" / "python" / "adapter.py"

    def ask(self, requests, *words):
        """The replies by id, of a run that must end well with its input."""
        text = "".join(json.dumps(r) + "\n" for r in requests)
        run = subprocess.run([sys.executable, self.PATH, *words], input=text, text=True, capture_output=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        replies = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([r["id"] for r in replies], [r["id"] for r in requests])
        for reply in replies:
            self.assertEqual(len(reply), 2, reply)
        return replies

    def test_protocol(self):
        hello, good, bad, unknown, extra, failed = self.ask([
            {"id": "1", "op": "hello", "protocol": "1", "spec": "1.0"}, {"id": "2", "op": "uvarint.decode", "bytes": "ac02"},
            {"id": "3", "op": "uvarint.decode", "bytes": "ac8200"}, {"id": "4", "op": "canary.operation"},
            {"id": "5", "op": "uvarint.decode", "bytes": "7f", "hint": "x"}, {"id": "6", "op": "uvarint.decode"}])
        self.assertEqual(hello["ok"]["protocol"], "1")
        self.assertEqual(set(hello["ok"]["ops"].split()), set(ops.OPS))
        self.assertEqual((good["ok"], bad["reject"], extra["ok"]), ({"value": "300"}, "noncanonical", {"value": "127"}))
        self.assertIn("unsupported", unknown)
        self.assertIn("error", failed)

    def test_no_input(self):
        """What is no input (11) is answered with `error`, never with a rejection, which a case could take for its answer."""
        hexes, number = {"op": "uvarint.decode"}, {"op": "bytes.decode", "bytes": "0161", "min": "0"}
        split = {"op": "split", "digestKey": "00" * 32, "namespace": "61", "set": "0", "lo": "", "hi": ""}
        log = {"op": "merge.log", "code": "1"}
        requests = [{**hexes, "bytes": text} for text in ("AC02", "ac0", "ac 02", "0xac")]
        requests += [{**number, "max": text} for text in ("", "08", "+8", "-8", " 8", "8.0", "1_0", "8e0", str(2**64), "\u0668")]
        requests += [{**split, "items": text} for text in ("61", "61:" + "00" * 31, "61:" + "00" * 32 + ":", "61:" + "AB" * 32)]
        requests += [{**log, "steps": text} for text in ("event:61:1", "marker:61:1", "put:61:1:" + "01" * 16, "marker:61:01:" + "01" * 16)]
        requests += [hexes, number, split, {"op": "seal.key", "sealKey": "00" * 32, "fleet": "0" * 31}]
        for reply, request in zip(self.ask([{"id": str(n), **r} for n, r in enumerate(requests)]), requests):
            self.assertIn("error", reply, request)

    def test_other_protocol(self):
        (reply,) = self.ask([{"id": "1", "op": "hello", "protocol": "2", "spec": "9"}])
        self.assertIn("unsupported", reply)

    def test_a_mistake(self):
        (reply,) = self.ask([{"id": "1", "op": "uvarint.decode", "bytes": "ac8200"}], "--bug", "uvarint.accept-long")
        self.assertEqual(reply["ok"], {"value": "300"})
        self.assertEqual(ops.run("uvarint.decode", {"bytes": "ac02"}), {"value": "300"})

    def test_no_such_mistake(self):
        run = subprocess.run([sys.executable, self.PATH, "--bug", "none.such"], input="", text=True, capture_output=True)
        self.assertEqual((run.returncode, run.stdout), (1, ""))


class Mistakes(unittest.TestCase):
    def test_each_is_one_edit(self):
        """Each edit finds its text once, changes it, and leaves modules that load; with none, the reference is as it was."""
        for name, bug in bugs.table().items():
            self.assertNotEqual(bugs.edited(bug), bugs.source(bug.module), name)
            self.assertEqual(set(bugs.load(name).OPS), set(ops.OPS), name)
        self.assertIs(sys.modules["ops"], ops)
        case = load("frame")["cases"][0]
        self.assertEqual(bugs.load().run(case["op"], case["in"]), case["out"])


class Canaries(unittest.TestCase):
    def test_whoever_runs_them_fails(self):
        for name in manifest()["future"]:
            for case in json.loads((VECTORS / name).read_text())["cases"]:
                try:
                    found = {"out": ops.run(case["op"], case["in"])} if case["op"] in ops.OPS else None
                except Reject as r:
                    found = {"reject": {"class": r.cls, "layer": r.layer}}
                self.assertNotEqual(found, {k: case[k] for k in ("out", "reject") if k in case}, case["id"])


class Corpus(unittest.TestCase):
    def valid(self, value, schema, where="$"):
        """The keywords that vectors-1.json uses, and no others."""
        self.assertLessEqual(set(schema), {"$schema", "title", "type", "const", "enum", "pattern", "minimum", "items",
                                           "minItems", "properties", "required", "additionalProperties", "oneOf", "anyOf"})
        kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
        if "type" in schema:
            self.assertIs(type(value), kinds[schema["type"]], where)
        if "const" in schema:
            self.assertEqual(value, schema["const"], where)
        if "enum" in schema:
            self.assertIn(value, schema["enum"], where)
        if "pattern" in schema:
            self.assertRegex(value, schema["pattern"], where)
        if "minimum" in schema:
            self.assertGreaterEqual(value, schema["minimum"], where)
        if "anyOf" in schema:
            self.assertTrue(any(self.is_valid(value, s, where) for s in schema["anyOf"]), where)
        for i, item in enumerate(value if "items" in schema else ()):
            self.valid(item, schema["items"], f"{where}[{i}]")
        if "minItems" in schema:
            self.assertGreaterEqual(len(value), schema["minItems"], where)
        for name in schema.get("required", ()):
            self.assertIn(name, value, where)
        if schema.get("type") == "object":
            known, other = schema.get("properties", {}), schema["additionalProperties"]
            for name, part in value.items():
                self.assertTrue(name in known or other, f"{where}.{name}")
                self.valid(part, known.get(name, other), f"{where}.{name}")
        if "oneOf" in schema:
            self.assertEqual(sum(all(n in value for n in s["required"]) for s in schema["oneOf"]), 1, where)

    def is_valid(self, value, schema, where):
        try:
            self.valid(value, schema, where)
        except AssertionError:
            return False
        return True

    def test_files_follow_the_schema(self):
        for name, schema in vector_schema.SCHEMAS.items():
            self.assertEqual(json.loads((VECTORS / "schema" / f"{name}.json").read_text()), schema)
        for name in manifest()["lists"]:
            content = json.loads((VECTORS / name).read_text())
            self.valid(content, vector_schema.SCHEMAS[content["schema"]], name)
        seen = set()
        for name in (*manifest()["files"], *manifest()["future"]):
            content = json.loads((VECTORS / name).read_text())
            self.valid(content, vector_schema.VECTORS, name)
            for case in content["cases"]:
                self.assertEqual("requires" in case, name.startswith("future/"), case["id"])
                self.assertNotIn(case["id"], seen)
                seen.add(case["id"])
                self.assertTrue("out" in case or ("twin" in case) != ("twinless" in case), case["id"])

    def test_long_runs_are_spelt_as_parts(self):
        for text in ("", "00", "00" * 4095, "ab" * 5000, "0a" + "00" * 9000, "a0" + "00" * 9000 + "0b", "1" + "23" * 9000 + "2", "12" * 4096 * 3,
                     "00" * 5000 + "11" * 5000 + "22", "ab" * 4096):
            parts = spelling.filled(text)
            self.assertEqual(spelling.joined(parts), text)
            self.assertLess(len(str(parts)), 12000)
        self.assertEqual(spelling.filled("0a" + "00" * 9000 + "0b"), ["0a", {"fill": "00", "n": 9000}, "0b"])

    def test_twins_as_a_stranger_would_check_them(self):
        """From the files alone: the twin is accepted, one edit makes the input, and it is rejected."""
        for name in manifest()["files"]:
            cases = {c["id"]: c for c in load(name.removesuffix(".json"))["cases"]}
            for case in cases.values():
                if "twin" in case:
                    self.assertEqual(build.edited_input(cases[case["twin"]["of"]], case["twin"]), case["in"], case["id"])
                if "reject" in case:
                    with self.assertRaises(Reject, msg=case["id"]) as caught:
                        ops.run(case["op"], case["in"])
                    self.assertEqual((caught.exception.cls, caught.exception.layer),
                                     (case["reject"]["class"], case["reject"]["layer"]), case["id"])
                else:
                    self.assertEqual(ops.run(case["op"], case["in"]), case["out"], case["id"])


if __name__ == "__main__":
    unittest.main(argv=[a for a in sys.argv if a != "--all"])
