"""Which case of merge.json tests each cell of a decision table of 07. The table of the rules is read from the text before the
marker; a cell for which there is no case stops the script. See make_examples.py."""

import re

GROUPS = {"causal": "merge-cell-", "lastWriter": "merge-lastcell-", "messages": "merge-msgcell-", "log": "merge-gate-"}
NOTHING = "none"                     # the column in which nothing arrives
# The columns of log are conditions; these are the comments of their cases.
LOG = {"event, group not in M": ("event, group not in M", "event, equal to one there", "event of another group"),
       "event, group in M": ("event, group in M",), "marker of a new group": ("marker of a new group",),
       "marker of a group in M": ("marker of a group in M",)}


def table(text):
    """(names of the columns, rows) of the last table of the text."""
    lines = re.findall(r"(?m)^\|.*\|$", text[text.rindex("| here \\ arriving |"):])
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    return cells[0][1:], [row for row in cells[2:]]


def matches(policy, here, arriving, comment):
    if policy == "log":
        return any(comment.startswith(f"{here.strip('`')}: {start}") for start in LOG[arriving])
    said = re.match(r"here (.*), arriving (.*?)(?:: \w+)?$", comment)
    if not said:
        return False
    # "(u, any)" stands for every write at u; a remark may stand behind a name: "(t, value b), a < b".
    return all(name == re.sub(r"\), .*", ")", cell) or cell == "(u, any)" and name.startswith("(u,")
               for name, cell in zip(said.groups(), (here, arriving)))


def spelled(numbers):
    """Numbers as runs: 3, 7 to 9."""
    runs = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in runs)


def cells(cases, text, policy):
    prefix, (columns, rows) = GROUPS[policy], table(text)
    found = {n: c.get("comment", "") for n, c in cases.items() if n.startswith(prefix)}
    lines = [f"Cases of the cells, `{prefix}NNNN`:", "", "| here \\ arriving | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for here, *_ in rows:
        line = []
        for arriving in columns:
            ids = [int(n[-4:]) for n, comment in found.items() if matches(policy, here, arriving, comment)]
            if not ids and (policy, arriving) != ("lastWriter", NOTHING):
                raise SystemExit(f"no case for the cell: {policy}, here {here}, arriving {arriving}")
            line.append(spelled(ids) if ids else "no arrival")
        lines.append(f"| {here} | " + " | ".join(line) + " |")
    return "\n".join(lines) + "\n"


MAKERS = {"cells": cells}
