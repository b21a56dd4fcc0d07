"""Prints a frame's bytes field by field, from Spec/layout.json alone: `python3 explain.py HEX`.

The walker knows no frame: it follows the data. It does not judge either; what cannot be walked stops it.
"""

import json
import sys
from pathlib import Path

LAYOUT = json.loads((Path(__file__).resolve().parent.parent / "layout.json").read_text())


class Stop(Exception):
    """The bytes do not follow the layout any further."""


class Walk:
    """`lines` is a list of (offset, bytes, path, value); `spans` maps a path to its (start, end)."""

    def __init__(self, data, layout=LAYOUT):
        self.data, self.layout, self.at, self.lines, self.spans = data, layout, 0, [], {}

    def frame(self):
        self.fields(self.layout["header"][:1], "", [{}])
        kind = self.data[0]
        if self.layout["skip"]["from"] <= kind <= self.layout["skip"]["to"]:
            return self.rest("skip")
        if str(kind) not in self.layout["kinds"]:
            raise Stop(f"kind {kind} is not described")
        self.fields(self.layout["header"][1:] + self.layout["kinds"][str(kind)]["fields"], "", [{}])
        return self.rest("(trailing)") if self.at < len(self.data) else self

    def rest(self, path):
        return self.note(path, self.take(len(self.data) - self.at), None)

    def take(self, size):
        if self.at + size > len(self.data):
            raise Stop(f"the input ends at byte {len(self.data)}")
        self.at += size
        return self.at - size

    def note(self, path, start, value):
        raw = self.data[start:self.at]
        self.lines.append((start, raw, path, raw.hex() if value is None else str(value)))
        return self

    def fields(self, fields, path, scopes):
        for field in fields:
            name = field.get("name", "")
            self.field(field, ".".join(p for p in (path, name) if p), scopes)

    def field(self, field, path, scopes):
        start, kind = self.at, field["type"]
        getattr(self, "read_" + kind, self.read_sized)(field, path, scopes)
        self.spans[path] = (start, self.at)      # the outermost field of a path is noted last

    def read_sized(self, field, path, scopes):
        kind = self.layout["types"][field["type"]]
        start = self.take(kind["size"] if "size" in kind else len(self.data) - self.at)
        number = int.from_bytes(self.data[start:self.at], "big")
        scopes[-1][field.get("name", "")] = number
        value = None
        if kind["as"] == "number":
            name = field.get("values", {}).get(str(number))
            value = number if name is None else f"{number} ({name})"
        self.note(path, start, value)

    def number(self):
        start, value, shift = self.at, 0, 0
        while True:
            byte = self.data[self.take(1)]
            value, shift = value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                return start, value
            if shift > 63:
                raise Stop(f"the number at byte {start} is too long")

    def read_uvarint(self, field, path, scopes):
        self.note(path, *self.number())

    def read_bytes(self, field, path, scopes):
        start, size = self.number()
        self.note(path + ".length", start, size)
        self.spans[path + ".length"] = (start, self.at)
        self.note(path, self.take(size), None)

    def read_list(self, field, path, scopes):
        start, count = self.number()
        dot = path + "." if path else ""
        self.note(dot + "count", start, count)
        self.spans[dot + "count"] = (start, self.at)
        for i in range(count):
            self.field(field["of"], f"{dot}{i}", scopes)

    def read_struct(self, field, path, scopes):
        self.fields(self.layout["structs"][field["struct"]], path, scopes + [{}])

    def read_choice(self, field, path, scopes):
        value = next(s[field["on"]] for s in reversed(scopes) if field["on"] in s)
        if str(value) not in field["cases"]:
            raise Stop(f"{value} is no case of {field['on']}")
        self.fields(field["cases"][str(value)], path, scopes)


def main(text):
    walk = Walk(bytes.fromhex(text))
    problem = None
    try:
        walk.frame()
    except Stop as stop:
        problem = f"stopped: {stop}"
    for offset, raw, path, value in walk.lines:
        shown = raw.hex() if len(raw) <= 16 else raw[:14].hex() + ".."
        print(f"{offset:6}  {shown:32}  {path:28} {value if len(value) <= 64 else value[:60] + '...'}")
    sys.exit(problem)


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
