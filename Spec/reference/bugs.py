"""Typical mistakes of implementers, each as one edit of the reference's own text: `load(NAME)` gives the operations
of 11 with that mistake built in. The corpus must tell every one of them from the reference (mutants.py).

An edit is text that stands exactly once in its module, and what stands there instead. The modules are then run
afresh, so nothing of a mistake outlives its `load`, and the reference holds no trace of any.
"""

import sys
from collections import namedtuple
from functools import lru_cache
from pathlib import Path
from types import ModuleType

Bug = namedtuple("Bug", "name module description old new")
FOLDER = Path(__file__).resolve().parent
# In the order in which they import each other.
MODULES = ("errors", "primitives", "merge", "leaves", "sketch", "frames", "digest", "secretbox", "seal", "channel", "relay", "ops")


@lru_cache(None)
def source(module):
    return (FOLDER / f"{module}.py").read_text()


@lru_cache(None)
def compiled(module):
    return compile(source(module), f"{module}.py", "exec")


def table():
    """Every mistake by its name."""
    from bugs_codec import BUGS as codec
    from bugs_limits import BUGS as limits
    from bugs_relay import BUGS as relays
    from bugs_sketch import BUGS as sketches
    from bugs_state import BUGS as state
    bugs = [Bug(*b) for b in (*codec, *state, *sketches, *relays, *limits)]
    assert len({b.name for b in bugs}) == len(bugs), "a name stands twice"
    return {b.name: b for b in bugs}


def edited(bug):
    """The module's text with the mistake in it."""
    found = source(bug.module).count(bug.old)
    if found != 1:
        raise ValueError(f"{bug.name}: its text stands {found} times in {bug.module}.py, not once")
    return source(bug.module).replace(bug.old, bug.new)


def load(name=None):
    """The module `ops` afresh, with the mistake of that name or with none."""
    bug = table()[name] if name else None
    kept = {module: sys.modules.get(module) for module in MODULES}
    try:
        for module in MODULES:
            made = sys.modules[module] = ModuleType(module)
            changed = bug and bug.module == module
            exec(compile(edited(bug), f"{module}.py", "exec") if changed else compiled(module), made.__dict__)
        return sys.modules["ops"]
    finally:
        for module, old in kept.items():
            if old is None:
                sys.modules.pop(module, None)
            else:
                sys.modules[module] = old
