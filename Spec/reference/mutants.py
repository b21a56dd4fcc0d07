"""Runs every mistake of bugs.py over the corpus and writes TestVectors/v1/bugs.json. A mistake that no case tells from the
reference is a missing vector: exit 1. `--check` compares with the file on disk instead of writing it.

A case kills a mistake if the verdict differs: accepted or rejected, the answer, or the layer of the rejection. What only
the class tells apart is killed under `--strict-errors` alone, and marked so. An answer that is no verdict (a crash) kills too.
"""

import sys
from functools import lru_cache
from multiprocessing import get_context

import bugs
import make_vectors
import secretbox

TARGET = make_vectors.ROOT / "bugs.json"
SHOWN = 5
LARGE = 100_000                  # characters of input
CASES = []                       # filled before the processes fork
SEAL, OPEN = lru_cache(None)(secretbox.seal), lru_cache(None)(secretbox.open)


def verdict(ops, case):
    """("ok", out), ("reject", layer, class) or ("error",): what an adapter would answer."""
    try:
        return "ok", ops.run(case["op"], case["in"])
    except ops.Reject as r:
        return "reject", r.layer, r.cls
    except Exception:
        return ("error",)


def expected(case):
    return ("ok", case["out"]) if "out" in case else ("reject", case["reject"]["layer"], case["reject"]["class"])


def killers(bug, cases):
    """(ids that tell the mistake by verdict, ids that tell it by the class alone), in the order of the corpus."""
    ops = bugs.load(bug.name)
    if bug.module != "secretbox":              # boxes are slow to make, and these mistakes leave them as they are
        ops.seal.secretbox.seal, ops.seal.secretbox.open = SEAL, OPEN
    plain, strict = [], []
    # Large cases take most of the time, and are asked about what no other case tells.
    for size in (False, True):
        for case in () if plain or strict else (c for c in cases if is_large(c) == size):
            found, right = verdict(ops, case), expected(case)
            if found != right:
                (strict if found[0] == right[0] == "reject" and found[1] == right[1] else plain).append(case["id"])
    return plain, strict


def is_large(case):
    return sum(map(len, case["in"].values())) > LARGE


def entry(bug):
    """(the line of one mistake, the ids of all cases that tell it)."""
    plain, strict = killers(bug, CASES)
    ids = plain or strict
    line = {"name": bug.name, "description": bug.description, **({} if plain else {"strict": True}),
            "killed": len(ids), "by": sorted(ids)[:SHOWN]}
    return line, ids


def main(check):
    CASES.extend(case for area in make_vectors.all_areas() for case in area.cases)
    operation = {case["id"]: case["op"] for case in CASES}
    entries, idle, table = {}, set(operation.values()), sorted(bugs.table().items())
    with get_context("fork").Pool() as pool:
        for (name, _), (entries[name], ids) in zip(table, pool.imap(entry, [bug for _, bug in table], 4)):
            idle -= {operation[i] for i in ids}
    alive = [name for name, line in entries.items() if not line["killed"]]
    lines = [line for line in entries.values() if line["killed"]]
    text = make_vectors.list_text("bugs", "mistake -> how many cases tell it from the reference, and the first of them by id",
                                  lines)
    print(f"{len(entries)} mistakes: {len(lines)} killed, {sum('strict' in e for e in lines)} of them by the class alone; "
          f"{sum(e['killed'] == 1 for e in lines)} by one case only")
    for name in alive:
        print(f"survives: {name}: {bugs.table()[name].description}")
    for op in sorted(idle):
        print(f"no mistake shows in {op}")
    if not check:
        TARGET.write_text(text)
        make_vectors.main(False)
    elif not TARGET.is_file() or TARGET.read_text() != text:
        print("differs: bugs.json")
        return 1
    return 1 if alive or idle else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
