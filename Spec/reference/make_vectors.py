"""Writes TestVectors/v1. `--check` compares with the files on disk instead and exits 1 on a difference; `--frozen COMMIT`
compares with a release: its cases must be as they were, or stand in withdrawn.json.

Every case is verified before anything is written: an accepted one gives its answer again; of a rejected one the
twin is accepted, the edit alone makes the input, and the reference rejects it with the class that is stated.
"""

import hashlib
import importlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import cases_faults
import cases_future
import cases_large
import cases_pull
import cases_relay
import cases_sizes
import cases_sketch_pull
import vector_schema
from spelling import spell

SPEC, CORPUS = "1.0-draft.1", "1.0.0-draft.1"
ROOT = Path(__file__).resolve().parent.parent.parent / "TestVectors" / "v1"
AREAS = ("primitives", "frame", "leaf", "digest", "sketch", "seal", "merge")
LEVELS = {"L1": ("primitives", "frame"), "L2": ("primitives", "frame", "leaf", "digest", "sketch"),
          "L3": ("primitives", "frame", "seal"), "L4": ("primitives", "frame", "leaf", "digest", "sketch", "merge")}
SOURCES = {"py": {"impl": "Spec/reference", "version": "1", "independent": True}}


# Entries {"id", "withdrawn" (the corpus version), "reason", "replacement" (an id, optional), "case" (as it stood)}.
WITHDRAWN = ()
OWN_FILES = ("bugs.json",)            # made by mutants.py, which then makes the manifest again


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def line(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def file_text(name, about, flags, cases):
    """The head a field a line, then a case a line."""
    head = {"schema": "vectors-1", "spec": SPEC, "corpus": CORPUS, "area": name, "about": about}
    lines = [f'"{k}":{line(v)},' for k, v in head.items()]
    lines += ['"flags":{', ",\n".join(f"{line(k)}:{line(v)}" for k, v in sorted(flags.items())), "},"]
    lines += [f'"sources":{line(SOURCES)},', '"cases":[', ",\n".join(line(spell(c)) for c in cases), "]}"]
    return "{" + "\n".join(lines) + "\n"


def list_text(name, about, entries):
    """A file that lists something about the corpus, an entry a line."""
    head = {"schema": f"{name}-1", "spec": SPEC, "corpus": CORPUS, "about": about}
    lines = [f'"{k}":{line(v)},' for k, v in head.items()]
    return "{" + "\n".join([*lines, f'"{name}":[', ",\n".join(map(line, entries)), "]}"]) + "\n"


def all_areas():
    """The areas with their cases, verified. What cuts across areas is added behind the rest of each."""
    areas = [importlib.import_module("cases_" + name).make() for name in AREAS]
    for more in (cases_faults, cases_large, cases_pull, cases_sizes, cases_sketch_pull, cases_relay):
        for area in areas:
            if area.name in more.ADD:
                area.flags = {**area.flags, **more.FLAGS}
                more.ADD[area.name](area)
                area.flags = {f: area.flags[f] for f in area.flags if f not in more.FLAGS or area.uses(f)}
    return [area.verify() for area in areas]


def corpus():
    """File name -> text, the manifest last."""
    areas = all_areas()
    files = {f"{a.name}.json": file_text(a.name, a.about, a.flags, a.cases) for a in areas}
    canaries = cases_future.cases()
    files["future/canary.json"] = file_text("future", cases_future.ABOUT, {}, canaries)
    files["withdrawn.json"] = list_text("withdrawn", "cases that were released and are no longer true", WITHDRAWN)
    for name, schema in vector_schema.SCHEMAS.items():
        files[f"schema/{name}.json"] = json.dumps(schema, indent=2) + "\n"
    counts = {a.name: len(a.cases) for a in areas}
    manifest = {
        "corpus": CORPUS, "spec": SPEC, "licence": "CC0-1.0",
        "files": {f"{a.name}.json": {
            "sha256": digest_of(files[f"{a.name}.json"]), "cases": len(a.cases),
            "accepted": sum("out" in c for c in a.cases), "rejected": sum("reject" in c for c in a.cases)}
            for a in areas},
        "future": {"future/canary.json": {"sha256": digest_of(files["future/canary.json"]), "cases": len(canaries)}},
        "lists": {"withdrawn.json": digest_of(files["withdrawn.json"]),
                  **{name: digest_of((ROOT / name).read_text()) for name in OWN_FILES if (ROOT / name).is_file()}},
        "schema": {name: digest_of(text) for name, text in files.items() if name.startswith("schema/")},
        "levels": {level: {"files": [n + ".json" for n in names], "cases": sum(counts[n] for n in names)}
                   for level, names in LEVELS.items()},
        "cases": sum(counts.values()),
    }
    files["MANIFEST.json"] = json.dumps(manifest, indent=2) + "\n"
    return files, areas


def frozen(commit):
    """Every case of a release that is neither as it was nor withdrawn as it was."""
    def released(name):
        path = f"{commit}:TestVectors/v1/{name}"
        return json.loads(subprocess.run(["git", "show", path], cwd=ROOT, check=True, capture_output=True).stdout)

    now = {case["id"]: spell(case) for area in all_areas() for case in area.cases}
    gone = {entry["id"]: entry["case"] for entry in WITHDRAWN}
    changed = [case["id"] for name in released("MANIFEST.json")["files"] for case in released(name)["cases"]
               if now.get(case["id"], gone.get(case["id"])) != case or case["id"] in now and case["id"] in gone]
    for name in changed:
        print(f"changed since {commit}: {name}")
    return 1 if changed else 0


def main(check):
    files, areas = corpus()
    different = [name for name, text in files.items()
                 if not (ROOT / name).is_file() or (ROOT / name).read_bytes() != text.encode()]
    stray = [p.relative_to(ROOT).as_posix() for p in sorted(ROOT.rglob("*.json"))
             if p.relative_to(ROOT).as_posix() not in (*files, *OWN_FILES)]
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
    sys.exit(frozen(sys.argv[2]) if sys.argv[1:2] == ["--frozen"] else main("--check" in sys.argv[1:]))
