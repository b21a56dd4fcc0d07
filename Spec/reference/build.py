"""Collects the cases of one vector file. An accepted case takes its answer from the reference; a rejected one
is made from an accepted case by one edit, and the reference must reject it with the class and rule expected."""

import ops
import seal
from errors import LAYERS, Reject
from explain import Walk

H = bytes.fromhex


def apply_edits(data, edits):
    """11: at byte `at`, `del` bytes are taken out and `ins` put in. There is one edit, so no order to choose."""
    (e,) = edits
    at, after = e["at"], e["at"] + e["del"]
    assert after <= len(data), "an edit beyond the end"
    return data[:at] + H(e["ins"]) + data[after:]


def edited_input(twin_case, twin):
    """The `in` of a rejected case, from its twin and the edit."""
    fields, name = dict(twin_case["in"]), twin["field"]
    data = H(fields[name])
    if twin.get("layer") == "plaintext":
        key, fleet = H(fields["sealKey"]), H(fields["fleet"])
        plaintext = apply_edits(seal.open_plaintext(key, fleet, data), twin["edits"])
        data = seal.seal_plaintext(key, fleet, data[9:33], plaintext)
    else:
        data = apply_edits(data, twin["edits"])
    fields[name] = data.hex()
    return fields


def edit(at, delete, insert=b""):
    insert = H(insert) if isinstance(insert, str) else insert
    return {"at": at, "del": delete, "ins": insert.hex()}


def words(text):
    return text.split() if isinstance(text, str) else list(text)


class Area:
    """One file: `ok`, `no` and `twinless` add cases, `verify` checks all of them afresh."""

    def __init__(self, name, prefix, about, flags):
        self.name, self.prefix, self.about, self.flags = name, prefix, about, flags
        self.cases, self.numbers, self.by_id = [], {}, {}

    def _id(self, group, negative):
        key = group, negative
        self.numbers[key] = n = self.numbers.get(key, 100 if negative else 0) + 1
        assert negative or n <= 100, group
        return f"{self.prefix}-{group}-{n:04d}"

    def retire(self, group, negative=False):
        """Leaves out the next id of a group: its case is no longer true, and an id is not used twice."""
        self._id(group, negative)

    def _add(self, case):
        case.update({"source": "py", "added": "1.0"})
        order = ("id", "op", "in", "out", "reject", "twin", "twinless", "decoys", "req", "flags", "comment",
                 "source", "added")
        case = {k: case[k] for k in order if k in case and (k != "comment" or case[k])}
        self.cases.append(case)
        self.by_id[case["id"]] = case
        return case["id"]

    def ok(self, group, op, fields, req, comment="", flags="", decoys=None, expect=None):
        """An accepted case. `expect` holds answers known from elsewhere; `decoys` maps wrong values to diagnoses."""
        fields = {k: v.hex() if isinstance(v, bytes) else str(v) for k, v in fields.items()}
        out = ops.run(op, fields)
        for name, value in (expect or {}).items():
            assert out[name] == value, (group, name, out[name], value)
        case = {"id": self._id(group, False), "op": op, "in": fields, "out": out, "req": words(req),
                "flags": words(flags), "comment": comment}
        if decoys:
            case["decoys"] = {k.hex() if isinstance(k, bytes) else k: v for k, v in decoys.items()}
        return self._add(case)

    def no(self, group, of, field, edits, cls, req, comment="", flags="", layer=None):
        """A rejected case made from the accepted case `of`."""
        twin = {"of": of, "field": field, "edits": [edits]}
        if layer:
            twin["layer"] = layer
        return self._add({"id": self._id(group, True), "op": self.by_id[of]["op"],
                          "in": edited_input(self.by_id[of], twin), "reject": {"class": cls, "layer": LAYERS[cls]},
                          "twin": twin, "req": words(req), "flags": words(flags), "comment": comment})

    def twinless(self, group, op, fields, cls, req, why, comment="", flags=""):
        """A rejected case that no edit of bytes can make."""
        fields = {k: v.hex() if isinstance(v, bytes) else str(v) for k, v in fields.items()}
        return self._add({"id": self._id(group, True), "op": op, "in": fields,
                          "reject": {"class": cls, "layer": LAYERS[cls]}, "twinless": why, "req": words(req),
                          "flags": words(flags), "comment": comment})

    # ---- edits of frames by the path of a field ------------------------------------------------

    def uses(self, flag):
        return any(flag in case["flags"] for case in self.cases)

    def bytes_of(self, case):
        return H(self.by_id[case]["in"]["bytes"])

    def span(self, case, path):
        return Walk(self.bytes_of(case)).frame().spans[path]

    def raw(self, case, path):
        start, end = self.span(case, path)
        return self.bytes_of(case)[start:end]

    def put(self, case, path, new):
        """The edit that gives the field at `path` other bytes."""
        start, end = self.span(case, path)
        return edit(start, end - start, new)

    def swap(self, case, first, second):
        """The edit that exchanges two neighbouring elements."""
        (a, b), (c, d) = self.span(case, first), self.span(case, second)
        assert b == c
        return edit(a, d - a, self.bytes_of(case)[c:d] + self.bytes_of(case)[a:b])

    def cut(self, case, group, at, req, comment="", flags="Truncated"):
        """The twin, ended at byte `at`."""
        data = self.bytes_of(case)
        return self.no(group, case, "bytes", edit(at, len(data) - at), "truncated", req, comment, flags)

    # ---- verification --------------------------------------------------------------------------

    def verify(self):
        seen_inputs = {}
        for case in self.cases:
            where = case["id"]
            assert ("out" in case) != ("reject" in case), where
            assert set(case["flags"]) <= set(self.flags), (where, case["flags"])
            assert case["req"], where
            spelled = (case["op"], tuple(sorted(case["in"].items())))
            assert spelled not in seen_inputs, (where, seen_inputs.get(spelled))
            seen_inputs[spelled] = where
            if "out" in case:
                assert ops.run(case["op"], case["in"]) == case["out"], where
                for wrong in case.get("decoys", {}):
                    assert wrong and wrong not in case["out"].values(), (where, wrong)
                continue
            if "twin" in case:
                twin = case["twin"]
                other = self.by_id[twin["of"]]
                assert other["op"] == case["op"] and "out" in other, where
                assert ops.run(other["op"], other["in"]) == other["out"], where
                assert edited_input(other, twin) == case["in"], where
                assert case["in"] != other["in"], where
            try:
                ops.run(case["op"], case["in"])
            except Reject as r:
                assert r.cls == case["reject"]["class"] and r.layer == case["reject"]["layer"], (where, str(r))
                assert r.rule in case["req"], (where, str(r), case["req"])
            else:
                raise AssertionError(f"{where} is accepted")
        assert set(self.flags) == {f for c in self.cases for f in c["flags"]}, \
            set(self.flags) - {f for c in self.cases for f in c["flags"]}
        return self
