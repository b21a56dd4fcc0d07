"""Tables of fields with offsets and sizes, from Spec/layout.json. See make_examples.py."""

from explain import LAYOUT
from primitives import uvarint

HEADER = 49
UNBOUNDED = 2**64 - 1
TABLE = next(f for f in LAYOUT["structs"]["rowsBody"] if f["name"] == "replicas")["count"]["max"]


def bounds(field):
    """(least, greatest) size in bytes; None where there is no greatest."""
    kind = field["type"]
    if "index" in field:
        return 1, len(uvarint(int(TABLE) - 1))
    if kind == "uvarint":
        return 1, len(uvarint(int(field.get("max", UNBOUNDED))))
    if kind == "bytes":
        low, high = int(field["min"]), int(field["max"])
        return len(uvarint(low)) + low, len(uvarint(high)) + high
    if kind == "list":
        return len(uvarint(int(field["count"]["min"]))) + int(field["count"]["min"]) * field["smallest"], None
    size = LAYOUT["types"][kind]["size"]
    return size, size


def size_text(field):
    low, high = bounds(field)
    return f"{low}" if low == high else f"{low} to {high:,}" if high else f"{low} or more"


def type_text(field):
    kind = field["type"]
    if kind == "list":
        count = field["count"]
        many = f"{count['min']} to {int(count['max']):,}" if "max" in count else f"at least {count['min']}"
        return f"count ({many}), then each {element(field['of'])}"
    if kind == "bytes":
        return f"bytes({field['min']}..{field['max']})"
    return kind


def element(of):
    return f"`{of['struct']}`" if of["type"] == "struct" else type_text(of)


def values_text(field):
    if "values" in field:
        return ", ".join(f"{n} {name}" for n, name in field["values"].items())
    parts = [f"at least {field['min']}"] if "min" in field and field["type"] in ("u8", "uvarint") else []
    parts += [f"at most {int(field['max']):,}"] if "max" in field and field["type"] == "uvarint" else []
    parts += [f"index into `{field['index']}`"] if "index" in field else []
    parts += [f"modes {', '.join(map(str, field['modes']))}"] if "modes" in field else []
    parts += [f"characters {field['charset']}"] if "charset" in field else []
    parts += [f"strictly ascending by {', '.join(field['ascending'])}"] if any(field.get("ascending", ())) else \
        ["strictly ascending"] if "ascending" in field else []
    return "; ".join(parts)


def lines(fields, at, counted, when=""):
    """Rows of the table, and where the next field begins: (offset, whether it is counted from a field of variable size)."""
    out = []
    for field in fields:
        name = field.get("name") or ("entries" if field["type"] == "list" else "")
        if field["type"] == "choice":
            ends = []
            for value, inner in field["cases"].items():
                if inner:
                    more, end = lines(inner, at, counted, f"{when}{field['on']} {value}: ")
                    out, ends = out + more, [*ends, end]
            at, counted = (0, True) if ends else (at, counted)
            continue
        if field["type"] == "struct":
            more, (at, counted) = lines(LAYOUT["structs"][field["struct"]], at, counted, when)
            out += more
            continue
        low, high = bounds(field)
        out.append(f"| {'+' if counted else ''}{at} | {size_text(field)} | {when}{name} | {type_text(field)} | {values_text(field)} |")
        at, counted = (at + low, counted) if low == high else (0, True)
    return out, (at, counted)


def table(fields, at):
    return ["| offset | size | field | type | values |", "|---|---|---|---|---|", *lines(fields, at, False)[0]]


def layout(_, __):
    out = []
    shared = {"4", "5"}
    for code, kind in LAYOUT["kinds"].items():
        if code == "5":
            continue
        name = "`reconcile_resp` and `sync_delta`" if code in shared else f"`{kind['name']}`"
        out += [f"**{name}**", "", *table(kind["fields"], HEADER), ""]
    for name, fields in LAYOUT["structs"].items():
        if name not in ("rowsBody", "messageEdit"):
            out += [f"**An element: `{name}`**", "", *table(fields, 0), ""]
    return "\n".join(out)


MAKERS = {"layout": layout}
