"""Writes TestVectors/v1. `--check` compares with the files on disk instead and exits 1 on a difference.

Every case is verified before anything is written: an accepted one gives its answer again; of a rejected one the
twin is accepted, the edit alone makes the input, and the reference rejects it with the class that is stated.
"""

import hashlib
import importlib
import json
import sys
from collections import Counter
from pathlib import Path

import vector_schema

SPEC, CORPUS = "1.0-draft.1", "1.0.0-draft.1"
ROOT = Path(__file__).resolve().parent.parent.parent / "TestVectors" / "v1"
AREAS = ("primitives", "frame", "leaf", "digest", "sketch", "seal", "merge")
LEVELS = {"L1": ("primitives", "frame"), "L2": ("primitives", "frame", "leaf", "digest", "sketch"),
          "L3": ("primitives", "frame", "seal"), "L4": ("primitives", "frame", "leaf", "digest", "sketch", "merge")}
SOURCES = {"py": {"impl": "Spec/reference", "version": "1", "independent": True}}


def line(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def file_text(area):
    """The head a field a line, then a case a line."""
    head = {"schema": "vectors-1", "spec": SPEC, "corpus": CORPUS, "area": area.name, "about": area.about}
    lines = [f'"{k}":{line(v)},' for k, v in head.items()]
    lines += ['"flags":{', ",\n".join(f"{line(k)}:{line(v)}" for k, v in sorted(area.flags.items())), "},"]
    lines += [f'"sources":{line(SOURCES)},', '"cases":[', ",\n".join(map(line, area.cases)), "]}"]
    return "{" + "\n".join(lines) + "\n"


def corpus():
    """File name -> text, the manifest last."""
    areas = [importlib.import_module("cases_" + name).make().verify() for name in AREAS]
    files = {f"{a.name}.json": file_text(a) for a in areas}
    files["schema/vectors-1.json"] = json.dumps(vector_schema.SCHEMA, indent=2) + "\n"
    counts = {a.name: len(a.cases) for a in areas}
    manifest = {
        "corpus": CORPUS, "spec": SPEC,
        "files": {f"{a.name}.json": {
            "sha256": hashlib.sha256(files[f"{a.name}.json"].encode()).hexdigest(), "cases": len(a.cases),
            "accepted": sum("out" in c for c in a.cases), "rejected": sum("reject" in c for c in a.cases)}
            for a in areas},
        "schema": {"schema/vectors-1.json": hashlib.sha256(files["schema/vectors-1.json"].encode()).hexdigest()},
        "levels": {level: {"files": [n + ".json" for n in names], "cases": sum(counts[n] for n in names)}
                   for level, names in LEVELS.items()},
        "cases": sum(counts.values()),
    }
    files["MANIFEST.json"] = json.dumps(manifest, indent=2) + "\n"
    return files, areas


def main(check):
    files, areas = corpus()
    different = [name for name, text in files.items()
                 if not (ROOT / name).is_file() or (ROOT / name).read_bytes() != text.encode()]
    stray = [p.relative_to(ROOT).as_posix() for p in sorted(ROOT.rglob("*.json"))
             if p.relative_to(ROOT).as_posix() not in files]
    for area in areas:
        kinds = Counter("accepted" if "out" in c else "rejected" for c in area.cases)
        print(f"{area.name:11} {len(area.cases):4} cases: {kinds['accepted']:3} accepted, {kinds['rejected']:3} rejected, "
              f"{len(files[area.name + '.json']) // 1024} KiB")
    if check:
        for name in different + stray:
            print(f"differs: {name}")
        return 1 if different or stray else 0
    for name in different:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_bytes(files[name].encode())
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
