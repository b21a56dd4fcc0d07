"""How the files spell values: long runs of one byte as `fill` parts (11), and the way back."""

import re

RUN = re.compile(r"([0-9a-f]{2})\1{4095,}")          # 4,096 equal bytes and more


def filled(text):
    """A hexadecimal value as the files spell it: itself, or a list of parts where it has a long run."""
    parts, last, at = [], 0, 0
    while len(text) > 8192 and (found := RUN.search(text, at)):
        start, end = found.span()
        if start % 2:                                # not at a whole byte
            at = start + 1
            continue
        parts += [text[last:start]] if start > last else []
        parts.append({"fill": found[1], "n": (end - start) // 2})
        last = at = end
    return [*parts, *([text[last:]] if last < len(text) else [])] if parts else text


def joined(value):
    """The value of a string or of a list of parts."""
    if isinstance(value, str):
        return value
    return "".join(p if isinstance(p, str) else p["fill"] * p["n"] for p in value)


def _each(case, change):
    """The case with every value that may have parts changed."""
    case = dict(case)
    for name in ("in", "out"):
        if name in case:
            case[name] = {k: change(v) for k, v in case[name].items()}
    if "twin" in case:
        case["twin"] = {**case["twin"], "edits": [{**e, "ins": change(e["ins"])} for e in case["twin"]["edits"]]}
    return case


def spell(case):
    """A case as the files hold it."""
    return _each(case, filled)


def expand(case):
    """A case from a file, every value in one piece."""
    return _each(case, joined)
