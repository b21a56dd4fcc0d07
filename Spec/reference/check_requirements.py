"""Lists every `[AREA-NNN]` of Spec/*.md in Spec/requirements.json and looks for a case of each.

Exits 1 if an id is defined twice, if an id has neither a case nor a line in untestable.md, or if a case or
untestable.md names an id that the text does not define. `--check` writes nothing, and fails if the file is old.
"""

import json
import re
import sys
from pathlib import Path

SPEC = Path(__file__).resolve().parent.parent
VECTORS = SPEC.parent / "TestVectors" / "v1"
SENTENCE = re.compile(r"(?s)(.*?)\[([A-Z]+-\d{3})\]")
MARK = re.compile(r"^[*|] | \|$")          # of a list item or a table cell; a bold word begins with two stars
ID = re.compile(r"\b([A-Z]+)-(\d{3})\b(?: to \1-(\d{3})\b)?")


def blocks(text):
    """The paragraphs, list items and table rows, without headings and code: an id in backticks is an example."""
    fenced = re.sub(r"(?ms)^```.*?^```|^#.*?$", "", text)
    bare = re.sub(r"`[^`\n]*\[[A-Z]+-\d{3}\][^`\n]*`", "", fenced)
    return re.split(r"\n\s*\n|\n(?=\* |\d+\. |\|)", bare)


def definitions():
    """(id, file, sentence) in the order of the text; a sentence is what precedes its id in the block."""
    for path in sorted(SPEC.glob("*.md")):
        for block in blocks(path.read_text()):
            for sentence, name in SENTENCE.findall(block):
                yield name, path.name, MARK.sub("", " ".join(sentence.split()))


def named(text):
    """Every id that a text names, ranges written out as those ids that are defined."""
    for area, first, last in ID.findall(text):
        for n in range(int(first), int(last or first) + 1):
            yield f"{area}-{n:03d}", not last or n in (int(first), int(last))


def main(check):
    problems, found = [], {}
    for name, file, sentence in definitions():
        if name in found:
            problems.append(f"{name} is defined twice: {found[name]['file']} and {file}")
        found[name] = {"file": file, "sentence": sentence}
    untestable = set()
    for name, written in named((SPEC / "untestable.md").read_text()):
        if name in found:
            untestable.add(name)
        elif written:
            problems.append(f"untestable.md names {name}, which is not defined")
    covered = {}
    for file in json.loads((VECTORS / "MANIFEST.json").read_text())["files"]:
        for case in json.loads((VECTORS / file).read_text())["cases"]:
            for name in case["req"]:
                covered.setdefault(name, []).append(case["id"])
    problems += [f"{name} is not defined, {ids[0]} names it" for name, ids in sorted(covered.items()) if name not in found]
    for name in sorted(found):
        if name not in covered and name not in untestable:
            problems.append(f"{name} has no case: {found[name]['sentence']}")
    text = json.dumps(dict(sorted(found.items())), indent=2, ensure_ascii=False) + "\n"
    target = SPEC / "requirements.json"
    if not check:
        target.write_text(text)
    elif not target.is_file() or target.read_text() != text:
        problems.append("requirements.json is not up to date")
    both = sorted(untestable & set(covered))
    print(f"{len(found)} ids: {len(set(found) & set(covered))} with cases, {len(untestable)} untestable"
          + (f" ({', '.join(both)} in both)" if both else ""))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
