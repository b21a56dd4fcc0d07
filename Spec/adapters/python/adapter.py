#!/usr/bin/env python3
"""Adapter protocol 1 over the executable specification: every operation of levels L1 to L4.

    cenotaph-conformance run -- python3 Spec/adapters/python/adapter.py [--bug NAME]

Reads one JSON object a line from standard input, all values strings, and answers each with one line: `ok` with the
answer, `reject` with the class, `unsupported` for an operation that it does not know, `error` where the reference itself
failed. It ends with its input. With `--bug` it makes that mistake (TestVectors/v1/bugs.json): a checker must go red.
It is a model for an adapter of your own: all that is not Cenotaph is in `answer` and `main`.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))
import bugs  # noqa: E402

PROTOCOL = "1"


def arguments(words):
    """The name after `--bug`, or None."""
    if not words:
        return None
    if len(words) == 2 and words[0] == "--bug" and words[1] in bugs.table():
        return words[1]
    if words == ["--bugs"]:
        print("\n".join(f"{b.name:36} {b.description}" for b in sorted(bugs.table().values())))
        sys.exit(0)
    sys.exit("usage: adapter.py [--bug NAME | --bugs]")


def hello(ops, bug):
    name = "cenotaph-reference" + (f"+{bug}" if bug else "")
    return {"protocol": PROTOCOL, "name": name, "version": "1", "language": "python", "ops": " ".join(sorted(ops.OPS)),
            "features": ""}


def answer(ops, bug, request):
    """The reply to one request, without its id."""
    op = request.get("op")
    if op == "hello" and request.get("protocol") == PROTOCOL:
        return {"ok": hello(ops, bug)}
    if op not in ops.OPS:
        return {"unsupported": f"no operation {op}"}
    fields = {name: value for name, value in request.items() if name not in ("id", "op")}
    try:
        return {"ok": ops.run(op, fields)}
    except ops.Reject as rejection:
        return {"reject": rejection.cls}
    except Exception as failure:
        return {"error": f"{type(failure).__name__}: {failure}"[:200]}


def main(words):
    bug = arguments(words)
    ops = bugs.load(bug)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(ops, bug, request)}, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
