"""Writes the worked examples of the text: what stands between `<!-- example: WORDS -->` and `<!-- end -->` in Spec/*.md is made
here, from the golden vectors on disk and the reference. `--check` compares instead, and exits 1 where the text is old.

`frame ID`    the bytes of an accepted frame, by field         `leaf ID`      a leaf's preimage and hash
`seal ID`     an envelope, from its keys to its bytes          `pull`, `sketch-pull`  a pull, frame by frame
`split ID`    how a range is cut                               `cells POLICY` the case of each cell of the table before
`layout`      every field with offset and size, from layout.json
`schema ID`, `root ID`, `summary ID`, `channel ID`, `sketch-id ID`   what is hashed, and the result
`sketch-difference ID`   sketches of the first rows of a case, and their difference taken apart
"""

import json
import re
import sys
from pathlib import Path

import examples_cells
import examples_dumps
import examples_hashes
import examples_layout

SPEC = Path(__file__).resolve().parent.parent
VECTORS = SPEC.parent / "TestVectors" / "v1"
MARKED = re.compile(r"(<!-- example: ([^\n]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
MAKERS = {**examples_dumps.MAKERS, **examples_hashes.MAKERS, **examples_cells.MAKERS, **examples_layout.MAKERS}


def all_cases():
    names = json.loads((VECTORS / "MANIFEST.json").read_text())["files"]
    return {case["id"]: case for name in names for case in json.loads((VECTORS / name).read_text())["cases"]}


def renewed(text, cases):
    """The text with every example made afresh."""
    def make(match):
        kind, *words = match[2].split()
        return match[1] + MAKERS[kind](cases, text[:match.start()], *words) + match[3]
    return MARKED.sub(make, text)


def main(check):
    cases, old, count = all_cases(), [], 0
    for path in sorted(SPEC.glob("*.md")):
        text = path.read_text()
        count += len(MARKED.findall(text))
        assert text.count("<!-- example:") == len(MARKED.findall(text)), f"{path.name}: an example has no end"
        new = renewed(text, cases)
        if new != text:
            old.append(path.name)
            if not check:
                path.write_text(new)
    print(f"{count} examples")
    for name in old:
        print(f"{'differs' if check else 'written'}: {name}")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
